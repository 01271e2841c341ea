/**
 * One process's way to the store, where calls are refused, lost, late and delivered twice.
 *
 * What was sent is carried out whatever becomes of its sender; a stopped process reads no answer before it goes on,
 * a dead one never. The wire of a twin follows that of its original, call by call, until the two part.
 */

import type { LeaseRecord } from "../../src/lease/record.js";
import type { Call, Store, Stored, Version, Written } from "../../src/lease/store.js";
import type { Order } from "./register.js";
import { maxTtlMs } from "./temper.js";

export type Fate =
  | { readonly kind: "normal"; readonly afterMs: number }
  | { readonly kind: "refused" | "lost-call" | "lost-reply" }
  /** `resent`: the first answer is lost, and the one to the second delivery counts. */
  | { readonly kind: "late-reply" | "late-execution" | "twice" | "resent"; readonly byMs: number };

/** What a wire needs of the world around it. */
export interface Roadway {
  fate(write: boolean): Fate;
  /** Resolves after that much true time, or when all faults end. */
  delay(ms: number): Promise<void>;
  read(): Promise<Stored | undefined>;
  write(order: Omit<Order, "by" | "sentAt">, sentAt: number): Promise<Written>;
  now(): number;
  readonly provesAbsence: boolean;
  readonly storeClock: boolean;
  /** Resolves when the process can read an answer; never for a dead one. */
  awake(): Promise<void>;
  /** The twin does not do what its original does: the world is broken, not the lease. */
  diverged(call: number): void;
  sent(record: LeaseRecord, expected: Version | undefined, absence: Call["absence"]): void;
  delivered(
    answer: Stored | Written | undefined,
    written: LeaseRecord | undefined,
    sentAt: number,
    /** Its caller has given up. */
    late: boolean,
  ): void;
}

interface Followed {
  readonly answer: Promise<unknown>;
  readonly settle: (answer: Promise<unknown>) => void;
}

export class Wire {
  readonly #roadway: Roadway;
  readonly #leader: Wire | undefined;
  readonly #calls: Followed[] = [];
  readonly #nonces: (string | undefined)[] = [];
  #wakes: { readonly wake: () => void; readonly signal: AbortSignal }[] = [];
  #follower: Wire | undefined;
  #following: boolean;
  #count = 0;

  constructor(roadway: Roadway, leader?: Wire) {
    this.#roadway = roadway;
    this.#leader = leader;
    this.#following = leader !== undefined;
    if (leader !== undefined) leader.#follower = this;
  }

  /** The twin goes its own way: what was under way is answered to the original alone. */
  part(): void {
    this.#following = false;
    if (this.#leader !== undefined) this.#leader.#follower = undefined;
  }

  /** A hint from the store. */
  hint(): void {
    this.#wakes = this.#wakes.filter(({ signal }) => !signal.aborted);
    for (const { wake } of this.#wakes) wake();
    this.#follower?.hint();
  }

  store(): Store {
    return {
      kind: "swarm",
      scope: "network",
      capabilities: {
        provesAbsence: this.#roadway.provesAbsence,
        storeClock: this.#roadway.storeClock,
        readBackProves: true,
        notifies: true,
      },
      maxTtlMs,
      read: (_key, call) => this.#call(undefined, call, async () => this.#roadway.read()),
      write: (_key, record, expected, call) => {
        const { absence, takeover } = call;
        const sentAt = this.#roadway.now();
        if (!this.#following) this.#roadway.sent(record, expected, absence);
        return this.#call(record, call, async () =>
          this.#roadway.write({ record, expected, absence, takeover }, sentAt),
        );
      },
      watch: (_keys, wake, signal) => void this.#wakes.push({ wake: () => wake("default/job"), signal }),
      async [Symbol.asyncDispose]() {},
    };
  }

  #call<T extends Stored | Written | undefined>(
    record: LeaseRecord | undefined,
    call: Call,
    perform: () => Promise<T>,
  ): Promise<T> {
    const index = this.#count;
    this.#count += 1;
    if (this.#following) return this.#follow<T>(index, record);
    const sentAt = this.#roadway.now();
    const answer = this.#arrive(this.#meet(record !== undefined, perform), (result) => {
      const late = call.signal.aborted;
      if (record !== undefined || !late) this.#roadway.delivered(result, record, sentAt, late);
    });
    if (this.#follower !== undefined) {
      this.#nonces[index] = record?.nonce;
      this.#followed(index).settle(answer);
    }
    return answer;
  }

  async #meet<T>(write: boolean, perform: () => Promise<T>): Promise<T> {
    const fate = this.#roadway.fate(write);
    switch (fate.kind) {
      case "normal":
        await this.#roadway.delay(fate.afterMs);
        break;
      case "refused":
        await this.#roadway.delay(1);
        throw new Error("connection refused");
      case "lost-call":
        return never();
      case "lost-reply":
        await perform();
        return never();
      case "late-reply": {
        const answer = await perform();
        await this.#roadway.delay(fate.byMs);
        return answer;
      }
      case "twice":
        void this.#roadway.delay(fate.byMs).then(perform);
        return perform();
      case "resent":
        await perform();
        await this.#roadway.delay(fate.byMs);
        break;
      case "late-execution":
        await this.#roadway.delay(fate.byMs);
    }
    return perform();
  }

  async #arrive<T>(answer: Promise<T>, onArrival: (answer: T) => void): Promise<T> {
    const [settled] = await Promise.allSettled([answer]);
    await this.#roadway.awake();
    if (settled.status === "rejected") throw settled.reason;
    onArrival(settled.value);
    return settled.value;
  }

  #followed(index: number): Followed {
    const known = this.#calls[index];
    if (known !== undefined) return known;
    let settle: (answer: Promise<unknown>) => void = () => {};
    const answer = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    const followed: Followed = { answer, settle };
    // Rejections are the business of those who made the call.
    answer.catch(() => {});
    this.#calls[index] = followed;
    return followed;
  }

  async #follow<T>(index: number, record: LeaseRecord | undefined): Promise<T> {
    const leader = this.#leader;
    if (leader === undefined) throw new Error("nothing to follow");
    if (leader.#nonces[index] !== record?.nonce) this.#roadway.diverged(index);
    const [settled] = await Promise.allSettled([leader.#followed(index).answer]);
    if (!this.#following) return never();
    if (settled.status === "rejected") throw settled.reason;
    return settled.value as T;
  }
}

async function never(): Promise<never> {
  return new Promise(() => {});
}
