/**
 * The verdict over one world: its history under the audit, its records under the audit's second opinion.
 *
 * Overlaps are set aside only where a promise says so: the terms whose acknowledged write the store lost, for as long
 * as the holder needs to notice, and the two halves of a clone, until one of them has renewed.
 */

import {
  auditScenes,
  type BeliefTerm,
  judgeRecords,
  overlapsOf,
  scenesOf,
  type Violation,
} from "../../audit/index.js";
import type { HistoryLine } from "../../history/line.js";
import type { Fault } from "../faults/fault.js";
import type { LeaseRecord } from "../../lease/record.js";
import { maxTtlMs, type Settings } from "../settings.js";
import type { Process } from "../world/process.js";
import type { Register } from "../world/register.js";
import { type Entry, type Loss, type Seam, shown, type StoreAccount } from "../world/store-account.js";
import { beliefMs, renewalMs } from "./law.js";
import type { Power } from "./power.js";

export interface Evidence {
  readonly lines: readonly HistoryLine[];
  readonly register: Register;
  readonly cast: { named(name: string): Process | undefined };
  readonly clonesExist: boolean;
  readonly advisory: string | undefined;
  readonly faults: readonly Fault[];
  readonly settings: Settings;
}

export interface Verdict {
  readonly broken: readonly string[];
  /** What lies outside of P1: each with the reason. */
  readonly admitted: readonly string[];
}

/** Latencies, clock resolution, rounding. */
const slackMs = 350;

export function verdict(evidence: Evidence, power: Power): Verdict {
  const { lines, register, advisory } = evidence;
  const { account } = register;
  const { rates, drainMs } = evidence.settings;
  // A renewal that comes into force late, or once more, is renewed for nobody, and nobody's fault.
  const ghostless =
    account.losses.length === 0 &&
    register.canLose &&
    advisory === undefined &&
    !evidence.clonesExist &&
    !evidence.faults.some(isLateDelivery) &&
    // What cannot be read counts as held, and what can be read again is new.
    !evidence.faults.some(({ verb }) => verb === "spoil");
  const scenes = scenesOf(lines);
  const { violations, counts } = auditScenes(
    scenes,
    ghostless ? { ttlMs: (maxTtlMs + maxTtlMs / 6 + drainMs) / Math.min(...rates) } : {},
  );
  power.count("terms", counts.terms);
  power.count("takeovers", counts.takeovers);
  power.count("successions", counts.successions);
  power.count("extended", counts.extended);
  power.count("uncertain-recovered", counts.confirmed);
  power.count("lost-late", counts.lostLate);
  power.count("checked", counts.checked);
  power.count("observed", counts.observed);
  power.count("judged-by-store-clock", register.judgedCount);
  if (account.acknowledgedLost.length > 0) power.count("acknowledged-lost");
  const tokensKept = account.acknowledgedLost.length === 0 && !evidence.clonesExist;
  const others = violations
    .filter(({ invariant }) => invariant !== "I2" && (invariant !== "I1" || tokensKept))
    .map((violation) => {
      const { invariant, message } = violation;
      return { story: `${invariant}: ${message}`, why: isOutOfOrder(violation) ? advisory : undefined };
    });
  const overlaps = scenes.flatMap(({ terms }) => overlapsOf(terms));
  power.count("overlaps", overlaps.length);
  const judged = overlaps.map((overlap) => {
    return { story: storyOf(overlap), why: excuseOf(evidence, overlap) ?? advisory };
  });
  // Of a foreign store it is not known when it carried out what; the calls to it are judged instead.
  const takes = register.canLose ? judgeAll(account, Math.max(1, ...rates)) : [];
  const early = takes.map((story) => {
    return { story, why: / took the \w+ lease of /.test(story) ? advisory : undefined };
  });
  const all = [...others, ...judged, ...early];
  return {
    broken: all.filter(({ why }) => why === undefined).map(({ story }) => story),
    admitted: all.flatMap(({ story, why }) => (why === undefined ? [] : [`${story} (${why})`])),
  };
}

