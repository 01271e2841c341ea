/**
 * What guards promise of single operations: applied once, answered truly, refused for a reason, and a refusal told.
 */

import type { Fault } from "../faults/fault.js";
import { type Operation, rememberedCount } from "../world/errands.js";
import type { Process } from "../world/process.js";

interface Court {
  readonly nowMs: number;
  readonly clonesExist: boolean;
  readonly faults: readonly Fault[];
  readonly register: { readonly account: { readonly losses: readonly unknown[] } };
  breaks(why: string): void;
}

interface Applied {
  readonly result: number;
  readonly at: number;
}

/** A resource that has lost claims, and what it has known since. */
interface Forgotten {
  readonly at: number;
  readonly known: Set<number>;
}

interface Outpaced {
  readonly process: Process;
  readonly token: number;
  readonly at: number;
}

/** No resource of a world forgets a claim, and nobody numbers by himself. */
const neverRefused: ReadonlySet<string> = new Set(["CLAIM_MISSING", "FOREIGN_LINEAGE"]);
/** Only of the images of one process, and where a network delivers twice. */
const ofClones: ReadonlySet<string> = new Set([
  "SEQUENCE_REUSED",
  "SEQUENCE_GAP",
  "ATTEMPT_TOO_OLD",
  "ATTEMPT_PENDING",
  "ATTEMPT_APPLIED",
]);
/** A second delivery conflicts with the first: then nobody can tell that it was applied. */
function answersTwice(fault: Fault): boolean {
  return fault.verb === "fate" && fault.call === "ledger-write" && fault.fate.kind === "resent";
}

/** Between being told and hearing of the refusal. */
const refusalMs = 5_000;

export class Guarding {
  readonly #court: Court;
  /** Results by resource and operation. */
  readonly #applied = new Map<string, Applied>();
  readonly #forgotten = new Map<string, Forgotten>();
  /** Of the resources that are claimed together. */
  #highestClaimed = 0;
  /** Tokens that a resource, or an operator, has found too low. */
  readonly #refused = new Set<number>();
  #outpaced: Outpaced[] = [];

  constructor(court: Court) {
    this.#court = court;
  }

  applied(resource: string, opId: string, result: number): void {
    const operation = `${resource} ${opId}`;
    const before = this.#applied.get(operation)?.result;
    // Each operation adds one, and the resource knows again so many of them.
    const known = before !== undefined && result - before <= rememberedCount;
    if (known && !this.#forgotten.has(resource))
      this.#court.breaks(`operation ${opId} was applied twice to ${resource}`);
    this.#applied.set(operation, { result, at: this.#court.nowMs });
  }

  /** What it knows from then on is this watermark, and who claims. */
  forgot(resource: string, watermark: number): void {
    this.#forgotten.set(resource, { at: this.#court.nowMs, known: new Set([watermark]) });
  }

  claimed(resource: string, token: number): void {
    this.#highestClaimed = Math.max(this.#highestClaimed, token);
    this.#forgotten.get(resource)?.known.add(token);
  }

  /** A read was answered that was sent then. */
  served({ name }: Process, resource: string, token: number, askedAt: number): void {
    const forgotten = this.#forgotten.get(resource);
    if (forgotten !== undefined && askedAt >= forgotten.at && !forgotten.known.has(token))
      this.#court.breaks(`${name} is served by ${resource}, which does not know its claim`);
  }

  acknowledged(process: Process, { resource, opId, result, token }: Operation): void {
    const { at = 0, result: known } = this.#applied.get(`${resource} ${opId}`) ?? {};
    const forgotten = this.#forgotten.get(resource);
    if (forgotten !== undefined) {
      if (at > forgotten.at && !forgotten.known.has(token))
        this.#court.breaks(`${process.name} writes to ${resource}, which does not know its claim`);
      return;
    }
    if (known === undefined)
      this.#court.breaks(
        `${process.name} was told that ${resource} has its operation ${opId}, and it has not`,
      );
    else if (known !== result)
      this.#court.breaks(`${process.name} was answered ${result} for operation ${opId}, which gave ${known}`);
  }

  /** Claims are made in one order, so that two leaders that overlap do not hold one resource each. */
  claimedInTurn(resource: string, token: number, watermarkBefore: number): void {
    if (watermarkBefore < token && this.#forgotten.size === 0)
      this.#court.breaks(`${resource} is claimed with token ${token} before the one that comes first`);
  }

  began(process: Process, token: number, watermarks: readonly number[]): void {
    if (Math.min(...watermarks) < token && this.#forgotten.size === 0)
      this.#court.breaks(`${process.name} begins its work before all of its claims were made`);
  }

  refused(process: Process, token: number, code: string, isCurrent: boolean): void {
    const { clonesExist, register } = this.#court;
    this.#refused.add(token);
    const lost = register.account.losses.length > 0;
    if (this.#forgotten.size > 0) return;
    const unheard =
      neverRefused.has(code) ||
      (ofClones.has(code) && !clonesExist && !this.#court.faults.some(answersTwice)) ||
      (code === "CONFLICT" && !clonesExist && !lost);
    if (unheard)
      this.#court.breaks(`${process.name} is refused with token ${token}, and nothing explains it: ${code}`);
    if (isCurrent && (code === "STALE" || code === "CONFLICT"))
      this.#court.breaks(`${process.name} goes on in a term in which it can write nothing: ${code}`);
  }

  /** Somebody says that this token is too low. */
  outpaces(token: number): void {
    this.#refused.add(token);
  }

  lost(process: Process, token: number, reason: string): void {
    // Also by a claim that was given up before its refusal came: then the work hears of none.
    if (reason === "outpaced" && token >= this.#highestClaimed)
      this.#outpaced.push({ process, token, at: this.#court.nowMs });
  }

  watch(): void {
    if (this.#outpaced.length === 0) return;
    this.#outpaced = this.#outpaced.filter(({ process, token, at }) => {
      if (this.#refused.has(token) || process.dead || process.halted || process.resumedAt >= at) return false;
      if (this.#court.nowMs < at + refusalMs) return true;
      this.#court.breaks(`${process.name} was outpaced in term ${token}, which nobody had refused`);
      return false;
    });
  }
}
