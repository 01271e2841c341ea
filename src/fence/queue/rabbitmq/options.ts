/** The options of a leader's guard over RabbitMQ, and their one resolution. */

import { count, duration, knownOnly, oneOf, text } from "../../../base/options.js";

export interface RabbitmqGuardOptions {
  /** Names the resource, as the consumer's own guard names it. 1 to 1 024 bytes. */
  readonly resource: string;
  /** Where messages go in: the name of the queue, on the default exchange. 1 to 255 bytes. */
  readonly routingKey: string;
  /** The exchange, which leads to one queue under that key. Default "": the default exchange. Up to 255 bytes. */
  readonly exchange?: string;
  /**
   * When a claim is made. `applied`: when a consumer has applied it, so that whatever the leader reads behind the queue
   * afterwards is no longer changed by a predecessor. `queued`: when the broker has it; a predecessor's messages that lie
   * in front of it are still applied. Default `applied`, since a leader that reads needs it, and without a consumer it
   * leads nothing.
   */
  readonly claim?: "applied" | "queued";
  /**
   * How long the broker, and for a claim the consumer, is waited for, ms, 100 to 600 000; no longer than what remains of
   * the term, and at least 1 s, since a term that drains writes to its end. Default 5 000.
   */
  readonly timeoutMs?: number;
  /**
   * Messages of one term under way at once, 1 to 32; 1 where order matters more than speed. Default 16. Not more, so that
   * none is older than what a consumer remembers when it comes again.
   */
  readonly concurrency?: number;
}

export type ResolvedRabbitmqOptions = Required<RabbitmqGuardOptions>;

const names: readonly (keyof RabbitmqGuardOptions)[] = [
  "resource",
  "routingKey",
  "exchange",
  "claim",
  "timeoutMs",
  "concurrency",
];

export function resolveRabbitmqOptions(options: RabbitmqGuardOptions): ResolvedRabbitmqOptions {
  knownOnly(options, names);
  const { exchange = "", claim = "applied" } = options;
  oneOf("claim", claim, ["applied", "queued"]);
  return {
    resource: text("resource", options.resource, 1_024),
    routingKey: text("routingKey", options.routingKey, 255),
    exchange: exchange === "" ? exchange : text("exchange", exchange, 255),
    claim,
    timeoutMs: duration("timeoutMs", options.timeoutMs ?? 5_000, 100, 600_000),
    concurrency: count("concurrency", options.concurrency ?? 16, 1, 32),
  };
}