/** Whoever was taken over too early may still be told, after its successor, that it leads; one token for two is worse. */
function isOutOfOrder({ invariant, lines }: Violation): boolean {
  return invariant === "I1" && new Set(lines.map((line) => "token" in line && line.token)).size > 1;
}

function isLateDelivery(fault: Fault): boolean {
  return fault.verb === "stall" || (fault.verb === "fate" && lateDeliveries.has(fault.fate.kind));
}

const lateDeliveries: ReadonlySet<string> = new Set(["late-execution", "twice", "resent"]);

type Overlap = ReturnType<typeof overlapsOf>[number];

function storyOf({ earlier, later, ns }: Overlap): string {
  const endAt = Number(later.fromAt + ns) / 1e6;
  const who = ({ process, token }: BeliefTerm) => `${process} (token ${token})`;
  return `I2: ${who(earlier)} and ${who(later)} both believed for ${Number(ns) / 1e6} ms until ${endAt}`;
}

/** Why P1 does not speak of this overlap; undefined where it does. */
function excuseOf(evidence: Evidence, { earlier, later, ns }: Overlap): string | undefined {
  const endAt = Number(later.fromAt + ns) / 1e6;
  const twins = earlier.instance === later.instance && earlier.token === later.token;
  const togetherMs = twins ? Number(ns) / 1e6 : undefined;
  for (const [victim, other] of [
    [earlier, later],
    [later, earlier],
  ] as const) {
    if (cloned(evidence, victim, endAt, togetherMs)) return "a process image runs twice";
    if (givenBackByTwin(evidence, victim, other, endAt))
      return "a process image runs twice, and one gave back";
    if (lost(evidence, victim, other, endAt)) return "the store lost an acknowledged write";
  }
  return undefined;
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
  const process = evidence.cast.named(victim.process);
  if (process?.partedAt === undefined) return false;
  const { partedAt } = process;
  const boundMs = beliefMs(process) + slackMs;
  if (togetherMs === undefined) return endAt <= partedAt + boundMs;
  // A request or a bid that lies over what one of them wrote may hide it from the other.
  const hides = ({ record, at }: Entry) => at >= partedAt && record.writer !== record.instance;
  const hidden = evidence.register.account.log.some((entry) => hides(entry) && isOf(entry, victim));
  return hidden || togetherMs <= boundMs;
}

/** One image of a process gave back what both of them hold; the other hears of it with its next renewal. */
function givenBackByTwin(evidence: Evidence, victim: BeliefTerm, other: BeliefTerm, endAt: number): boolean {
  const process = evidence.cast.named(victim.process);
  const take = evidence.register.account.log.find((entry) => isOf(entry, other));
  if (process?.partedAt === undefined || take === undefined) return false;
  return handedOn(evidence, take, process.partedAt).some(({ at, before }) => {
    const { state, instance } = before?.record ?? {};
    const byTwin = instance === victim.instance && before?.by !== victim.process && state !== "held";
    return byTwin && endAt <= at + beliefMs(process) + slackMs;
  });
}

/** The store forgot what the victim was promised, and the other took what it left then or after that. */
function lost(evidence: Evidence, victim: BeliefTerm, other: BeliefTerm, endAt: number): boolean {
  const { acknowledgedLost, log, blind } = evidence.register.account;
  const process = evidence.cast.named(victim.process);
  const taker = evidence.cast.named(other.process);
  if (process === undefined || taker === undefined) return false;
  return acknowledgedLost.some((loss) => {
    // Its first try may be from before the loss, and without an answer.
    const take = log.find((entry) => entry.at >= loss.at && isOf(entry, other) && !isRenewal(entry));
    if (take === undefined || !loss.lost.some((entry) => isOf(entry, victim))) return false;
    const notices = loss.calm && !process.dead && !process.halted;
    const boundMs = notices ? renewalMs(process) : beliefMs(process);
    // A take whose answer was on its way when the store lost it is believed in later than that.
    const sinceMs = Math.max(loss.at, Number(victim.fromAt) / 1e6);
    if (endAt > sinceMs + boundMs + slackMs) return false;
    return handedOn(evidence, take, loss.at).some((one) => {
      const by = evidence.cast.named(one.by) ?? taker;
      return acknowledgedLost.some(
        (later) =>
          later.at >= loss.at &&
          (one.sentAt < later.at ||
            blind.has(one.record.nonce) ||
            free(later, by, one, evidence.register.doubts)),
      );
    });
  });
}

