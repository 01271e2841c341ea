/**
 * Numbered operations of a leader on two more resources, claimed together before the work begins.
 *
 * What the ledger does not ask for: writes whose outcome is unknown are settled later, by number within the term and
 * by name in the next one; work fails in the middle of a write; a resource is claimed again while it is in use.
 */

import type { Clock } from "../../base/clock.js";
import { TenureError } from "../../errors/index.js";
import { type FencedTerm, fencesOn } from "../../fence/claims.js";
import type { Attempt } from "../../fence/fence.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import type { Dice } from "../dice.js";
import type { Count } from "./ledger.js";

export type ErrandGuard = Guard<ValueHandle<Count>>;

/** An operation whose outcome its process does not know. */
export interface Doubt {
  readonly resource: string;
  readonly opId: string;
  /** Of this term; without it the operation is known by its name alone. */
  readonly attempt?: Attempt;
}

/** One that was answered. */
export interface Operation {
  readonly resource: string;
  readonly opId: string;
  readonly result: number;
  /** Of the term that was answered. */
  readonly token: number;
}

export interface ErrandWorld {
  readonly term: FencedTerm;
  readonly clock: Clock;
  readonly dice: Dice;
  /** By resource, in the order in which they must be claimed. */
  readonly guards: readonly [ErrandGuard, ErrandGuard];
  /** Each write only after the one before it. */
  readonly strict: boolean;
  readonly everyMs: number;
  /** What this process has left open, over all of its terms. */
  readonly doubts: Doubt[];
  readonly opId: () => string;
  /** All claims were made. */
  readonly began: () => void;
  readonly acknowledged: (resource: string, opId: string, result: number) => void;
  /** A read was answered that was sent then, in true time. */
  readonly served: (resource: string, askedAt: number) => void;
  readonly nowMs: () => number;
  readonly refused: (code: string) => void;
  readonly failed: (cause: unknown) => void;
}

/** Operations that each resource knows again, whichever term they were of. */
export const rememberedCount = 200;
const bodyFailed = "the body of a write failed";
/** After half of the term, and some. */
const graceMs = 100;

export class Errands {
  readonly #world: ErrandWorld;
  readonly #wanted: () => boolean;
  /** Resolves when all has settled. Never rejects. */
  readonly over: Promise<void>;
  #wake: () => void = () => {};

  constructor(world: ErrandWorld, wanted: () => boolean) {
    this.#world = world;
    this.#wanted = wanted;
    this.over = this.#run();
  }

  stop(): void {
    this.#wake();
  }

  async #run(): Promise<void> {
    const { clock, guards, refused, failed } = this.#world;
    const [first, second] = guards;
    let claiming = true;
    const limit = clock.setTimer(this.#world.term.remainingMs() / 2 + graceMs, () => {
      if (claiming) failed(new Error("claims are waited for beyond their limit"));
    });
    const settled = () => {
      claiming = false;
      limit.cancel();
    };
    const work = fencesOn(
      clock,
      { second, first },
      async (handles) => {
        settled();
        this.#world.began();
        await this.#go([handles.first, handles.second]);
      },
      {},
    );
    try {
      await work(this.#world.term);
    } catch (cause) {
      if (TenureError.is(cause) && !giveUps.has(cause.code)) refused(cause.code);
      else if (!TenureError.is(cause)) failed(cause);
    } finally {
      settled();
    }
  }

  async #go(handles: readonly [ValueHandle<Count>, ValueHandle<Count>]): Promise<void> {
    const { dice, everyMs, doubts, opId } = this.#world;
    for (;;) {
      await this.#pause(everyMs);
      if (!this.#wanted()) return;
      const handle = dice.pick(handles);
      const { resource } = handle;
      if (dice.happens(0.2)) await this.#read(handle);
      if (dice.happens(0.05)) await this.#overreach(resource);
      const open = doubts.find((doubt) => doubt.resource === resource);
      // Under strict order nothing else may be written before it is settled.
      const settles = open !== undefined && (this.#world.strict || dice.happens(0.5));
      await this.#write(handle, settles ? open : { resource, opId: opId() }, !settles && dice.happens(0.1));
    }
  }

  async #read(handle: ValueHandle<Count>): Promise<void> {
    const askedAt = this.#world.nowMs();
    try {
      await handle.read();
      this.#world.served(handle.resource, askedAt);
    } catch (cause) {
      silently(cause);
    }
  }

  /** A fence that none of ours would show. */
  async #overreach(resource: string): Promise<void> {
    const guard = this.#world.guards.find((one) => one.resource === resource);
    const { fence } = this.#world.term;
    try {
      await guard?.claim({ fence: { ...fence, token: 2 ** 52 + 2, owner: "stranger" } });
      this.#world.failed(new Error(`${resource} accepts a token that none may have`));
    } catch (cause) {
      if (!TenureError.is(cause, "INVALID_OPTION")) silently(cause);
    }
  }

  async #write(handle: ValueHandle<Count>, wanted: Doubt, fails: boolean): Promise<void> {
    const { resource, opId, attempt } = wanted;
    const { doubts, strict, acknowledged, guards, dice } = this.#world;
    // An attempt of an earlier term is known by its name.
    const own = attempt !== undefined && attempt.resource === resource && this.#isOwn(attempt);
    try {
      const result = await handle.transaction(
        (transaction) => {
          if (fails) throw new Error(bodyFailed);
          const { count } = transaction.value;
          transaction.value = { count: count + 1, read: count, opId };
          return count + 1;
        },
        own ? { attempt } : { opId },
      );
      acknowledged(resource, opId, result);
      forget(doubts, wanted);
    } catch (cause) {
      if (TenureError.is(cause, "GUARD_UNCONFIRMED")) {
        forget(doubts, wanted);
        this.#own.add(cause.attempt);
        doubts.push({ resource, opId, attempt: cause.attempt });
        const again = dice.happens(0.4) ? guards.find((guard) => guard.resource === resource) : undefined;
        await again?.claim(this.#world.term).catch(silently);
      } else if (TenureError.is(cause, "ATTEMPT_APPLIED") && !strict) {
        // Others have followed, and its result is not kept.
        forget(doubts, wanted);
      } else if (!(cause instanceof Error && cause.message === bodyFailed)) silently(cause);
    }
  }

  readonly #own = new Set<Attempt>();

  #isOwn(attempt: Attempt): boolean {
    return this.#own.has(attempt);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#world.clock.setTimer(ms, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}

/** The term has ended, or its resources did not answer: nothing was refused. */
const giveUps: ReadonlySet<string> = new Set(["CLAIM_TIMEOUT", "LEADERSHIP_LOST", "GUARD_CONTENDED"]);

function forget(doubts: Doubt[], { resource, opId }: Doubt): void {
  const place = doubts.findIndex((doubt) => doubt.resource === resource && doubt.opId === opId);
  if (place >= 0) doubts.splice(place, 1);
}

/** A resource that does not answer is asked again later. */
function silently(cause: unknown): void {
  if (!TenureError.is(cause, "GUARD_FAILED") && !TenureError.is(cause, "CLAIM_UNCONFIRMED")) throw cause;
}
