/**
 * What the rules of docs/safety.md say about single writes, answers and events: judged in the instant they happen.
 *
 * A second opinion next to the audit of histories: it sees calls, which histories do not show.
 */

import type { HistoryLine } from "../../history/line.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Call, Stored, Version, Written } from "../../lease/store.js";
import type { Fault } from "../faults/fault.js";
import type { Process } from "../world/process.js";
import { msOf } from "../world/stamp.js";
import type { Count } from "../world/ledger.js";
import type { Entry } from "../world/store-account.js";
import type { Register } from "../world/register.js";
import type { Power } from "./power.js";
import { TermStory } from "./term-story.js";

export interface Court {
  readonly nowMs: number;
  readonly power: Power;
  readonly register: Register;
  readonly clonesExist: boolean;
  /** Why belief is not exclusive in this world; undefined where it is. */
  readonly advisory: string | undefined;
  readonly faults: readonly Fault[];
  breaks(why: string): void;
}

/** A release meets a request and a bid at most, and is tried three times. */
const mostReleases = 6;
/** What boot time can tell. */
const clockSlackMs = 12;
const definite: ReadonlySet<string> = new Set(["superseded", "store-lost", "duplicate-identity"]);

export function beliefMs({ facts, rate }: Process): number {
  return facts.ttlMs / 1.5 / rate;
}

/** In true time: a renewal and one more try. */
export function renewalMs({ facts, rate }: Process): number {
  return (facts.ttlMs / 6 + (facts.ttlMs * 2) / 15) / rate;
}

export class Law {
  readonly #court: Court;
  /** Takes that were answered "written". */
  readonly #answeredTakes = new Set<string>();
  /** Terms that somebody has bid for. */
  readonly #bidFor = new Set<string>();
  /** Nonces sent and not answered, with who sent them. */
  readonly #open = new Map<string, Process>();

  constructor(court: Court) {
    this.#court = court;
  }

  sent(process: Process, record: LeaseRecord, expected: Version | undefined, absence: Call["absence"]): void {
    this.#open.set(record.nonce, process);
    const { term } = process;
    const own = record.writer === record.instance;
    const { register } = this.#court;
    // Also what undoes a take: it stands on the same sight.
    if (own && process.seen.epoch !== register.epoch) register.account.blind.add(record.nonce);
    if (own && record.state !== "released") process.seen.sentAt = this.#court.nowMs;
    if (own && term !== undefined && term.instance === record.instance && term.token === record.token) {
      this.#sentOwn(process, term, record);
    } else if (own && record.state === "held") {
      this.#sentTake(process, record, expected === undefined ? absence : undefined);
    } else if (!own && record.bid?.instance === record.writer) {
      const { to } = record.request ?? {};
      if (to !== undefined && to !== process.facts.label)
        this.#fail(process, `bids for a request that names ${to}`);
    }
  }

  #sentOwn(process: Process, term: TermStory, { state, nonce, request, bid }: LeaseRecord): void {
    const { nowMs } = this.#court;
    const { lostAt } = term;
    term.lastSendAt = nowMs;
    term.open.add(nonce);
    if (term.releasedAt !== undefined)
      this.#fail(process, `writes "${state}" after it was done with its term`);
    if (state === "held") {
      if (lostAt !== undefined) this.#fail(process, `renews after its term ended: ${term.reason}`);
      return;
    }
    if (lostAt === undefined) {
      this.#fail(process, `writes "${state}" while it believes`);
      return;
    }
    if (state === "draining") {
      if (!term.wanted) this.#fail(process, `drains after an unwanted end: ${term.reason}`);
      const overrunMs = nowMs - lostAt - process.facts.drainMs / process.rate;
      // A host that stood still with its clocks has drained no longer than it thinks.
      if (overrunMs > 20 && this.#court.advisory === undefined)
        this.#fail(process, `renews its drain ${overrunMs} ms after the drain was over`);
      return;
    }
    if (process.unsettled.has(term.token)) this.#fail(process, `writes "${state}" while its work runs`);
    term.releases += 1;
    if (term.releases > mostReleases) this.#fail(process, "never stops to release");
    if (state === "offered" && request?.to !== undefined && request.to !== bid?.node)
      this.#fail(process, `offers to ${bid?.node}, though the request names ${request.to}`);
  }

