import { describe, expect, test } from "vitest";
import type { HistoryLine } from "../../src/history/line.js";
import { faultText } from "../../torture/fault.mjs";
import { judgePauses } from "../../torture/pauses.mjs";
import type { Plan } from "../../torture/places.mjs";
import { told, type Told } from "./specimen.js";

const ms = 1_000_000;
const plan: Plan = {
  schema: "tenure.torture-plan/1",
  workload: "set",
  form: "fenced",
  election: "specimen",
  seconds: 10,
  ttlMs: 2_000,
  clients: 5,
  seed: 1,
  calm: false,
  neededPauses: 1,
  neededOthers: 1,
};
const stamp = { v: 1, boot: "b", wall: 0, process: "p", node: "harness", namespace: "n", election: "e" };

function fault(atMs: number, told: Parameters<typeof faultText>[0]): HistoryLine {
  return { ...stamp, at: String(atMs * ms), event: "fault", fault: faultText(told) };
}

function judged(lines: readonly HistoryLine[], writes: readonly Told[]) {
  const inMs = writes.map((write) => told({ ...write, at: write.at.map((at) => (at ?? 0) * ms) as never }));
  return judgePauses({ plan, lines, findings: [], writes: inMs, doubles: [], resource: "" });
}

const stopped = fault(10, { kind: "stop-at-gate", node: "a", element: "a-1" });
const continued = fault(2_100, { kind: "continue", node: "a" });
const late: Told = { element: "a-1", read: [], at: [8, 9, 2_101, 2_102], outcome: "refused", token: 1 };
const meanwhile: Told = { element: "b-1", read: [], at: [2_050, 2_051, 2_052, 2_053], token: 2 };

describe("the pauses", () => {
  test("when a client had checked, stood still beyond the ttl and wrote then, its pause has landed", () => {
    const { landed, reasons } = judged([stopped, continued], [late, meanwhile]);
    expect(landed).toEqual([expect.objectContaining({ lastedMs: 2_090, overtaken: true })]);
    expect(reasons).toEqual([]);
  });

  test("when nobody with a higher token wrote meanwhile, it was not overtaken", () => {
    expect(judged([stopped, continued], [late, { ...meanwhile, token: 1 }]).landed[0]?.overtaken).toBe(false);
    expect(judged([stopped, continued], [late]).landed[0]?.overtaken).toBe(false);
  });

  test("when it was no longer than the ttl, it does not count", () => {
    expect(judged([stopped, fault(2_010, { kind: "continue", node: "a" })], [late]).landed).toEqual([]);
  });

  test("when the write went out during the pause, or the check came after it began, that is told", () => {
    const early = judged([stopped, continued], [{ ...late, at: [8, 9, 2_099, 2_102] }]);
    expect(early).toMatchObject({ landed: [], reasons: [expect.stringContaining("did not keep it")] });
    const before = judged([stopped, continued], [{ ...late, at: [8, 11, 2_101, 2_102] }]);
    expect(before).toMatchObject({ landed: [], reasons: [expect.stringContaining("before its check")] });
  });

  test("when its end or its write is missing, that is told", () => {
    for (const [lines, writes] of [
      [[stopped], [late]],
      [[stopped, continued], []],
    ] as const)
      expect(judged(lines, writes).reasons).toEqual([expect.stringContaining("was not told of to its end")]);
  });

  test("when others were stopped and killed, they are counted apart", () => {
    const others = [
      fault(1, { kind: "stop", node: "c" }),
      fault(3_000, { kind: "continue", node: "c" }),
      fault(4_000, { kind: "kill", node: "c" }),
      fault(5_000, { kind: "kill", node: "d", element: "d-1" }),
    ];
    expect(judged(others, [])).toMatchObject({ landed: [], stops: 1, kills: 2, reasons: [] });
  });

  test("when a client stood still inside of its transaction, that is counted apart, and not what it did earlier", () => {
    const inside = fault(10, { kind: "stop-inside", node: "a", element: "a-1" });
    const held: Told = { ...late, at: [7, 8, 9, 2_102], outcome: "failed" };
    expect(judged([inside, continued], [held])).toMatchObject({
      landed: [],
      inside: [{ lastedMs: 2_090, overtaken: false }],
      reasons: [],
    });
    expect(judged([inside, continued], [held, meanwhile]).inside[0]?.overtaken).toBe(true);
    const early = judged([inside, continued], [{ ...held, at: [7, 8, 9, 2_099] }]);
    expect(early).toMatchObject({ inside: [], reasons: [expect.stringContaining("did not keep it from")] });
    const before = judged([inside, continued], [{ ...held, at: [7, 8, 11, 2_102] }]);
    expect(before).toMatchObject({ inside: [], reasons: [expect.stringContaining("before its write")] });
  });

  test("when whoever applied a write stood still over it, or was killed, that is counted apart", () => {
    const held = fault(10, { kind: "stop-applier", node: "service-1", element: "a-1" });
    const freed = fault(2_100, { kind: "continue", node: "service-1" });
    const killed = fault(3_000, { kind: "kill-applier", node: "service-1", element: "b-1" });
    const unknown: Told = { ...late, at: [7, 8, 9, 1_500], outcome: "unknown" };
    expect(judged([held, freed, killed], [unknown, meanwhile])).toMatchObject({
      landed: [],
      inside: [],
      applierStop: [{ lastedMs: 2_090, overtaken: true }],
      applierKill: [{ element: "b-1" }],
      kills: 0,
      reasons: [],
    });
    expect(judged([held, freed], [unknown]).applierStop[0]?.overtaken).toBe(false);
    // A double has sent the same write, and its leader has not yet.
    expect(judged([held, freed], [{ ...unknown, at: [7, 8, 2_200, 2_300] }])).toMatchObject({
      applierStop: [{ lastedMs: 2_090 }],
      reasons: [],
    });
    expect(judged([held, continued], [unknown])).toMatchObject({
      applierStop: [],
      reasons: ["the pause of service-1 inside its transaction of a-1 was not told of to its end"],
    });
  });

  test("when a connection was cut at a commit, it is known over which write", () => {
    const cut = fault(5, { kind: "cut", node: "a", element: "a-1" });
    expect(judged([cut], [late, meanwhile]).cut).toMatchObject([{ element: "a-1" }]);
  });
});
