/**
 * How a proxy cuts the two streams of a connection into messages, so that "the next request" and "its reply" mean
 * something. For a protocol that it does not know, what arrives together is one message, and a reply belongs to the
 * request that passed last.
 */
import { readReply, requestEnd } from "./resp.js";

export interface Framing {
  /** Replies come in the order of the requests, one for each. */
  readonly ordered: boolean;
  /** The length of the first request in `bytes`, or undefined when bytes of it are missing. */
  request(bytes: Buffer): number | undefined;
  /** The same for a reply; `answers` is false for what the server sends unasked. */
  reply(bytes: Buffer): { readonly length: number; readonly answers: boolean } | undefined;
}

export const chunks: Framing = {
  ordered: false,
  request: (bytes) => bytes.length,
  reply: (bytes) => ({ length: bytes.length, answers: true }),
};

/** Redis. Pairs of request and reply hold for commands with one reply each, so not for a subscription. */
export const resp: Framing = {
  ordered: true,
  request: requestEnd,
  reply(bytes) {
    const read = readReply(bytes);
    return read && { length: read.end, answers: read.answers };
  },
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
