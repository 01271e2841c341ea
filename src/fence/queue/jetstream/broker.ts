/**
 * The server, as far as a guarded subject needs it: one conditional publish, and two ways to read.
 *
 * Promise: an answer comes within the time allowed, or there is none that can be relied on. What is read comes from the
 * leader of the stream and never by direct get, which any replica or mirror may answer with what is past. Even so it
 * may be old: nothing rests on it but what the next conditional publish proves.
 */

import { createError } from "../../../errors/index.js";
import type { JetstreamClient } from "./client.js";
import { decodeHeaders, type HeaderPairs, type Register } from "./headers.js";
import type { ResolvedJetstreamOptions } from "./options.js";

export type Said =
  | { readonly kind: "answered"; readonly body: Readonly<Record<string, unknown>> }
  /** The server refused, and did nothing; `code` is its own number, where it has one. */
  | { readonly kind: "failed"; readonly cause: Error; readonly code?: number }
  /** It was done, or not, or will be. */
  | { readonly kind: "lost"; readonly cause: Error };

export type Published =
  | { readonly kind: "stored"; readonly sequence: number }
  | { readonly kind: "conflict" }
  | { readonly kind: "failed" | "lost"; readonly cause: Error };

export interface Found {
  readonly sequence: number;
  readonly register: Register | "foreign" | "newer" | "unreadable";
}

/** Of nats-server's table of errors. */
const movedOn: readonly (number | undefined)[] = [10_071, 10_070];
const noMessage = 10_037;
const storeFailed = 10_077;

export class Broker {
  readonly #client: JetstreamClient;
  readonly #options: ResolvedJetstreamOptions;
  readonly #limitMs: () => number;

  constructor(client: JetstreamClient, options: ResolvedJetstreamOptions, limitMs: () => number) {
    this.#client = client;
    this.#options = options;
    this.#limitMs = limitMs;
  }

  /**
   * Stored only if `previous` is the sequence of the subject's last message, 0 for none: one step of the stream.
   * `behind`: and only if the last message of the whole stream has this id.
   */
  async publish(
    {
      previous,
      id,
      behind,
    }: { readonly previous: number; readonly id: string; readonly behind?: string | undefined },
    headers: HeaderPairs,
    payload: Uint8Array,
  ): Promise<Published> {
    const { stream, subject } = this.#options;
    const conditions: HeaderPairs = [
      ["Nats-Expected-Stream", stream],
      ["Nats-Expected-Last-Subject-Sequence", String(previous)],
      ...(behind === undefined ? [] : [["Nats-Expected-Last-Msg-Id", behind] as const]),
      ["Nats-Msg-Id", id],
    ];
    const said = await this.#ask(subject, payload, [...conditions, ...headers]);
    if (said.kind === "failed" && movedOn.includes(said.code)) return { kind: "conflict" };
    // With a reason of the disk it may have been stored for all that.
    if (said.kind === "failed" && said.code === storeFailed && !said.cause.message.startsWith("maximum "))
      return { kind: "lost", cause: said.cause };
    if (said.kind !== "answered") return said;
    const { stream: stored, seq } = said.body;
    if (stored === stream && Number.isSafeInteger(seq)) return { kind: "stored", sequence: Number(seq) };
    return { kind: "lost", cause: new Error("what was answered is no acknowledgement of the stream") };
  }

  /** The subject's last message; undefined where there is none. Throws GUARD_FAILED. */
  async last(): Promise<Found | undefined> {
    return this.#find({ last_by_subj: this.#options.subject });
  }

  /** The subject's first message from this sequence on; undefined where there is none. Throws GUARD_FAILED. */
  async firstFrom(sequence: number): Promise<Found | undefined> {
    return this.#find({ seq: sequence, next_by_subj: this.#options.subject });
  }

  /** What the stream is, in the words of JetStream's API. Throws GUARD_FAILED. */
  async streamInfo(): Promise<Readonly<Record<string, unknown>>> {
    return this.api("INFO", {});
  }

  /** Bytes of a message, headers included; as the server said when the client connected. */
  get longestMessageBytes(): number {
    return this.#client.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
  }

  async #find(question: object): Promise<Found | undefined> {
    const body = await this.api("MSG.GET", question, noMessage);
    const message = body["message"] as { readonly seq?: unknown; readonly hdrs?: unknown } | undefined;
    if (message === undefined) return undefined;
    const { seq, hdrs = "" } = message;
    if (!Number.isSafeInteger(seq)) throw this.failed(new Error("the server names no sequence"));
    const headers = Buffer.from(String(hdrs), "base64").toString("utf8");
    return { sequence: Number(seq), register: decodeHeaders(headers) };
  }

  /** A question about the stream. Answers {} to an error with the number `nothing`. Throws GUARD_FAILED. */
  async api(
    name: "INFO" | "MSG.GET" | "CREATE" | "DELETE",
    question: object,
    nothing?: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { apiPrefix, stream } = this.#options;
    const payload = Buffer.from(JSON.stringify(question));
    const said = await this.#ask(`${apiPrefix}.STREAM.${name}.${stream}`, payload, []);
    if (said.kind === "answered") return said.body;
    if (said.kind === "failed" && said.code === nothing) return {};
    throw this.failed(said.cause);
  }

  failed(cause: Error): Error {
    const { resource } = this.#options;
    return createError("GUARD_FAILED", `"${resource}" failed: ${cause.message}`, { cause });
  }

  async #ask(subject: string, payload: Uint8Array, pairs: HeaderPairs): Promise<Said> {
    const { connection, headers: create } = this.#client;
    if (connection.isClosed()) return { kind: "failed", cause: new Error("the connection is closed") };
    const headers = create();
    for (const [name, value] of pairs) headers.set(name, value);
    try {
      const options = { timeout: this.#limitMs(), ...(pairs.length > 0 && { headers }) };
      return judge((await connection.request(subject, payload, options)).data);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      return { kind: nobodyListens(error) ? "failed" : "lost", cause: error };
    }
  }
}

function judge(data: Uint8Array): Said {
  const body = JSON.parse(new TextDecoder().decode(data)) as Readonly<Record<string, unknown>>;
  const error = body["error"] as { readonly err_code?: unknown; readonly description?: unknown } | undefined;
  if (error === undefined) return { kind: "answered", body };
  return { kind: "failed", code: Number(error.err_code), cause: new Error(String(error.description)) };
}

/** The server found nobody to hand it to, and said so at once. */
function nobodyListens(error: Error): boolean {
  if (error.name === "NoResponders") return true;
  return error.cause instanceof Error && nobodyListens(error.cause);
}
