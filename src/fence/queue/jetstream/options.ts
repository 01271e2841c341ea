/** The options of a JetStream guard, and their one resolution. */

import { count, duration, knownOnly, oneOf, optionError, text } from "../../../base/options.js";
import type { WriteOrder } from "../../guard.js";

export interface JetstreamGuardOptions {
  /** The stream that keeps the subject. */
  readonly stream: string;
  /** The subject that is guarded: one of its own, without wildcards, at most 255 bytes. */
  readonly subject: string;
  /** Names the resource, for messages and for the order in which `fences` claims. Default: the subject. */
  readonly resource?: string;
  /**
   * `strict`: a message only after the one before it, so that one whose outcome is unknown has to be settled first.
   * `any`: each once, in whatever order they arrive. Default `strict`: what is published has an order, and a message
   * that is published again behind a later one has lost its place.
   */
  readonly order?: WriteOrder;
  /**
   * How many operations are remembered across terms, so that a successor which repeats one is answered and does not
   * publish it again; 0 to 256. Default 0: their names travel in the headers of every message.
   */
  readonly rememberOperations?: number;
  /**
   * How long an answer of the server is waited for, ms, 10 to 600 000; no longer than what remains of the term, and at
   * least 1 s, since a term that drains publishes to its end. Default 5 000.
   */
  readonly timeoutMs?: number;
  /** First part of the subjects of JetStream's API. Default `$JS.API`; `$JS.hub.API` for a domain of the name hub. */
  readonly apiPrefix?: string;
}

export type ResolvedJetstreamOptions = Required<JetstreamGuardOptions>;

const names: readonly (keyof JetstreamGuardOptions)[] = [
  "stream",
  "subject",
  "resource",
  "order",
  "rememberOperations",
  "timeoutMs",
  "apiPrefix",
];

const tokens = /^[^\s.*>]+(?:\.[^\s.*>]+)*$/;

export function resolveJetstreamOptions(options: JetstreamGuardOptions): ResolvedJetstreamOptions {
  knownOnly(options, names);
  const { stream, subject, order = "strict", apiPrefix = "$JS.API" } = options;
  if (typeof stream !== "string" || !/^[^\s.*>/\\]{1,255}$/.test(stream)) {
    throw optionError("stream", stream, "1 to 255 characters without space, dot, *, >, / and \\");
  }
  oneOf("order", order, ["any", "strict"]);
  return {
    stream,
    subject: literal("subject", subject),
    resource: text("resource", options.resource ?? subject, 1_024),
    order,
    rememberOperations: count("rememberOperations", options.rememberOperations ?? 0, 0, 256),
    timeoutMs: duration("timeoutMs", options.timeoutMs ?? 5_000, 10, 600_000),
    apiPrefix: literal("apiPrefix", apiPrefix),
  };
}

function literal(option: string, value: unknown): string {
  if (typeof value === "string" && tokens.test(value) && Buffer.byteLength(value) <= 255) return value;
  throw optionError(option, value, "a subject without wildcards and spaces, of at most 255 bytes");
}
