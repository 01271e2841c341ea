/**
 * A guard that stands at the far end of the lab's network. What comes from a process is a fence and a value; the guard
 * is called here, with late and repeated deliveries as the network brings them.
 *
 * One handle per term writes, however often its claim came. A body now and then takes its time, so that others come
 * in between what the guard checks and what it applies.
 */

import type { Attempt, Claimant, Fence, Sequence } from "../../fence/fence.js";
import { createSequence, windowSize } from "../../fence/sequence.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import { TenureError } from "../../errors/index.js";
import type { Dice } from "../dice.js";
import type { Count } from "../world/ledger.js";
import { type BodyCall, GuardRecord, type Settled, type Stamped, stampedOf } from "./guard-record.js";
import { shown } from "./plain.js";

export interface GuardHost {
  readonly nowMs: number;
  readonly dice: Dice;
  delay(ms: number): Promise<void>;
  breaks(why: string): void;
  /** A claim that was granted, a write that was acknowledged. */
  granted(what: "claimed" | "applied", fence: Fence): void;
}

interface Session {
  readonly handle: ValueHandle<unknown>;
  /** Of operations whose outcome the guard has doubted. */
  readonly attempts: Map<string, Attempt>;
  /** How many had been written under this fence when an operation first came. */
  readonly places: Map<string, number>;
}

export interface GuardWrite {
  readonly count: Count;
  /** From an error of this guard. */
  readonly attempt: Attempt | undefined;
}

/** What may have been applied is sent again only while the guard still has to know it. */
const memory = windowSize - 4;

export class HostedGuard {
  readonly record: GuardRecord;
  readonly #guard: Guard<ValueHandle<unknown>>;
  readonly #host: GuardHost;
  readonly #sessions = new Map<string, Session>();
  readonly #sequences = new Map<string, Sequence>();
  #stamps = 0;
  appliedCount = 0;
  failedCount = 0;
  lastFailure: unknown;

  constructor(guard: Guard<ValueHandle<unknown>>, host: GuardHost) {
    this.#guard = guard;
    this.#host = host;
    this.record = new GuardRecord(host);
  }

  async claim(fence: Fence, outpaced: (watermark: number) => void): Promise<void> {
    const began = this.record.point();
    const call = { fence, began, ended: undefined, settled: "unknown", code: undefined } as const;
    const claim: (typeof this.record.claims)[number] = { ...call };
    this.record.claims.push(claim);
    try {
      const handle = await this.#guard.claim(this.#claimantOf(fence, outpaced));
      this.#checkHandle(handle);
      claim.settled = "done";
      const key = keyOf(fence);
      if (!this.#sessions.has(key))
        this.#sessions.set(key, { handle, attempts: new Map(), places: new Map() });
      this.#host.granted("claimed", fence);
    } catch (cause) {
      claim.code = refusalOf(cause);
      if (claim.code !== undefined) claim.settled = "refused";
      else this.#failed(cause);
      throw cause;
    } finally {
      claim.ended = this.record.point();
    }
  }

  /** By somebody who must be refused: as after a store was put back, and has given out a token once more. */
  strayClaim(token: "same" | "lower"): Fence | undefined {
    const last = this.record.claims.findLast(({ settled }) => settled === "done");
    if (last === undefined || (token === "lower" && last.fence.token === 1)) return undefined;
    const fence = { ...last.fence, owner: "stranger", token: last.fence.token - (token === "same" ? 0 : 1) };
    // What it is answered is judged from the record.
    this.claim(fence, () => {}).catch(() => {});
    return fence;
  }

  async read(fence: Fence): Promise<Stamped> {
    const began = this.record.point();
    try {
      const saw = stampedOf(await this.#sessionOf(fence).handle.read());
      this.record.reads.push({ fence, began, ended: this.record.point(), saw });
      return saw;
    } catch (cause) {
      const code = refusalOf(cause);
      if (code === undefined) this.#failed(cause);
      else this.record.refusals.push({ fence, ended: this.record.point(), code });
      throw cause;
    }
  }

  async write(fence: Fence, { count, attempt }: GuardWrite): Promise<void> {
    const { opId } = count;
    const session = this.#sessionOf(fence);
    const place = session.places.get(opId);
    if (place === undefined) session.places.set(opId, session.places.size);
    else if (session.places.size - place > memory) return never();
    const bodies: BodyCall[] = [];
    const body = this.#bodyOf(fence, count, bodies);
    const known = attempt ?? session.attempts.get(opId);
    try {
      await session.handle.transaction(body, known === undefined ? { opId } : { attempt: known });
      session.attempts.delete(opId);
      this.#settle(bodies, "done");
      this.#checkMade(fence, opId);
      this.appliedCount += 1;
      this.#host.granted("applied", fence);
    } catch (cause) {
      const code = refusalOf(cause);
      if (TenureError.is(cause, "GUARD_UNCONFIRMED")) session.attempts.set(opId, cause.attempt);
      if (code === undefined) this.#failed(cause);
      else this.record.refusals.push({ fence, ended: this.record.point(), code });
      this.#settle(bodies, code === undefined ? "unknown" : "refused");
      throw cause;
    }
  }

  #settle(bodies: readonly BodyCall[], settled: Settled): void {
    const ended = this.record.point();
    for (const body of bodies) body.ended = ended;
    const last = bodies.at(-1);
    if (last === undefined) return;
    last.last = true;
    last.settled = settled;
  }

  /** What it answers as written must have been made, now or before. */
  #checkMade(fence: Fence, opId: string): void {
    const made = this.record.bodies.some((body) => body.opId === opId && keyOf(body.fence) === keyOf(fence));
    if (!made)
      this.#host.breaks(`createGuard: transaction ${opId} resolved, though its body was never called`);
  }

