/**
 * A store that stands at the far end of the lab's network, and what its calls look like from there.
 *
 * A store may take its time and may reject, which leaves an outcome unknown. What it answers must have the shape that
 * the port says, and a record must come back as it was written. Whether the answers fit one register is judged from
 * the calls in the end, by instants at the server: nothing of the network's is in them.
 */

import { type LeaseRecord, decodeRecord, encodeRecord } from "../../lease/record.js";
import type { Call, Store, StoreCapabilities, Stored, Version, Written } from "../../lease/store.js";
import { CallLog } from "../world/call-log.js";
import { maxTtlMs } from "../settings.js";
import { Ages } from "./ages.js";
import { canonical, shown } from "./plain.js";

export interface StoreHost {
  readonly nowMs: number;
  /** Steps of the store's clock so far. */
  breaks(why: string): void;
}

export interface StoreOrder {
  readonly party: string;
  readonly key: string;
  readonly record: LeaseRecord;
  readonly expected: Version | undefined;
  readonly absence: Call["absence"];
  readonly takeover: Call["takeover"];
}

export class HostedStore {
  readonly calls: CallLog;
  readonly capabilities: StoreCapabilities;
  /** Never more than the longest ttl of the lab. */
  readonly maxTtlMs: number;
  readonly ages: Ages;
  /** The longest that it took for an answer. */
  slowestMs = 0;
  rejectedCount = 0;
  lastRejection: unknown;
  readonly #store: Store;
  /** As that party has it. */
  readonly #storeOf: (party: string) => Store;
  readonly #host: StoreHost;
  /** By nonce, as they were written. */
  readonly #written = new Map<string, string>();

  constructor(store: Store, host: StoreHost, storeOf: (party: string) => Store = () => store) {
    this.#store = store;
    this.#storeOf = storeOf;
    this.#host = host;
    this.calls = new CallLog(host);
    this.capabilities = store.capabilities;
    this.maxTtlMs = Math.min(store.maxTtlMs, maxTtlMs);
    this.ages = new Ages(store.capabilities.storeClock, host);
  }

  /** Whether it gives hints of its own. */
  watch(keys: readonly string[], wake: (key: string) => void, signal: AbortSignal): void {
    try {
      this.#store.watch?.(keys, wake, signal);
    } catch (cause) {
      this.#host.breaks(`createStore: watch() threw ${shown(cause)}; it must not`);
    }
  }

  async read(party: string, key: string): Promise<Stored | undefined> {
    const open = this.calls.begin(key, party, { kind: "read" });
    const stored = await this.#answer(() => this.#storeOf(party).read(key, plainCall("prove", "observed")));
    if (stored !== undefined) this.#checkStored("read", stored);
    open.answered(stored === undefined ? absent("read") : seen("read", stored));
    return stored;
  }

