/** Plays a case: the run, the proof that its fault happened, and the audit of what everybody believed and wrote. */

import { expect } from "vitest";
import type { Case } from "../../cases/support/case.js";
import { type Book, emptyBook } from "../../cases/support/ledger.js";
import { standStill } from "../../cases/support/keeping.js";
import { type Left, Stage } from "../../cases/support/stage.js";
import {
  audit,
  type AuditResult,
  judgeRecords,
  overlapsOf,
  scenesOf,
  type Violation,
} from "../../src/audit/index.js";
import { openFileGuard } from "../../src/fence/file/open.js";
import type { ValueGuard } from "../../src/fence/memory/index.js";
import type { HistoryLine } from "../../src/history/line.js";
import { createSimulatedDisk } from "../support/simulated-disk.js";

/** The ledger as a file, on a disk in memory: no real I/O, so that it runs in virtual time. */
export function fileLedger(): ValueGuard<Book> {
  const options = { resource: "ledger", initial: emptyBook };
  return openFileGuard<Book>("/guard", options, createSimulatedDisk().files);
}

/** Answers how many faults were met. */
export async function play(one: Case, guard?: ValueGuard<Book>): Promise<number> {
  const kept = await one.keeping?.();
  try {
    const stage = new Stage(guard, kept?.values);
    if (kept !== undefined) standStill(stage.world, kept);
    return await playOn(stage, one);
  } finally {
    await kept?.close();
  }
}

async function playOn(stage: Stage, { run, faultCount = 1, staleCount = 0 }: Case): Promise<number> {
  let cleaned: readonly PromiseSettledResult<unknown>[] = [];
  try {
    await run(stage);
  } finally {
    // All of them, whatever comes of one: processes must end.
    cleaned = await Promise.allSettled(stage.cleanUps.map(async (cleanUp) => cleanUp()));
  }
  expect(cleaned.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(stage.faultCount, "the fault must have happened").toBeGreaterThanOrEqual(faultCount);
  expect(judge(stage), "the audit of all histories").toEqual([]);
  const ledgers = [stage.ledger, ...stage.ledgers];
  for (const ledger of ledgers) expect(await ledger.complaint(), "what the ledger has lost").toBeUndefined();
  const refusedCount = ledgers.reduce((sum, ledger) => sum + ledger.refusedCount, 0);
  expect(refusedCount, "stale writes that were refused").toBeGreaterThanOrEqual(staleCount);
  return stage.faultCount;
}

function judge({ actors, ledger, left, advisory }: Stage): readonly string[] {
  const histories = [...actors.map(({ history }) => history), ledger.history];
  const lines = histories.flat().map((line) => JSON.parse(line) as HistoryLine);
  const audited = audit(lines);
  const violations = audited.violations.filter((one) => one.invariant !== "I2" || !isAdvisory(one, advisory));
  return [...violationsIn({ violations }), ...overlapsAmiss(lines, advisory), ...left.flatMap(judgeLeft)];
}

function isAdvisory({ lines }: Violation, advisory: Stage["advisory"]): boolean {
  return lines.every(({ election }) => advisory.has(election));
}

/** What is announced as advisory has to overlap, and for no longer than was said. */
function overlapsAmiss(lines: readonly HistoryLine[], advisory: Stage["advisory"]): readonly string[] {
  const scenes = scenesOf(lines);
  return [...advisory].flatMap(([election, mostMs]) => {
    const terms = scenes.find((scene) => scene.election === election)?.terms ?? [];
    const longestMs = Math.max(0, ...overlapsOf(terms).map(({ ns }) => Number(ns) / 1e6));
    if (longestMs > 0 && longestMs <= mostMs) return [];
    return [
      `I2: in the advisory election ${election} two led for ${longestMs} ms, at most ${mostMs} were said`,
    ];
  });
}

/** What was written on a real store is damaged in one way alone: a line breaks off where its process was killed. */
function judgeLeft({ history, records }: Left): readonly string[] {
  const { lines, findings } = history;
  const audited = audit(lines);
  const damage = [...findings, ...audited.findings].filter(({ kind }) => kind !== "torn");
  const silent = audited.checks.filter(({ invariant, judged }) => judged === 0 && needed.has(invariant));
  return [
    ...violationsIn(audited),
    ...records.flatMap((kept) => judgeRecords(kept).violations.map((message) => `store: ${message}`)),
    ...damage.map(({ message }) => message),
    ...silent.map(({ invariant, promise }) => `${invariant} (${promise}) had nothing to judge`),
  ];
}

/** What candidates that lead and look at their checks always give to judge. */
const needed: ReadonlySet<string> = new Set(["I1", "I2", "I5", "I6"]);

function violationsIn({ violations }: Pick<AuditResult, "violations">): readonly string[] {
  return violations.map(({ invariant, message }) => `${invariant}: ${message}`);
}
