/** What the body of a transaction has read and wants to change, until it is sent. */

import { duration, optionError } from "../../base/options.js";
import type { Argument } from "../../redis/connection.js";
import { checkKey } from "./resource.js";
import { lookAt, type Sending } from "./sending.js";

/** What the body of a transaction works on. */
export interface RedisTransaction {
  /** The text under `key`, as this transaction has left it; null where there is none. */
  get(key: string): Promise<string | null>;
  /**
   * Replaces whatever is there, as text or bytes. `ttlMs`: how long it stays, 1 to 2^53 - 1; for ever when left out.
   */
  set(key: string, value: string | Uint8Array, options?: { readonly ttlMs?: number }): void;
  delete(key: string): void;
}

export type Body<R> = (transaction: RedisTransaction) => R | Promise<R>;

interface Change {
  /** Null: the key is deleted. */
  readonly value: Argument | null;
  readonly ttl: string;
}

export class Draft implements RedisTransaction {
  readonly #sending: Sending;
  readonly #changes = new Map<string, Change>();
  #stamp: string | undefined;
  /** What was read is of two moments. */
  #moved = false;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** Of the first reading; '' where nothing was read. */
  get stamp(): string {
    return this.#stamp ?? "";
  }

  get keys(): readonly string[] {
    return [...this.#changes.keys()];
  }

  get args(): readonly Argument[] {
    return [...this.#changes.values()].flatMap(({ value, ttl }) =>
      value === null ? ["delete", "", ""] : ["set", value, ttl],
    );
  }

  /** "moved": it has to be begun anew. Throws what `body` throws, unless that may come of readings of two moments. */
  async write<R>(body: Body<R>): Promise<{ readonly result: R } | "moved"> {
    try {
      const result = await body(this);
      return this.#moved ? "moved" : { result };
    } catch (cause) {
      if (this.#moved) return "moved";
      throw cause;
    }
  }

  async get(key: string): Promise<string | null> {
    checkKey(this.#sending.site.options, key);
    const changed = this.#changes.get(key);
    if (changed !== undefined) return changed.value === null ? null : String(changed.value);
    const { stamp, values } = await lookAt(this.#sending, [key]);
    this.#stamp ??= stamp;
    if (this.#stamp !== stamp) this.#moved = true;
    return values[0] ?? null;
  }

  set(key: string, value: string | Uint8Array, { ttlMs }: { readonly ttlMs?: number } = {}): void {
    checkKey(this.#sending.site.options, key);
    const ttl = ttlMs === undefined ? "" : String(duration("ttlMs", ttlMs, 1, Number.MAX_SAFE_INTEGER));
    this.#changes.set(key, { value: argument(value), ttl });
  }

  delete(key: string): void {
    checkKey(this.#sending.site.options, key);
    this.#changes.set(key, { value: null, ttl: "" });
  }
}

/** A copy: what the caller does with its bytes afterwards is its own business. */
function argument(value: unknown): Argument {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value);
  throw optionError("value", value, "a string or bytes");
}