  #bodyOf(
    fence: Fence,
    { count, read, opId }: Count,
    bodies: BodyCall[],
  ): (transaction: { value: unknown }) => void | Promise<void> {
    const { dice } = this.#host;
    const lot = dice.fraction();
    const takesMs = lot < 0.05 ? dice.between(1_000, 6_000) : lot < 0.2 ? dice.between(0, 300) : 0;
    let since = this.record.point();
    const put = (transaction: { value: unknown }, stamp: string) => {
      transaction.value = { count, read, opId, stamp };
    };
    return (transaction) => {
      this.#stamps += 1;
      const stamp = `w${this.#stamps}`;
      const saw = stampedOf(transaction.value);
      const began = this.record.point();
      const body: BodyCall = {
        ...{ stamp, fence, opId, read, since, began, saw },
        ...{ last: false, ended: undefined, settled: "unknown" },
      };
      since = began;
      bodies.push(body);
      this.record.bodies.push(body);
      if (takesMs === 0) return put(transaction, stamp);
      return this.#host.delay(takesMs).then(() => put(transaction, stamp));
    };
  }

  /** Like a leadership: a guard may number its writes, and tells of a higher token. */
  #claimantOf(fence: Fence, outpaced: (watermark: number) => void): Claimant & Partial<Fence> {
    const key = keyOf(fence);
    const sequence = (resource: string): Sequence => {
      const name = `${key} ${resource}`;
      const known = this.#sequences.get(name) ?? createSequence(resource);
      this.#sequences.set(name, known);
      return known;
    };
    return { ...fence, fence, sequence, outpaced };
  }

  #sessionOf(fence: Fence): Session {
    const session = this.#sessions.get(keyOf(fence));
    if (session === undefined) throw new Error("nothing is written or read before a claim was granted");
    return session;
  }

  #checkHandle(handle: ValueHandle<unknown>): void {
    const { read, transaction } = (handle ?? {}) as Partial<ValueHandle<unknown>>;
    if (typeof read === "function" && typeof transaction === "function") return;
    this.#host.breaks(
      `createGuard: claim() answered ${shown(handle)}, which has no methods read and transaction`,
    );
    throw new Error("the claim gave no handle");
  }

  #failed(cause: unknown): void {
    this.failedCount += 1;
    this.lastFailure = cause;
  }
}

const refusals: ReadonlySet<unknown> = new Set([
  "STALE",
  "CONFLICT",
  "FOREIGN_LINEAGE",
  "CLAIM_MISSING",
  "SEQUENCE_REUSED",
  "ATTEMPT_TOO_OLD",
]);

/** Undefined for what is no refusal: then nobody knows what was done. */
export function refusalOf(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return refusals.has(code) ? (code as string) : undefined;
}

function keyOf({ token, owner }: Fence): string {
  return `${token} ${owner}`;
}

/** A delivery that a real network would have dropped long ago. */
async function never(): Promise<never> {
  return new Promise(() => {});
}