  async write(order: StoreOrder): Promise<Written> {
    const { party, key, record, expected, absence, takeover } = order;
    const sent = encodeRecord(record);
    this.#written.set(record.nonce, canonical(decodeRecord(sent)));
    const open = this.calls.begin(key, party, { kind: "write", nonce: record.nonce, expected });
    const startedAt = this.#host.nowMs;
    const answer = await this.#answer(() =>
      // As from a network: nothing that the caller still holds.
      this.#storeOf(party).write(
        key,
        decodeRecord(sent) as LeaseRecord,
        expected,
        plainCall(absence, takeover),
      ),
    );
    this.#checkWritten(answer, order);
    const judged = takeover === "store-clock" && answer.kind === "conflict";
    if (answer.kind === "conflict") {
      const { current } = answer;
      open.answered({ ...(current === undefined ? absent("conflict") : seen("conflict", current)), judged });
    } else if (answer.kind === "unproven") open.answered({ kind: "unproven" });
    else {
      this.ages.written(order, answer.version, startedAt);
      open.answered({ kind: "written", version: answer.version });
    }
    return answer;
  }

  /** In time, whatever it answers; a rejection is a call whose outcome nobody knows. */
  async #answer<T>(ask: () => Promise<T>): Promise<T> {
    const { nowMs } = this.#host;
    try {
      return await ask();
    } catch (cause) {
      this.rejectedCount += 1;
      this.lastRejection = cause;
      throw cause;
    } finally {
      this.slowestMs = Math.max(this.slowestMs, this.#host.nowMs - nowMs);
    }
  }

  #checkStored(what: string, stored: Stored): void {
    const wrong = wrongStored(stored);
    if (wrong !== undefined) throw this.#malformed(what, stored, wrong);
    const { body, version, ageMs } = stored;
    if (ageMs !== undefined) this.ages.shown(version, ageMs);
    if (typeof body === "string") return;
    const known = this.#written.get(body.nonce);
    const now = canonical(decodeRecord(encodeRecord(body)));
    if (known === undefined || known === now) return;
    this.#host.breaks(
      `createStore: ${what} shows a record that is not as it was written: ${now} in place of ${known}`,
    );
  }

  #checkWritten(answer: Written, { expected, absence, record }: StoreOrder): void {
    const wrong = wrongWritten(answer);
    if (wrong !== undefined) throw this.#malformed("write", answer, wrong);
    if (answer.kind === "conflict" && answer.current !== undefined)
      this.#checkStored("conflict", answer.current);
    if (answer.kind === "unproven" && absence !== "prove")
      this.#host.breaks(
        `createStore: write of ${record.nonce} over ${expected ?? "nothing"} is "unproven", though the caller has waited`,
      );
  }

  /** The caller is told of a failure: what has no meaning must not be acted on. */
  #malformed(what: string, answer: unknown, wrong: string): Error {
    const why = `createStore: ${what}() answered ${shown(answer)}: ${wrong}`;
    this.#host.breaks(why);
    return new Error(why);
  }
}

function wrongStored(stored: Stored): string | undefined {
  if (typeof stored !== "object" || stored === null)
    return "neither undefined, for absent, nor a stored record";
  const { version, epoch, body, ageMs } = stored;
  if (typeof version !== "string" || version === "") return "version must be a text that is not empty";
  if (typeof epoch !== "string") return "epoch must be a text";
  if (ageMs !== undefined && !(typeof ageMs === "number" && ageMs >= 0))
    return "ageMs must be a number from 0";
  if (body === "newer" || body === "unreadable") return undefined;
  if (typeof body !== "object" || body === null) return 'body must be a record, "newer" or "unreadable"';
  return typeof decodeRecord(encodeRecord(body)) === "string" ? "body is no lease record" : undefined;
}

function wrongWritten(answer: Written): string | undefined {
  if (typeof answer !== "object" || answer === null) return "no answer to a write";
  switch (answer.kind) {
    case "written":
      if (typeof answer.version !== "string" || answer.version === "")
        return "version must be a text that is not empty";
      return typeof answer.epoch === "string" ? undefined : "epoch must be a text";
    case "conflict":
      return answer.current === undefined ? undefined : wrongStored(answer.current);
    case "unproven":
      return typeof answer.epoch === "string" ? undefined : "epoch must be a text";
    default:
      return 'kind must be "written", "conflict" or "unproven"';
  }
}

function seen<K extends "read" | "conflict">(
  kind: K,
  { version, body }: Stored,
): { kind: K; version: string; nonce: string | undefined } {
  return { kind, version, nonce: typeof body === "string" ? undefined : body.nonce };
}

function absent<K extends "read" | "conflict">(kind: K): { kind: K; version: undefined; nonce: undefined } {
  return { kind, version: undefined, nonce: undefined };
}

/** A server does not hear that its client has given up. */
function plainCall(absence: Call["absence"], takeover: Call["takeover"]): Call {
  return { signal: never, timeoutMs: 2_000, absence, takeover };
}

const never = new AbortController().signal;
