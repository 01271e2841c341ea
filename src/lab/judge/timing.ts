/**
 * What rules 2 and 3 say about single instants: how long belief may last after a send, how long a take must wait.
 *
 * The audit compares what came of it, which takes an unlucky moment; this asks for the reason in each case. It errs
 * on the side of the process: of all receipts the first counts, of all confirmed sends the last.
 */

import type { HistoryLine } from "../../history/line.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Call, Stored, Version, Written } from "../../lease/store.js";
import type { Process } from "../world/process.js";
import { msOf } from "../world/stamp.js";
import type { Register } from "../world/register.js";
import { ByTerm } from "./by-term.js";
import type { Conduct } from "./conduct.js";
import { beliefMs } from "./law.js";

interface Court {
  readonly nowMs: number;
  readonly register: Register;
  /** Why belief is not exclusive in this world; undefined where it is. */
  readonly advisory: string | undefined;
  breaks(why: string): void;
}

/** Clock resolution, rounding. */
const slackMs = 20;

export class Timing {
  readonly #court: Court;
  readonly #conduct: Conduct;
  /** By nonce. */
  readonly #sentAt = new Map<string, number>();
  /** The last send of a term that was confirmed. */
  readonly #confirmedAt = new ByTerm<number>();

  constructor(court: Court, conduct: Conduct) {
    this.#court = court;
    this.#conduct = conduct;
  }

  /** An election says what its belief rests on. */
  started(process: Process): void {
    const { facts, election } = process;
    const { readBackProves } = this.#court.register.capabilities;
    const says = election.status.belief;
    // Whoever is asked reads its clock, so its twin is asked as well.
    void process.twin?.election.status;
    const rests = facts.byStoreClock || !readBackProves ? "advisory" : "exclusive";
    if (says !== rests) this.#fail(process, `says that its belief is ${says}, and it is ${rests}`);
  }

  sent(
    process: Process,
    record: LeaseRecord,
    expected: Version | undefined,
    { absence, takeover }: Pick<Call, "absence" | "takeover">,
  ): void {
    this.#sentAt.set(record.nonce, this.#court.nowMs);
    if (absence === "waited" && record.state === "held" && record.writer === record.instance)
      this.#waited(process, record, expected);
    const old = this.#court.register.current;
    if (record.state !== "held" || old === undefined || old.version !== expected) return;
    const { state, instance, ttlMs, expiry } = old.record;
    if ((state !== "held" && state !== "draining") || instance === record.instance) return;
    if (record.writer !== record.instance) return;
    if (takeover === "store-clock") {
      if (expiry !== "store-clock")
        this.#fail(process, "lets the store's clock judge a record whose holder did not choose so");
      return;
    }
    // It may not know yet that the store came back in another epoch, or have heard of it by a late answer alone.
    const { epoch = "", firstAt } = process.seen;
    const since = firstAt.get(old.record, epoch) ?? firstAt.get(old.record, this.#court.register.epoch);
    // Jumps of two of its clocks look like time that has passed.
    if (process.jumpedAt >= (since ?? 0)) return;
    const waitedMs = this.#court.nowMs - (since ?? this.#court.nowMs);
    if (waitedMs < ttlMs / process.rate - slackMs)
      this.#fail(process, `takes what it has observed for ${Math.round(waitedMs)} of ${ttlMs} ms`);
    this.#conduct.tookOver(record.instance, waitedMs * process.rate - ttlMs);
  }

  received(
    process: Process,
    answer: Stored | Written | undefined,
    written: LeaseRecord | undefined,
    sentAt: number,
    late: boolean,
  ): void {
    if (answer === undefined) return;
    const { epoch } = "kind" in answer && answer.kind === "conflict" ? (answer.current ?? {}) : answer;
    // What comes too late may tell of an epoch that is over.
    if (epoch !== undefined && (!late || epoch === this.#court.register.epoch)) this.#inEpoch(process, epoch);
    if (!("kind" in answer)) this.#shown(process, answer);
    else if (answer.kind === "conflict") this.#shown(process, answer.current);
    else if (answer.kind === "written" && written !== undefined) {
      this.#confirm(written, sentAt);
      process.seen.firstAt.note(written, answer.epoch, this.#court.nowMs);
    }
  }

  told(process: Process, line: HistoryLine): void {
    if (line.event !== "elected" && line.event !== "extended") return;
    if (line.event === "elected" && process.term !== undefined)
      process.term.takenAt = this.#confirmedAt.get(line.instance, line.token) ?? this.#court.nowMs;
    if (process.muted || this.#court.advisory !== undefined) return;
    const confirmedAt = this.#confirmedAt.get(line.instance, line.token);
    const pastMs = msOf(line.until) - (confirmedAt ?? 0) - beliefMs(process);
    if (confirmedAt === undefined) this.#fail(process, "believes, and no write of its term was confirmed");
    else if (pastMs > slackMs)
      this.#fail(process, `believes for ${Math.round(pastMs)} ms longer than its last confirmed send allows`);
  }

  /** Rule 5: what may be forgotten in this epoch of the store is waited for in this epoch. */
  #waited(process: Process, { instance }: LeaseRecord, expected: Version | undefined): void {
    const { nowMs, register } = this.#court;
    const { current } = register;
    const { state, ttlMs } = current?.record ?? {};
    if (current?.version !== expected || current?.record.instance === instance) return;
    const held = state === "held" || state === "draining";
    const { absentAt, epochs } = process.seen;
    const { told, since } = epochs;
    if (told.size === 0 || process.jumpedAt >= since) return;
    // The longest ttl is a wait by itself; absence may be older than the first epoch that is heard of.
    if (held ? ttlMs === register.maxTtlMs : expected === undefined && told.size === 1) return;
    // Absence names no epoch: whoever saw it since the store came back has waited in this one, whenever it hears of that.
    const cameBackAt = register.account.losses.findLast(({ epochChanged }) => epochChanged)?.at ?? 0;
    const sawAbsence = expected === undefined && absentAt >= cameBackAt;
    const waitedMs = nowMs - (sawAbsence ? Math.min(since, absentAt) : since);
    if (waitedMs < register.maxTtlMs / process.rate - slackMs)
      this.#fail(process, `has waited ${Math.round(waitedMs)} ms in the epoch in which the store came back`);
  }

  #inEpoch(process: Process, epoch: string): void {
    const { seen } = process;
    const { told } = seen.epochs;
    // A late answer tells of an epoch that is over.
    if (told.has(epoch)) return;
    seen.epochs = { told: new Set([...told, epoch]), since: this.#court.nowMs };
  }

  #shown(process: Process, stored: Stored | undefined): void {
    if (stored === undefined || typeof stored.body === "string") return;
    const { body, epoch, version } = stored;
    const { seen } = process;
    if (seen.shown?.version === version && seen.shown.epoch === epoch) return;
    seen.shown = { version, epoch };
    process.seen.firstAt.note(body, epoch, this.#court.nowMs);
    const sentAt = this.#sentAt.get(body.nonce);
    // Where reading it back proves nothing, it is in force on the master alone.
    if (sentAt !== undefined && this.#court.register.capabilities.readBackProves) this.#confirm(body, sentAt);
  }

  #confirm({ instance, token, writer }: LeaseRecord, sentAt: number): void {
    if (writer !== instance) return;
    const before = this.#confirmedAt.get(instance, token);
    if (before === undefined || sentAt > before) this.#confirmedAt.set(instance, token, sentAt);
  }

  #fail(process: Process, why: string): void {
    this.#court.breaks(`${process.name} ${why}`);
  }
}
