/**
 * How candidates behave towards each other: pauses between terms (rule 9), nobody in step with others (rule 11),
 * takes that came too late are given back (rule 12), and what later releases wrote is kept (rule 13).
 *
 * No history shows these: a store full of impatient or forgetful candidates keeps every promise, and is slow.
 */

import { TenureError } from "../../errors/index.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Stored, Version, Written } from "../../lease/store.js";
import type { Process } from "../world/process.js";
import type { Fault } from "../faults/fault.js";
import type { Entry } from "../world/store-account.js";
import type { Register } from "../world/register.js";
import { beliefMs } from "./law.js";
import type { TermStory } from "./term-story.js";

interface Court {
  readonly nowMs: number;
  readonly register: Register;
  readonly clonesExist: boolean;
  readonly faults: readonly Fault[];
  breaks(why: string): void;
}

/** Takes of an instance whose answers came too late for it to lead. */
interface Ghost {
  readonly process: Process;
  readonly instance: string;
  /** By then it has been given back, or tried to. */
  readonly dueAt: number;
}

interface OpenTake {
  readonly process: Process;
  /** What it knew of the store when it was sent is from then, or later. */
  readonly askedAt: number;
  readonly instance: string;
  readonly expected: Version | undefined;
}

/** A write that is under way, and its answer, come first. */
const undoMs = 5_000;
/** From so many short terms in a row on the pause is long enough to be told from a short one. */
const shortTermCount = 3;
/** So many in one world do not fall together by chance. */
const coincidences = 6;
const slackMs = 20;

export class Conduct {
  readonly #court: Court;
  #ghosts: Ghost[] = [];
  /** Instances of which something is on its way that would give back what they took. */
  readonly #undone = new Set<string>();
  /** The last take that was sent as each instance. */
  readonly #takes = new Map<string, { readonly process: Process; readonly nonce: string }>();
  /** As whom a process has tried to take last. */
  readonly #lastTake = new Map<Process, string>();
  /** When an instance was first told that its take is in force. */
  readonly #told = new Map<string, number>();
  /** When it last asked the store for what it was answered. */
  readonly #asked = new Map<Process, number>();
  /** Takes without an answer, by nonce. */
  readonly #open = new Map<string, OpenTake>();
  readonly #stopped = new Set<Process>();
  /** First renewals of terms, as shares of the usual pause. */
  readonly #shares: number[] = [];
  /** How long after a lease had run out it was taken first, by instance: each of them waits for a time of its own. */
  readonly #delaysMs = new Map<string, number>();

  constructor(court: Court) {
    this.#court = court;
  }

