/**
 * The verdict over one world: its history under the audit, its records under the audit's second opinion.
 *
 * Overlaps are set aside only where a promise says so: the terms whose acknowledged write the store lost, for as long
 * as the holder needs to notice, and the two halves of a clone, until one of them has renewed.
 */

import { audit, type BeliefTerm, judgeRecords, overlapsOf, scenesOf } from "../../src/audit/index.js";
import type { HistoryLine } from "../../src/history/line.js";
import { beliefMs, renewalMs } from "./law.js";
import type { Power } from "./power.js";
import type { Process } from "./process.js";
import { type Entry, type Loss, type Register, shown } from "./register.js";
import { fastestRate, maxTtlMs, slowestRate, type Temper } from "./temper.js";

export interface Evidence {
  readonly lines: readonly HistoryLine[];
  readonly register: Register;
  readonly temper: Temper;
  readonly clonesExist: boolean;
  processOf(id: string): Process | undefined;
}

/** Latencies, clock resolution, rounding. */
const slackMs = 350;

export function verdict(evidence: Evidence, power: Power): readonly string[] {
  const { lines, register, temper } = evidence;
  const { lateExecution, twice } = temper.traffic;
  // A renewal that comes into force late, or once more, is renewed for nobody, and nobody's fault.
  const ghostless =
    lateExecution === 0 && twice === 0 && register.losses.length === 0 && !evidence.clonesExist;
  const { violations, counts } = audit(
    lines,
    ghostless ? { ttlMs: (maxTtlMs + maxTtlMs / 6) / slowestRate } : {},
  );
  power.terms += counts.terms;
  power.takeovers += counts.takeovers;
  power.successions += counts.successions;
  power.extended += counts.extended;
  power.uncertainRecovered += counts.confirmed;
  power.lostLate += counts.lostLate;
  power.checked += counts.checked;
  power.observed += counts.observed;
  power.judged += register.judgedCount;
  if (register.acknowledgedLost.length > 0) power.acknowledgedLost += 1;
  const tokensKept = register.acknowledgedLost.length === 0 && !evidence.clonesExist;
  const broken = violations
    .filter(({ invariant }) => invariant !== "I2" && (invariant !== "I1" || tokensKept))
    .map(({ invariant, message }) => `${invariant}: ${message}`);
  const overlaps = scenesOf(lines).flatMap(({ terms }) => overlapsOf(terms));
  return [
    ...broken,
    ...overlaps.flatMap((overlap) => judgeOverlap(evidence, overlap)),
    ...judgeAll(register),
  ];
}

function judgeOverlap(evidence: Evidence, overlap: ReturnType<typeof overlapsOf>[number]): readonly string[] {
  const { earlier, later, ns } = overlap;
  const endAt = Number(later.fromAt + ns) / 1e6;
  const pairs = [
    [earlier, later],
    [later, earlier],
  ] as const;
  const twins = earlier.instance === later.instance && earlier.token === later.token;
  const excused = pairs.some(([victim, other]) => {
    return (
      cloned(evidence, victim, endAt, twins ? Number(ns) / 1e6 : undefined) ||
      lost(evidence, victim, other, endAt)
    );
  });
  if (excused) return [];
  const who = ({ process, token }: BeliefTerm) => `${process} (token ${token})`;
  return [`I2: ${who(earlier)} and ${who(later)} both believed for ${Number(ns) / 1e6} ms until ${endAt}`];
}

/**
 * Both copies of an image believe until one of them has renewed, or until a deadline. Others may lead beside one of
 * them only for so long after they parted.
 */
function cloned(
  evidence: Evidence,
  victim: BeliefTerm,
  endAt: number,
  togetherMs: number | undefined,
): boolean {
  const process = evidence.processOf(victim.process);
  if (process?.partedAt === undefined) return false;
  const boundMs = beliefMs(process) + slackMs;
  return togetherMs === undefined ? endAt <= process.partedAt + boundMs : togetherMs <= boundMs;
}

