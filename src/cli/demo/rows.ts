/** The rounds of one fault together: a row of the table, and what is wrong with it. */

import { boundsOf, type Plan } from "./bounds.js";
import type { FaultKind } from "./fault-kinds.js";
import { type StaleTries, staleTriesOf } from "./judge-work.js";
import type { Outcome } from "./measure.js";
import type { WorkLine } from "./work-line.js";

export interface Span {
  readonly medianMs: number;
  readonly maxMs: number;
  readonly boundMs: number;
}

export interface FaultRow extends Span {
  readonly fault: FaultKind;
  /** Between two beliefs; only where a bound of its own is promised. */
  readonly gap: Span | undefined;
  /** Longest time without a leader by the store's records. */
  readonly leaderlessMs: number;
  readonly overlapMs: number;
  /** Shortest pause between two beliefs. */
  readonly marginMs: number;
  /** What the leaders tried to write after they woke up; only of faults that end with a waking. */
  readonly stale: StaleTries | undefined;
  readonly ok: boolean;
  readonly rounds: readonly Outcome[];
}

export function rowOf(
  fault: FaultKind,
  plan: Plan,
  outcomes: readonly Outcome[],
  work: readonly WorkLine[],
): FaultRow {
  const rounds = outcomes.filter((outcome) => outcome.fault === fault);
  const bounds = boundsOf(plan);
  const gaps = rounds.map(({ gapMs }) => gapMs);
  const overlapMs = Math.max(0, ...rounds.map((round) => round.overlapMs));
  const tries = rounds.map(({ victim, token }) => staleTriesOf(work, { node: victim, token }));
  const stale = fault === "freeze" || fault === "block" ? sumOf(tries) : undefined;
  const within = rounds.every(isInTime) && overlapMs <= plan.budget.overlapMs;
  return {
    fault,
    ...spanOf(
      rounds.map(({ takeoverMs }) => takeoverMs),
      bounds[fault],
    ),
    gap: fault === "transfer" ? spanOf(gaps, bounds.gap) : undefined,
    leaderlessMs: Math.max(0, ...rounds.map((round) => round.leaderlessMs ?? 0)),
    overlapMs,
    marginMs: rounds.length === 0 ? 0 : Math.min(...gaps),
    stale,
    ok: within && rounds.length === plan.rounds && (stale === undefined || isRefused(tries)),
    rounds,
  };
}

function sumOf(tries: readonly StaleTries[]): StaleTries {
  const sum = (count: (one: StaleTries) => number) => tries.reduce((total, one) => total + count(one), 0);
  return { tried: sum(({ tried }) => tried), refused: sum(({ refused }) => refused) };
}

/** Each woken leader tried, and nothing it tried was accepted. */
function isRefused(tries: readonly StaleTries[]): boolean {
  return tries.every(({ tried, refused }) => tried > 0 && refused === tried);
}

function spanOf(values: readonly number[], boundMs: number): Span {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return { medianMs: (lower + upper) / 2, maxMs: sorted.at(-1) ?? 0, boundMs };
}

function isInTime({ takeoverMs, leaderlessMs = 0, boundMs, gapMs, gapBoundMs = gapMs }: Outcome): boolean {
  return Math.max(takeoverMs, leaderlessMs) <= boundMs && gapMs <= gapBoundMs;
}

export function complaints(row: FaultRow, { rounds, budget }: Plan): readonly string[] {
  const { fault, overlapMs } = row;
  const missing = `${fault}: ${row.rounds.length} of ${rounds} rounds can be judged`;
  const both = `${fault}: two candidates believed for ${Number(overlapMs.toFixed(3))} ms`;
  return [
    ...(row.rounds.length === rounds ? [] : [missing]),
    ...row.rounds.filter((round) => !isInTime(round)).map(describeLate),
    ...(overlapMs > budget.overlapMs ? [both] : []),
  ];
}

function describeLate(round: Outcome): string {
  const { fault, victim, takeoverMs, leaderlessMs = 0, boundMs, silences, gapMs, gapBoundMs } = round;
  const store = `${Math.round(leaderlessMs)} ms by the store's records`;
  const gap = gapBoundMs === undefined ? "" : `, and nobody led for ${Math.round(gapMs)} of ${gapBoundMs} ms`;
  return (
    `${fault} of ${victim}: the next leader came after ${Math.round(takeoverMs)} ms (${store}), ` +
    `the bound is ${boundMs} ms with ${silences} calls unanswered${gap}`
  );
}
