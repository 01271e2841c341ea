import { describe, expect, test } from "vitest";
import { judgeOthers } from "../../torture/others.mjs";
import type { Pauses } from "../../torture/pauses.mjs";
import type { Plan } from "../../torture/places.mjs";
import type { DoubleLine } from "../../torture/work-line.mjs";
import { told } from "./specimen.js";

const plan: Plan = {
  schema: "tenure.torture-plan/1",
  workload: "postgres",
  form: "fenced",
  election: "specimen",
  seconds: 20,
  ttlMs: 2_000,
  clients: 5,
  seed: 1,
  calm: false,
  neededPauses: 1,
  neededOthers: 1,
};
const write = told({ element: "a-1", read: [], at: [1, 2, 3, 4], outcome: "refused", token: 1 });
const late = { write, lastedMs: 2_500, overtaken: true };
const none: Pauses = {
  landed: [],
  inside: [],
  cut: [],
  applierStop: [],
  applierKill: [],
  stops: 0,
  kills: 0,
  reasons: [],
};
const double: DoubleLine = { kind: "double", at: "3", element: "a-1", token: 1, outcome: "refused" };

function judged(doubles: readonly DoubleLine[], pauses: Partial<Pauses>, needed = 0) {
  const evidence = { plan: { ...plan, neededOthers: needed }, lines: [], findings: [], resource: "" };
  return judgeOthers({ ...evidence, writes: [write], doubles }, { ...none, ...pauses }, [
    "inside",
    "cut",
    "double",
  ]);
}

describe("the other faults", () => {
  test("when a double of a replaced leader was refused, that is as it should be", () => {
    const { reasons, rows } = judged([double], { landed: [late] });
    expect(reasons).toEqual([]);
    expect(rows).toContainEqual(["  of leaders that had been replaced", "1: 1 refused"]);
  });

  test("when it was accepted, or failed for another reason, that is told", () => {
    const landed = [late];
    expect(judged([{ ...double, outcome: "acknowledged" }], { landed }).reasons).toEqual([
      "1 writes were accepted of doubles of leaders that had been replaced",
    ]);
    expect(judged([{ ...double, outcome: "failed", code: "GUARD_FAILED" }], { landed }).reasons).toEqual([
      "the late write a-1 of a double failed with GUARD_FAILED",
    ]);
  });

  test("when its leader had not been replaced, it may have been answered", () => {
    expect(judged([{ ...double, outcome: "acknowledged" }], {}).reasons).toEqual([]);
  });

  test("when it wrote what nobody had read for, that is told", () => {
    expect(judged([{ ...double, element: "z-1" }], {}).reasons).toEqual([
      "a double wrote z-1, which nobody had read for",
    ]);
  });

  test("when there were too few of them, the run has shown nothing", () => {
    expect(judged([], {}, 2).reasons).toEqual([
      "0 stops inside a transaction; fewer than 2 show nothing",
      "0 cuts at a commit; fewer than 2 show nothing",
      "0 doubles; fewer than 2 show nothing",
    ]);
    const enough = { inside: [late, late], cut: [write, write] };
    expect(judged([double, double], enough, 2).reasons).toEqual([]);
  });

  test("when those that apply writes stood still or were killed, it says how often, and what became of the writes", () => {
    const applierStop = [late, { ...late, overtaken: false }];
    const pauses: Pauses = { ...none, applierStop, applierKill: [write] };
    const evidence = { plan, lines: [], findings: [], resource: "", writes: [write], doubles: [] };
    const faults = ["applierStop", "applierKill"] as const;
    const { reasons, rows } = judgeOthers(evidence, pauses, faults, "service");
    expect(reasons).toEqual([]);
    expect(rows).toEqual([
      ["stops of a service inside a transaction", "2, needed 1"],
      ["  another leader wrote meanwhile", "1"],
      ["  and then the write was", "2 refused"],
      ["kills of a service inside a transaction", "1, needed 1"],
      ["  and then the write was", "1 refused"],
    ]);
    expect(judgeOthers(evidence, none, faults, "consumer").reasons).toEqual([
      "0 stops of a consumer inside a transaction; fewer than 1 show nothing",
      "0 kills of a consumer inside a transaction; fewer than 1 show nothing",
    ]);
  });
});