/** The store forgot what the victim was promised, and the other took what it left then or after that. */
function lost(evidence: Evidence, victim: BeliefTerm, other: BeliefTerm, endAt: number): boolean {
  const { acknowledgedLost, log, blind } = evidence.register;
  const process = evidence.processOf(victim.process);
  const taker = evidence.processOf(other.process);
  const take = log.find((entry) => isOf(entry, other));
  if (process === undefined || taker === undefined || take === undefined) return false;
  return acknowledgedLost.some((loss) => {
    if (take.at < loss.at || !loss.lost.some((entry) => isOf(entry, victim))) return false;
    const notices = loss.calm && !process.dead && !process.halted;
    const boundMs = notices ? renewalMs(process) : beliefMs(process);
    // A take whose answer was on its way when the store lost it is believed in later than that.
    const sinceMs = Math.max(loss.at, Number(victim.fromAt) / 1e6);
    if (endAt > sinceMs + boundMs + slackMs) return false;
    return acknowledgedLost.some(
      (later) =>
        later.at >= loss.at &&
        (take.sentAt < later.at ||
          blind.has(take.record.nonce) ||
          free(later, taker, take, evidence.register.doubts)),
    );
  });
}

function isOf({ record }: Entry, { instance, token }: BeliefTerm): boolean {
  return record.instance === instance && record.token === token;
}

/** Whether what the loss left could be taken at once. */
function free({ left, epochChanged, at }: Loss, taker: Process, take: Entry, doubts: boolean): boolean {
  if (left === undefined) {
    // Nothing tells one absence from another: whoever had seen none before goes on waiting from there.
    const absentAt = taker.absences.get(`${take.record.instance} ${take.record.token}`) ?? at;
    if (taker.startedAt >= at || absentAt < at) return true;
    return !epochChanged && !(taker.seen.presentAt < at);
  }
  const { state, instance, ttlMs } = left.record;
  const old = take.before?.record;
  // An older holder with a shorter ttl than the one whose writes are gone: waited for in full, in the new epoch.
  if (take.sentAt - at >= ttlMs / taker.facts.rate - slackMs) return true;
  // Whoever the older state names may still be there, and give back what it finds to be its own again.
  const since = take.before !== left;
  if (since && old?.instance === instance && (old.state === "released" || old.state === "offered"))
    return true;
  // What was observed before the store went back counts on, unless the store shows another epoch.
  return (!doubts && (state === "released" || state === "offered")) || !epochChanged;
}

/** The store's own sequence of records, from one seam to the next; times as the fastest clock sees them. */
function judgeAll({ log, seams, blind }: Register): readonly string[] {
  const firstAt = new Map<string, number>();
  for (const { record, at } of log) if (!firstAt.has(record.nonce)) firstAt.set(record.nonce, at);
  // A write that is carried out once more, after the store went back, is no new sign of life.
  const shownFirstAt = (entry: Entry) => firstAt.get(entry.record.nonce) ?? entry.at;
  const starts: Register["seams"] = [{ index: 0, left: undefined }, ...seams];
  return starts.flatMap(({ index, left, sinceAt = Number.POSITIVE_INFINITY }, place) => {
    const entries = log.slice(index, starts[place + 1]?.index);
    // Whoever does not know yet that the store went back may expect what it went back to.
    const late = entries.some(({ sentAt, record }) => sentAt < sinceAt || blind.has(record.nonce));
    const first =
      left === undefined ? [] : [{ record: left.record, at: late ? shownFirstAt(shown(left)) : sinceAt }];
    const rest = entries.map((entry) => ({ record: entry.record, at: shownFirstAt(entry) }));
    const kept = [...first, ...rest].map(({ record, at }) => ({ record, mtimeMs: at * fastestRate }));
    // The first record is how the store was left: nobody took it so.
    return judgeRecords(kept).violations.filter(
      (story) => left === undefined || !story.startsWith("record 1 "),
    );
  });
}
