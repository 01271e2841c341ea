/**
 * How a proxy cuts the two streams of a connection into messages, so that "the next request" and "its reply" mean
 * something. For a protocol that it does not know, what arrives together is one message, and a reply belongs to the
 * request that passed last.
 */
import { readReply, requestEnd } from "./resp.js";

export interface Framing {
  /** Replies come in the order of the requests. */
  readonly ordered: boolean;
  /** A request means the same on another connection, so that it can be sent again there. */
  readonly isRepeatable: boolean;
  /** For one connection. */
  open(): Dialogue;
}

/** Both streams of one connection. Each method is asked again, with more bytes, when bytes were missing. */
export interface Dialogue {
  /** The first request in `bytes`. */
  request(bytes: Buffer): RequestCut | undefined;
  /** The first reply, or part of one, in `bytes`. */
  reply(bytes: Buffer): ReplyCut | undefined;
}

export interface RequestCut {
  readonly length: number;
  /** False when the server says nothing to it, as to a goodbye. */
  readonly isAnswered: boolean;
}

export interface ReplyCut {
  readonly length: number;
  /** It is known to be the first part of the answer to another request than the part before it. */
  readonly begins: boolean;
  /** How many of the open requests are answered with it: none by a part that is not the last, or sent unasked. */
  readonly ends: number;
}

export const chunks: Framing = {
  ordered: false,
  isRepeatable: true,
  open: () => ({
    request: (bytes) => ({ length: bytes.length, isAnswered: true }),
    reply: (bytes) => ({ length: bytes.length, begins: false, ends: 1 }),
  }),
};

/** Redis. Pairs of request and reply hold for commands with one reply each, so not for a subscription. */
export const resp: Framing = {
  ordered: true,
  isRepeatable: true,
  open: () => ({
    request(bytes) {
      const length = requestEnd(bytes);
      return length === undefined ? undefined : { length, isAnswered: true };
    },
    reply(bytes) {
      const read = readReply(bytes);
      return read && { length: read.end, begins: false, ends: read.answers ? 1 : 0 };
    },
  }),
};

/** The messages of one stream, as they become whole. */
export class Cutter<Message> {
  readonly #next: (bytes: Buffer) => { readonly length: number; readonly message: Message } | undefined;
  #received: Buffer = Buffer.alloc(0);

  constructor(next: (bytes: Buffer) => { readonly length: number; readonly message: Message } | undefined) {
    this.#next = next;
  }

  /** True while a message has begun and not ended. */
  get isInside(): boolean {
    return this.#received.length > 0;
  }

  *take(bytes: Buffer): Generator<Message> {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    while (this.#received.length > 0) {
      const found = this.#next(this.#received);
      if (found === undefined) return;
      this.#received = this.#received.subarray(found.length);
      yield found.message;
    }
  }
}

/** A message with its own bytes, for a `Cutter`. */
export function cutOff<Cut extends { readonly length: number }>(
  bytes: Buffer,
  cut: Cut | undefined,
): { readonly length: number; readonly message: Cut & { readonly bytes: Buffer } } | undefined {
  if (cut === undefined) return undefined;
  return { length: cut.length, message: { ...cut, bytes: Buffer.from(bytes.subarray(0, cut.length)) } };
}
