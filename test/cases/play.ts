/** Plays a case: the run, the proof that its fault happened, and the audit of what everybody believed. */

import { expect } from "vitest";
import type { Case } from "../../cases/support/case.js";
import { Stage } from "../../cases/support/stage.js";
import { audit } from "../../src/audit/index.js";
import type { HistoryLine } from "../../src/history/line.js";

/** Answers how many faults were met. */
export async function play({ run, faultCount = 1, staleCount = 0 }: Case): Promise<number> {
  const stage = new Stage();
  try {
    await run(stage);
  } finally {
    for (const cleanUp of stage.cleanUps) await cleanUp();
  }
  expect(stage.faultCount, "the fault must have happened").toBeGreaterThanOrEqual(faultCount);
  expect(judge(stage), "the audit of all histories").toEqual([]);
  expect(await stage.ledger.complaint(), "what the ledger has lost").toBeUndefined();
  expect(stage.ledger.refusedCount, "stale writes that were refused").toBeGreaterThanOrEqual(staleCount);
  return stage.faultCount;
}

function judge({ actors, ledger }: Stage): readonly string[] {
  const histories = [...actors.map(({ history }) => history), ledger.history];
  const lines = histories.flat().map((line) => JSON.parse(line) as HistoryLine);
  return audit(lines).violations.map(({ invariant, message }) => `${invariant}: ${message}`);
}
