/**
 * A register in a stream: the last message of the subject, replaced by the one that is published behind it.
 *
 * The server stores a message only behind the sequence that it names, so whoever decided on an older message is
 * refused, however long it was frozen in between. Nothing is locked.
 */

import { freshId } from "../../../base/random.js";
import { createError } from "../../../errors/index.js";
import { type Cell, type Fencing, type Replaced, rowOf, type Snapshot, withRow } from "../../cell.js";
import type { Fence } from "../../fence.js";
import type { Broker, Found } from "./broker.js";
import { encodeHeaders, type HeaderPairs, type Register, type Tag } from "./headers.js";

export interface JetstreamSnapshot extends Snapshot<undefined> {
  /** Of the message that was read; 0 where the subject has none. */
  readonly sequence: number;
}

/** A message to publish in the name of a term. */
export interface Outgoing {
  readonly fence: Fence;
  readonly payload: Uint8Array;
  readonly headers: HeaderPairs;
  /** Told of its place in the stream. */
  readonly onStored: (sequence: number) => void;
}

const nothing: JetstreamSnapshot = { fencing: { rows: [], operations: [] }, value: undefined, sequence: 0 };

export class JetstreamCell implements Cell<JetstreamSnapshot, Outgoing> {
  readonly #broker: Broker;
  readonly #resource: string;
  /** As this cell has left it, so far as it knows, and the id of that message. */
  #left: { readonly snapshot: JetstreamSnapshot; readonly id: string } | undefined;

  constructor(broker: Broker, resource: string) {
    this.#broker = broker;
    this.#resource = resource;
  }

  async read(): Promise<JetstreamSnapshot> {
    const found = await this.#broker.last();
    if (found === undefined) return nothing;
    return snapshotOf(found.sequence, readable(this.#resource, found));
  }

  /**
   * Begins with what it has left itself: for a message that nobody has sent before, one question less. It is published
   * only behind the message of that very id, since a stream that was made anew counts from 1 again. The server compares
   * the last id of the whole stream, so this is for a subject that has the stream to itself.
   */
  get remembering(): Cell<JetstreamSnapshot, Outgoing> {
    return {
      read: async () => this.#left?.snapshot ?? this.read(),
      replace: async (...replacement) => this.replace(...replacement),
      confirm: async () => {},
    };
  }

  async replace(
    before: JetstreamSnapshot,
    fencing: Fencing,
    outgoing: Outgoing | undefined,
    stillWanted: () => void,
  ): Promise<Replaced> {
    const tag = tagOf(before.sequence, fencing, outgoing);
    const register: Register = { nonce: freshId(), fencing, tag };
    const headers = encodeHeaders(register, outgoing?.headers ?? []);
    const payload = outgoing?.payload ?? new Uint8Array();
    this.#sized(headers, payload);
    stillWanted();
    const behind = this.#left?.snapshot === before ? this.#left.id : undefined;
    this.#left = undefined;
    const place = { previous: before.sequence, id: register.nonce, behind };
    const published = await this.#broker.publish(place, headers, payload);
    if (published.kind === "stored") return this.#stored(published.sequence, register, outgoing);
    if (published.kind === "conflict") return { kind: "conflict" };
    if (published.kind === "failed") throw this.#broker.failed(published.cause);
    return this.#settle(register, outgoing, published.cause);
  }

  /** A message that the leader of the stream hands out was acknowledged, or is as good. */
  async confirm(): Promise<void> {}

  /** What became of a publish that nobody acknowledged: whoever stands first behind `previous` has its place. */
  async #settle(register: Register, outgoing: Outgoing | undefined, cause: unknown): Promise<Replaced> {
    const { previous } = register.tag;
    let first: Found | undefined;
    try {
      first = await this.#broker.firstFrom(previous + 1);
    } catch {
      // The server says no more than before: what was lost first is what the caller is told.
      return { kind: "unconfirmed", cause };
    }
    if (first === undefined || typeof first.register === "string") return { kind: "unconfirmed", cause };
    if (first.register.nonce === register.nonce) return this.#stored(first.sequence, register, outgoing);
    // Unless one between the two was removed, the place is taken for good.
    return first.register.tag.previous === previous ? { kind: "conflict" } : { kind: "unconfirmed", cause };
  }

  #stored(sequence: number, register: Register, outgoing: Outgoing | undefined): Replaced {
    this.#left = { snapshot: snapshotOf(sequence, register), id: register.nonce };
    outgoing?.onStored(sequence);
    return { kind: "replaced" };
  }

  #sized(headers: HeaderPairs, payload: Uint8Array): void {
    const limit = this.#broker.longestMessageBytes;
    const bytes = headers.reduce((sum, pair) => sum + pair.join(": ").length + 2, 256) + payload.length;
    if (bytes <= limit) return;
    const message = `a message of "${this.#resource}" would have ${bytes} bytes, the server takes ${limit}; nothing was published`;
    throw createError("VALUE_TOO_LARGE", message);
  }
}

/** @throws GUARD_ROW_UNREADABLE */
export function readable(resource: string, { sequence, register }: Found): Register {
  if (typeof register !== "string") return register;
  const why =
    register === "foreign"
      ? "was published past the guard, and hides what fences the subject"
      : `is ${register}; it is left as it is`;
  throw createError(
    "GUARD_ROW_UNREADABLE",
    `the last message of "${resource}", sequence ${sequence}, ${why}`,
  );
}

function tagOf(previous: number, fencing: Fencing, outgoing: Outgoing | undefined): Tag {
  if (outgoing === undefined) return { kind: "marker", previous };
  const { fence } = outgoing;
  const { seq = 0, opId = "" } = rowOf(fencing, fence)?.last ?? {};
  return { kind: "message", previous, fence, seq, opId };
}

/** A message is published before its sequence is known, so its result is what whoever reads it adds. */
function snapshotOf(sequence: number, { fencing, tag }: Register): JetstreamSnapshot {
  const row = tag.kind === "message" ? rowOf(fencing, tag.fence) : undefined;
  if (tag.kind !== "message" || row === undefined) return { fencing, value: undefined, sequence };
  const { seq, opId, fence } = tag;
  const answer = { returned: true, result: JSON.stringify({ sequence }) };
  const window = row.window.map((entry) => (entry.seq === seq ? { ...entry, returned: true } : entry));
  const last = { seq, opId, result: answer.result };
  const operations = fencing.operations.map((known) => (known.opId === opId ? { opId, ...answer } : known));
  const filled = withRow({ ...fencing, operations }, fence, { ...row, window, last });
  return { fencing: filled, value: undefined, sequence };
}