/**
 * A take, and those since the loss on which it rests: whoever was let in may give back what it took, or stay silent for as
 * long as its lease lasts.
 */
function handedOn({ register, settings }: Evidence, take: Entry, sinceAt: number): readonly Entry[] {
  const chain = [take];
  const fastestRate = Math.max(1, ...settings.rates);
  for (let link = take; link.before !== undefined && link.before.at >= sinceAt; ) {
    const { record, at } = link.before;
    const { instance, token, state, ttlMs } = record;
    const isOver = state === "released" || state === "offered" || link.at - at >= ttlMs / fastestRate;
    const earlier = register.account.log.find((entry) => isOf(entry, { instance, token }));
    if (earlier === undefined || !isOver) break;
    chain.push(earlier);
    link = earlier;
  }
  return chain;
}

function isRenewal({ record, before }: Entry): boolean {
  return before !== undefined && isOf(before, record);
}

function isOf(
  { record }: Pick<Entry, "record">,
  { instance, token }: Pick<BeliefTerm, "instance" | "token">,
): boolean {
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
  const { state, instance } = left.record;
  const old = take.before?.record;
  // Whoever the older state names may still be there, and give back what it finds to be its own again.
  const since = take.before !== left;
  if (since && old?.instance === instance && (old.state === "released" || old.state === "offered"))
    return true;
  // What was observed before the store went back counts on, unless the store shows another epoch.
  return (!doubts && (state === "released" || state === "offered")) || !epochChanged;
}

/** What rule 2 looks at. */
function lifeOf({ instance, token, seq, state }: LeaseRecord): string {
  return `${instance} ${token} ${seq} ${state}`;
}

/** The store's own sequence of records, from one seam to the next; times as the fastest clock sees them. */
function judgeAll({ log, seams, blind }: StoreAccount, fastestRate: number): readonly string[] {
  const firstAt = new Map<string, number>();
  for (const { record, at } of log) if (!firstAt.has(lifeOf(record))) firstAt.set(lifeOf(record), at);
  // No new sign of life: a write that is carried out once more, after the store went back, or a twin's of the same number.
  const shownFirstAt = (entry: Entry) => firstAt.get(lifeOf(entry.record)) ?? entry.at;
  const starts: readonly Seam[] = [{ index: 0, left: undefined }, ...seams];
  return starts.flatMap(({ index, left, sinceAt = Number.POSITIVE_INFINITY }, place) => {
    const entries = log.slice(index, starts[place + 1]?.index);
    // Whoever does not know yet that the store went back may expect what it went back to.
    const late = entries.some(({ sentAt, record }) => sentAt < sinceAt || blind.has(record.nonce));
    const first = left === undefined ? [] : [{ entry: left, at: late ? shownFirstAt(shown(left)) : sinceAt }];
    const rest = entries.map((entry) => ({ entry, at: shownFirstAt(entry) }));
    const kept = [...first, ...rest].map(({ entry, at }) => ({
      record: entry.record,
      mtimeMs: entry.at * fastestRate,
      shownMs: at * fastestRate,
    }));
    // The first record is how the store was left: nobody took it so.
    return judgeRecords(kept).violations.filter(
      (story) => left === undefined || !story.startsWith("record 1 "),
    );
  });
}
