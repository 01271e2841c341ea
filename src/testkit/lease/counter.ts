/**
 * The unsafe counter: several candidates add to one number while they lead, not
 * atomically, and only while `check()` passes. An addition that gets lost was made
 * by somebody who did not lead alone.
 *
 * Calls meet random faults, processes freeze, clocks run apart by almost the
 * tolerated 1.5 : 1. A run that shows too little power fails.
 */

import assert from "node:assert/strict";
import type { Chance } from "../../base/random.js";
import { createChance } from "../../base/seeded-chance.js";
import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Leadership } from "../../election/api.js";
import type { ContractCase, Scene } from "../case.js";
import type { Fault, FaultPlan } from "../faulty-store.js";
import { type Candidate, createStage, type Stage, ttlMs } from "./stage.js";

/** How fast clocks may run; their ratio stays below the tolerated 1.5. */
const slowestRate = 0.82;
const fastestRate = 1.2;
const nodes = ["north", "east", "south"];
/** Runs go on until they have shown their power, within these bounds. */
const shortestRunMs = 30 * ttlMs;
const longestRunMs = 300 * ttlMs;
/** Long enough for a take-over to fall between reading the number and writing it. */
const thinkMs = 40;
const faultShare = 0.15;

interface Counter {
  value: number;
  additions: number;
}

type Met = Map<Fault["kind"], number>;

export const counterCases: readonly ContractCase[] = [
  {
    id: "unsafe-counter-loses-nothing",
    title:
      "when leaders add to a counter only while check() passes, no addition is lost under faults and freezes",
    run: countUnderFaults,
  },
];

async function countUnderFaults(scene: Scene): Promise<void> {
  const stage = createStage(scene);
  const chance = createChance(20);
  const counter: Counter = { value: 0, additions: 0 };
  const met: Met = new Map();
  const candidates = nodes.map((node) => stage.candidate(node));
  try {
    const runs = candidates.map(async (candidate) => {
      candidate.meet(randomPlan(chance, met));
      return candidate.election.run(async (leadership) =>
        addWhileLeading(candidate, leadership, counter, chance),
      );
    });
    const weak = () => stage.world.nowMs < shortestRunMs || weakness(candidates, counter, met) !== undefined;
    while (weak() && stage.world.nowMs < longestRunMs) await disturb(stage, chance);
    for (const { meet } of candidates) meet(() => undefined);
    await stage.stop();
    await Promise.all(runs);
  } finally {
    await stage.close();
  }
  assert.equal(counter.value, counter.additions, "an addition was lost: two have led at once");
  assert.equal(weakness(candidates, counter, met), undefined);
}

/** Now and then the work is done, and leadership is released. */
async function addWhileLeading(
  { clock }: Candidate,
  leadership: Leadership,
  counter: Counter,
  chance: Chance,
): Promise<void> {
  while (leadership.isCurrent && chance.fraction() > 0.02) {
    const seen = counter.value;
    await new Promise<void>((resolve) => void clock.setTimer(thinkMs, resolve));
    leadership.check();
    counter.value = seen + 1;
    counter.additions += 1;
  }
}

/** Clocks change their pace, and a process is stopped for up to two ttl: mostly the one that leads. */
async function disturb(stage: Stage, chance: Chance): Promise<void> {
  const { candidates } = stage;
  for (const { clock } of candidates) {
    setPace(clock, slowestRate + chance.fraction() * (fastestRate - slowestRate));
  }
  await stage.pass(chance.fraction() * 3 * ttlMs);
  const anybody = pick(candidates, chance);
  const leader = candidates.find(({ election }) => election.leadership !== undefined);
  const frozen = chance.fraction() < 0.7 ? (leader ?? anybody) : anybody;
  frozen.clock.freeze();
  await stage.pass(chance.fraction() * 2 * ttlMs);
  frozen.clock.thaw();
}

function setPace(clock: VirtualClock, rate: number): void {
  for (const reading of ["monotonic", "boot", "wall"] as const) clock.setRate(reading, rate);
}

function randomPlan(chance: Chance, met: Met): FaultPlan {
  return () => {
    if (chance.fraction() >= faultShare) return undefined;
    const byMs = Math.ceil(chance.fraction() * 2 * ttlMs);
    const fault = pick<Fault>(
      [
        { kind: "lost-reply" },
        { kind: "late-reply", byMs },
        { kind: "late-execution", byMs },
        { kind: "never-settles" },
        { kind: "delivered-twice", byMs },
      ],
      chance,
    );
    met.set(fault.kind, (met.get(fault.kind) ?? 0) + 1);
    return fault;
  };
}

function pick<T>(choices: readonly T[], chance: Chance): T {
  const choice = choices[Math.floor(chance.fraction() * choices.length)];
  assert.ok(choice !== undefined);
  return choice;
}

/** What a run lacks to count as evidence; undefined when it lacks nothing. */
function weakness(candidates: readonly Candidate[], { additions }: Counter, met: Met): string | undefined {
  const terms = candidates.map(({ tokens }) => tokens.length);
  const power = JSON.stringify({ terms, additions, met: Object.fromEntries(met) });
  if (terms.filter((count) => count > 0).length < 2) return `leadership did not change hands: ${power}`;
  if (terms.reduce((sum, count) => sum + count, 0) < 10) return `too few terms: ${power}`;
  if (additions < 300) return `too few additions: ${power}`;
  return met.size < 5 ? `some kind of fault was not met: ${power}` : undefined;
}