  #sentTake(process: Process, { token, instance }: LeaseRecord, creates: Call["absence"] | undefined): void {
    const { seen } = process;
    const { register } = this.#court;
    // What came at this very instant came to a process that stood still until now, after what it does first.
    const { fromMs, endedAtMs } = seen.absentBefore;
    const absentAt = endedAtMs === this.#court.nowMs ? fromMs : seen.absentAt;
    process.absences.set(`${instance} ${token}`, absentAt);
    if (seen.highestOwner !== instance && seen.highestAt < this.#court.nowMs && token <= seen.highestToken)
      this.#fail(process, `takes with token ${token} after it has seen ${seen.highestToken}`);
    if (token < process.floor) this.#fail(process, `takes with token ${token} below its floor`);
    if (creates === "prove" && seen.presentAt < this.#court.nowMs)
      this.#fail(process, "asks for proof that what it has seen was never there");
    const waitedMs = this.#court.nowMs - absentAt;
    if (creates === "waited" && !(waitedMs >= register.maxTtlMs / process.rate - 10))
      this.#fail(process, `creates the record after ${Math.round(waitedMs)} ms of absence`);
    if (process.unsettled.size > 0) this.#fail(process, "stands again while its old work runs");
  }

  delivered(
    process: Process,
    answer: Stored | Written | undefined,
    written: LeaseRecord | undefined,
    sentAt: number,
    late: boolean,
  ): void {
    // What comes after the timeout, or after the term is done, is an answer to nobody's question.
    const { term } = process;
    const over = written?.instance === term?.instance && term?.releasedAt !== undefined;
    process.seen.answeredAt = this.#court.nowMs;
    if (answer === undefined) this.#absent(process);
    else if (!("kind" in answer)) this.#shown(process, answer, sentAt, late || over);
    else if (answer.kind === "written" && written !== undefined) {
      if (!late) process.seen.epoch = answer.epoch;
      this.#acknowledged(process, written, answer.version, sentAt);
    } else if (answer.kind === "conflict") {
      if (answer.current === undefined) this.#absent(process);
      else this.#shown(process, answer.current, sentAt, late || over);
    } else if (answer.kind === "unproven") {
      this.#court.power.count("unproven");
    }
  }

  #absent({ seen }: Process): void {
    const { nowMs } = this.#court;
    seen.absentAt = Math.min(seen.absentAt, nowMs);
    seen.heardAbsentAt = nowMs;
  }

