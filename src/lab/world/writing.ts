/**
 * The work of a leader: it claims the ledger, reads it once, and goes on from there in its own memory.
 *
 * So a write that lands unseen in between is a lost update. It asks `check()` before each write, as work should;
 * stubborn work does not, and writes on after its term: then the token alone stands between it and the data.
 */

import type { Clock } from "../../base/clock.js";
import { TenureError } from "../../errors/index.js";
import type { Attempt, Claimant } from "../../fence/fence.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import { Errands, type ErrandWorld } from "./errands.js";
import type { Count } from "./ledger.js";

export interface Writes {
  readonly clock: Clock;
  readonly guard: Guard<ValueHandle<Count>>;
  readonly everyMs: number;
  /** Whether this term may still act, as its leadership says now. */
  readonly passes: () => boolean;
  /** Does not ask. */
  readonly stubborn: boolean;
  readonly opId: () => string;
  readonly refused: (code: string) => void;
  readonly errands?: ErrandWorld | undefined;
  /** With what nobody expects. */
  readonly failed: (cause: unknown) => void;
}

const refusals: ReadonlySet<string> = new Set([
  "STALE",
  "CONFLICT",
  "FOREIGN_LINEAGE",
  "CLAIM_MISSING",
  "LEADERSHIP_LOST",
  // Of two images of one process, the one that comes second.
  "SEQUENCE_REUSED",
  "ATTEMPT_TOO_OLD",
]);
/** Before the resource is asked again after it gave no answer. */
const patienceMs = 500;

export class Writing {
  readonly #claimant: Claimant;
  readonly #writes: Writes;
  readonly #errands: Errands | undefined;
  /** Resolves when the work has settled. Never rejects. */
  readonly over: Promise<void>;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(claimant: Claimant, writes: Writes) {
    this.#claimant = claimant;
    this.#writes = writes;
    const { errands } = writes;
    this.#errands = errands && new Errands(errands, () => this.#wanted);
    this.over = Promise.all([this.#untilRefused(), this.#errands?.over]).then(() => {});
  }

  /** What is under way is waited for. */
  stop(): void {
    this.#stopped = true;
    this.#errands?.stop();
    this.#wake();
  }

  get #wanted(): boolean {
    return !this.#stopped && (this.#writes.stubborn || this.#writes.passes());
  }

  async #untilRefused(): Promise<void> {
    try {
      await this.#write();
    } catch (cause) {
      if (TenureError.is(cause) && refusals.has(cause.code)) this.#writes.refused(cause.code);
      else this.#writes.failed(cause);
    }
  }

  async #write(): Promise<void> {
    const { guard, everyMs, opId } = this.#writes;
    const handle = await this.#untilAnswered(() => guard.claim(this.#claimant));
    const read = handle && (await this.#untilAnswered(() => handle.read()));
    if (handle === undefined || read === undefined) return;
    let { count } = read;
    let unsettled: Attempt | undefined;
    for (;;) {
      await this.#pause(everyMs);
      if (!this.#wanted) return;
      const next = { count: count + 1, read: count, opId: unsettled?.opId ?? opId() };
      try {
        await put(handle, next, unsettled);
        unsettled = undefined;
        count = next.count;
      } catch (cause) {
        if (TenureError.is(cause, "GUARD_UNCONFIRMED")) unsettled = cause.attempt;
        else if (!isSilence(cause)) throw cause;
      }
    }
  }

  /** Undefined when the work is not wanted any more. */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    while (this.#wanted) {
      try {
        return await ask();
      } catch (cause) {
        if (!isSilence(cause)) throw cause;
      }
      await this.#pause(patienceMs);
    }
    return undefined;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#writes.clock.setTimer(ms, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
      if (this.#stopped) this.#wake();
    });
  }
}

function put(handle: ValueHandle<Count>, count: Count, again: Attempt | undefined): Promise<void> {
  return handle.transaction(
    (transaction) => {
      transaction.value = count;
    },
    again === undefined ? { opId: count.opId } : { attempt: again },
  );
}

function isSilence(cause: unknown): boolean {
  return TenureError.is(cause, "GUARD_FAILED") || TenureError.is(cause, "CLAIM_UNCONFIRMED");
}