  sent(process: Process, record: LeaseRecord, expected: Version | undefined): void {
    const { instance, writer, state, nonce, token } = record;
    if (writer !== instance) return;
    const { term } = process;
    if (term?.instance === instance && term.token === token) {
      if (state === "held") this.#renewed(process, term);
      else if (state === "draining" && !process.unsettled.has(token)) this.#drains(process, term);
    } else if (state === "held") {
      // What came at this very instant came to a process that stood still until now, after what it does first.
      const toldAt = this.#told.get(instance);
      if (toldAt !== undefined && toldAt < this.#court.nowMs && !this.#court.clonesExist)
        this.#court.breaks(`${process.name} takes once more, as ${instance}, what it was told is its own`);
      this.#takes.set(instance, { process, nonce });
      this.#lastTake.set(process, instance);
      this.#open.set(nonce, { process, askedAt: this.#asked.get(process) ?? 0, instance, expected });
      this.#stands(process, term);
    } else this.#undone.add(instance);
  }

  /** Rule 11: a take of what was observed for its whole ttl, and for so much longer. */
  tookOver(instance: string, delayMs: number): void {
    if (this.#delaysMs.has(instance)) return;
    this.#delaysMs.set(instance, delayMs);
    const delays = [...this.#delaysMs.values()];
    // The short names of instances here differ little, and so do their delays.
    if (delays.length === coincidences && Math.max(...delays) - Math.min(...delays) < 1)
      this.#court.breaks("all take over in step: nothing spreads them");
  }

  received(
    process: Process,
    answer: Stored | Written | undefined,
    written: LeaseRecord | undefined,
    sentAt: number,
    late: boolean,
  ): void {
    this.#asked.set(process, sentAt);
    if (answer === undefined) return;
    if (!("kind" in answer)) this.#looked(process, answer, sentAt);
    if (written === undefined || !("kind" in answer)) return;
    if (answer.kind === "conflict" && isOthers(answer.current, written.instance))
      this.#told.delete(written.instance);
    // Nobody asks any more for what comes too late, or to one that has stood still: its timeouts come first.
    if (answer.kind === "conflict" && !late && process.resumedAt < this.#court.nowMs)
      this.#found(written, answer.current);
    if (!this.#open.delete(written.nonce) || answer.kind !== "written") return;
    const { nowMs } = this.#court;
    // After another one was sent this is no answer to it.
    if (this.#takes.get(written.instance)?.nonce !== written.nonce) return;
    this.#tell(written.instance);
    if (nowMs - sentAt < beliefMs(process)) return;
    this.#ghosts.push({ process, instance: written.instance, dueAt: nowMs + undoMs });
  }

  #tell(instance: string): void {
    if (!this.#told.has(instance)) this.#told.set(instance, this.#court.nowMs);
  }

  /** What somebody else has taken since may be taken anew. */
  #looked(process: Process, current: Stored, sentAt: number): void {
    const instance = this.#lastTake.get(process);
    const toldAt = instance === undefined ? undefined : this.#told.get(instance);
    if (instance === undefined || toldAt === undefined || toldAt > sentAt) return;
    if (isOthers(current, instance)) this.#told.delete(instance);
  }

  /** Rule 4: the answer to the last take shows an earlier one of the same version, which is in force then. */
  #found({ instance, nonce }: LeaseRecord, current: Stored | undefined): void {
    if (current === undefined || typeof current.body === "string") return;
    const asked = this.#open.get(nonce);
    const shown = this.#open.get(current.body.nonce);
    if (asked === undefined || shown?.instance !== instance || shown.expected !== asked.expected) return;
    if (this.#takes.get(instance)?.nonce !== nonce) return;
    if (this.#court.register.capabilities.readBackProves) this.#tell(instance);
  }

  /** Rule 13: a renewal keeps what its holder does not know. */
  executed({ record, before, by }: Entry): void {
    const old = before?.record;
    const same = old?.instance === record.instance && old.token === record.token;
    const renewed = record.state === "held" || record.state === "draining";
    if (same && renewed && old.unknown !== undefined && record.unknown === undefined)
      this.#court.breaks(`${by} drops a field of a later release`);
  }

  /** Rule 13: a record of a later release is no damage. */
  hears({ name, election, twin }: Process): void {
    const { lastError } = election.status;
    // Whoever is asked reads its clock, so its twin is asked as well.
    void twin?.election.status;
    const { faults } = this.#court;
    // An error stays until the store has answered well.
    if (faults.some((fault) => fault.verb === "spoil" && fault.body === "unreadable")) return;
    if (this.#court.register.spoiledAs === "newer" && TenureError.is(lastError, "RECORD_UNREADABLE"))
      this.#court.breaks(`${name} takes a record of a later release for damage`);
  }

  watch(): void {
    if (this.#ghosts.length === 0) return;
    const { nowMs, register } = this.#court;
    this.#ghosts = this.#ghosts.filter(({ process, instance, dueAt }) => {
      const stays = register.current?.record.instance === instance && !this.#undone.has(instance);
      if (!stays || process.dead || process.halted) return false;
      // It has led as that instance: a store that went back may hold it again.
      if (process.terms.some((term) => term.instance === instance)) return false;
      // The other image of its process may lead as that instance.
      if (process.partedAt !== undefined) return false;
      if (nowMs < dueAt) return true;
      this.#court.breaks(`${process.name} lets a take run out that came too late, as instance ${instance}`);
      return false;
    });
  }

  /** It is told to stop, which takes no longer than its budget says. */
  stops(process: Process): void {
    const { shutdownMs } = process.election.budget;
    process.clock.setTimer(shutdownMs + slackMs, () => {
      if (!this.#stopped.has(process))
        this.#court.breaks(`${process.name} has not stopped in ${shutdownMs} ms`);
    });
  }

  /** Its `stop()` has resolved: nothing that it wants comes into force any more. */
  stopped(process: Process): void {
    this.#stopped.add(process);
    const { register, clonesExist } = this.#court;
    // What was written over stands no more, and what expects it cannot come into force. The same written again would be
    // another version.
    if (process.halted || clonesExist || register.spoiled) return;
    const { state, instance = "" } = register.current?.record ?? {};
    const led = process.terms.some((term) => term.instance === instance);
    if (
      state === "held" &&
      this.#takes.get(instance)?.process === process &&
      !led &&
      !this.#undone.has(instance)
    )
      this.#court.breaks(`${process.name} has stopped, and its take as ${instance} stands`);
    for (const open of this.#open.values()) {
      if (open.process !== process || this.#undone.has(open.instance)) continue;
      // What it expects is gone, so it cannot. Unless the store has lost what came after it since it was asked.
      if (open.expected !== register.current?.version) continue;
      if (register.account.losses.some(({ at }) => at >= open.askedAt)) continue;
      if (process.terms.some(({ instance }) => instance === open.instance)) continue;
      this.#court.breaks(`${process.name} has stopped, and its take as ${open.instance} may still come`);
    }
  }

  #renewed(process: Process, term: TermStory): void {
    if (term.renewed) return;
    term.renewed = true;
    const share = ((this.#court.nowMs - term.takenAt) * process.rate) / (process.facts.ttlMs / 6);
    // What was answered late, or stood still, says nothing.
    if (share > 1.01) return;
    const shares = this.#shares;
    shares.push(share);
    if (shares.length === coincidences && Math.max(...shares) - Math.min(...shares) < 0.02)
      this.#court.breaks("all terms renew in step");
  }

  /** One such write may have been on its way to be sent when the work settled. */
  #drains(process: Process, term: TermStory): void {
    if (term.settledDrains > 0)
      this.#court.breaks(`${process.name} keeps its lease though its work has settled`);
    term.settledDrains += 1;
  }

  #stands(process: Process, last: TermStory | undefined): void {
    if (process.stopping) this.#court.breaks(`${process.name} takes though it was told to stop`);
    if (process.facts.style !== "runner" || last?.lostAt === undefined) return;
    // With a pause of its own.
    if (last.reason === "outpaced") return;
    const { facts, rate, terms } = process;
    const firstLong = terms.findLastIndex((term) => !isShort(term, facts.ttlMs / rate));
    const count = terms.length - 1 - firstLong;
    if (count < shortTermCount) return;
    const leastMs = Math.min((facts.ttlMs / 20) * 2 ** (count - 1), facts.ttlMs) / 2 / rate;
    const pausedMs = this.#court.nowMs - last.lostAt;
    if (pausedMs < leastMs - slackMs)
      this.#court.breaks(
        `${process.name} stands again ${Math.round(pausedMs)} ms after ${count} short terms in a row`,
      );
  }
}

function isShort({ electedAt, lostAt, reason }: TermStory, ttlMs: number): boolean {
  // On a clock that counts less than true time.
  return reason !== "transferred" && lostAt !== undefined && (lostAt - electedAt) * 1.3 < ttlMs;
}

function isOthers(current: Stored | undefined, instance: string): boolean {
  return current !== undefined && typeof current.body !== "string" && current.body.instance !== instance;
}