  /** An answer to a question from before says nothing about now. */
  #present({ seen }: Process, sentAt: number): void {
    if (sentAt < seen.absentAt) return;
    const { nowMs } = this.#court;
    seen.absentBefore = { fromMs: seen.absentAt, endedAtMs: nowMs };
    // Of two answers that come in one instant, either may be heard last.
    seen.absentAt = seen.heardAbsentAt === nowMs ? nowMs : Number.POSITIVE_INFINITY;
  }

  #acknowledged(process: Process, record: LeaseRecord, version: Version, sentAt: number): void {
    const { register, power, nowMs } = this.#court;
    register.account.acknowledge(version);
    this.#open.delete(record.nonce);
    process.seen.presentAt = Math.min(process.seen.presentAt, nowMs);
    this.#present(process, sentAt);
    const { term } = process;
    if (term?.instance === record.instance && term.token === record.token) {
      term.open.delete(record.nonce);
      // What is confirmed after the deadline comes too late to go on from.
      if (nowMs < term.confirmedSendAt + beliefMs(process))
        term.confirmedSendAt = Math.max(term.confirmedSendAt, sentAt);
    } else if (record.writer === record.instance && record.state === "held") {
      this.#answeredTakes.add(`${record.instance} ${record.token}`);
      if (nowMs - sentAt >= beliefMs(process)) power.count("ghosts");
    }
  }

  #shown(process: Process, { body, version, epoch }: Stored, sentAt: number, late: boolean): void {
    const { register, nowMs, power } = this.#court;
    const { seen, term } = process;
    if (typeof body === "string") return;
    if (!late) {
      // Who has been elected since asks for no answer to a look from before.
      if (term === undefined || sentAt >= term.electedAt) seen.epoch = epoch;
      seen.presentAt = Math.min(seen.presentAt, nowMs);
      this.#present(process, sentAt);
    }
    if (!late && body.token > seen.highestToken) {
      seen.highestToken = body.token;
      seen.highestAt = nowMs;
      seen.highestOwner = body.instance;
    }
    if (this.#open.get(body.nonce) !== process) return;
    if (register.capabilities.readBackProves) register.account.acknowledge(version);
    this.#open.delete(body.nonce);
    if (term?.open.delete(body.nonce) === true) power.count("adopted-renewals");
  }

  executed(entry: Entry, fault: string | undefined): void {
    const { record, before, by } = entry;
    const { power } = this.#court;
    if (fault !== undefined) this.#court.breaks(`a write of ${by} ${fault}`);
    const old = before?.record;
    if (record.request !== undefined && old?.request?.id !== record.request.id) power.count("requests");
    if (record.bid !== undefined && old?.bid === undefined) {
      power.count("bids");
      this.#bidFor.add(`${record.instance} ${record.token}`);
    }
    if (record.state === "offered") power.count("offers");
    if (old?.state === "offered" && record.instance !== old.instance) {
      if (old.offeredTo === record.instance) power.count("offers-taken");
      else power.count("offers-lapsed");
    }
  }

  /** Keeps the story of each term; a muted twin has one too. */
  told(process: Process, line: HistoryLine): void {
    const at = this.#court.nowMs;
    const { term } = process;
    if (line.event === "elected" || line.event === "extended") this.#extended(process, msOf(line.until));
    if (line.event === "elected") {
      const untilAt = msOf(line.until);
      process.terms.push(new TermStory(line.token, line.instance, at, untilAt, untilAt - beliefMs(process)));
      if (!process.muted && !this.#answeredTakes.has(`${line.instance} ${line.token}`))
        this.#court.power.count("adopted-takes");
    } else if (term === undefined) return;
    else if (line.event === "extended") term.untilAt = msOf(line.until);
    else if (line.event === "uncertain") term.uncertain = true;
    else if (line.event === "confirmed") term.uncertain = false;
    else if (line.event === "released") term.releasedAt = at;
    else if (line.event === "lost") {
      term.lostAt = at;
      term.reason = line.reason;
      if (!process.muted) this.#lost(process, term);
    }
  }

  /** Rule 3: belief counts from a send, and from none later than the last. */
  #extended(process: Process, untilAt: number): void {
    if (process.muted || this.#court.advisory !== undefined) return;
    const pastMs = untilAt - process.seen.sentAt - beliefMs(process);
    if (pastMs > clockSlackMs)
      this.#fail(process, `believes for ${pastMs.toFixed(1)} ms longer than its last send allows`);
  }

  #lost(process: Process, { reason = "", instance, token }: TermStory): void {
    const { register, clonesExist, power } = this.#court;
    const { losses } = register.account;
    if (reason === "store-lost") power.count("store-lost");
    if (reason === "duplicate-identity") power.count("clones-detected");
    if (this.#court.advisory !== undefined) return;
    if (definite.has(reason) && !clonesExist && (losses.length === 0 || reason === "duplicate-identity"))
      this.#fail(process, `gave up its term for no reason: ${reason}`);
    const asked = this.#bidFor.has(`${instance} ${token}`);
    if (reason === "transferred" && !asked) this.#fail(process, "was transferred though nobody had bid");
  }

  /** A check has passed. */
  checked(process: Process): void {
    const { term } = process;
    const leftMs = (term?.untilAt ?? 0) - this.#court.nowMs;
    if (leftMs >= 0 && leftMs < beliefMs(process) / 20) this.#court.power.count("checks-in-last-5-percent");
  }

  /** Every write to the ledger builds on the one before it. */
  wrote({ read, opId }: Count, before: Count, fenced: boolean): void {
    if (read === before.count) return;
    this.#court.power.count("lost-updates");
    if (!fenced) return;
    this.#court.breaks(
      `lost update: write ${opId} was built on the count ${read}, and replaced ${before.count}, which write ${before.opId} had put there`,
    );
  }

  /** "Held" is said of one who showed life during the call. */
  toldHeld(visitor: Process, token: number, askedAt: number): void {
    const { register, power } = this.#court;
    power.count("held");
    const alive = register.account.log.some(
      ({ record, at }) => record.token === token && record.writer === record.instance && at >= askedAt,
    );
    // What is there again, or is there as it was before, looks like life.
    const isPutBack =
      this.#court.faults.some(({ verb, atMs }) => verb === "put-back" && atMs >= askedAt) ||
      register.account.losses.some(({ at }) => at >= askedAt);
    if (!alive && !isPutBack)
      this.#fail(visitor, `was told that ${token} leads, which showed no life since ${askedAt}`);
  }

  /** Emitted after belief has ended, never before. */
  heard(process: Process): void {
    const { leadership, term } = process;
    if (leadership === undefined || leadership.token !== term?.token) return;
    if (!leadership.signal.aborted) this.#fail(process, "says that it lost, and its signal is not aborted");
    if (leadership.isCurrent) this.#fail(process, "says that it lost, and believes");
  }

  /** Whoever leads, or drains, renews: that leaves room for two tries before the deadline. */
  watch(process: Process): void {
    const { term } = process;
    if (term === undefined || term.releasedAt !== undefined || process.halted || process.dead) return;
    const { nowMs } = this.#court;
    const { lostAt } = term;
    if (lostAt !== undefined) {
      const drains =
        term.wanted &&
        process.unsettled.has(term.token) &&
        nowMs < lostAt + process.facts.drainMs / process.rate - 50;
      // A drain ends without a word when the store has forgotten its lease, or shows that it is a clone's as well.
      const { losses } = this.#court.register.account;
      const forgotten = losses.some(({ lost }) => lost.some(({ record }) => record.token === term.token));
      const keeps = !forgotten && process.partedAt === undefined;
      // It is over early on a clock that jumped.
      if (process.jumpedAt >= term.electedAt) return;
      if (!drains || !keeps || nowMs >= term.confirmedSendAt + beliefMs(process)) return;
    }
    const since = Math.max(term.lastSendAt, process.resumedAt);
    if (nowMs - since > renewalMs(process) + 100)
      this.#fail(process, `has sent no renewal for ${Math.round(nowMs - since)} ms`);
  }

  #fail(process: Process, why: string): void {
    this.#court.breaks(`${process.name} ${why}`);
  }
}
