/** The torture as a process: what it shows in each form, how it ends, and that it leaves nothing. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { judgeRun, type Verdict } from "../../torture/judge.mjs";
import type { Plan } from "../../torture/places.mjs";
import { limitMs, startTorture } from "./start.js";

/** The newest version of the fenced set, changed as no guard would do it. */
function forgeSet(directory: string, change: (set: readonly string[]) => readonly string[]): void {
  const folder = join(directory, "resource", "_set");
  // A writer that was killed may have left a temporary file.
  const versions = readdirSync(folder).filter((name) => /^\d/.test(name));
  const newest = join(folder, versions.toSorted().at(-1) ?? "");
  const version = JSON.parse(readFileSync(newest, "utf8")) as { value: readonly string[] };
  writeFileSync(newest, `${JSON.stringify({ ...version, value: change(version.value) })}\n`);
}

/** Elements that clients were told are in the set. */
function acknowledged(kept: string): ReadonlySet<string> {
  const lines = readdirSync(join(kept, "work")).flatMap((name) =>
    readFileSync(join(kept, "work", name), "utf8").split("\n"),
  );
  const told = lines.filter((line) => line.includes('"kind":"acknowledged"'));
  return new Set(told.map((line) => (JSON.parse(line) as { element: string }).element));
}

/** Written over behind the guard's back, and put right again. */
async function plantALoss(kept: string): Promise<void> {
  // What a killed client wrote and was not told of may go unnoticed.
  const told = acknowledged(kept);
  let before: readonly string[] = [];
  let gone = "";
  forgeSet(kept, (set) => {
    before = set;
    gone = set.find((element) => told.has(element)) ?? "";
    return set.filter((element) => element !== gone);
  });
  const { verdict, losses, reasons } = await judgeRun(kept);
  expect(verdict).toBe("FAIL");
  expect(losses).toEqual([expect.stringMatching(new RegExp(`^${gone} of c`))]);
  expect(reasons.join("\n")).toMatch(new RegExp(`version \\d+ of the set has lost ${gone}`));
  forgeSet(kept, () => before);
  expect((await judgeRun(kept)).verdict).toBe("OK");
}

/** Acknowledged to a client, and nothing of it on disk. */
async function plantAnAcknowledgement(kept: string): Promise<void> {
  const about = { node: "c1", token: 1, element: "never" };
  const lines = [
    { kind: "read", at: "2", readAt: "1", saw: { size: 0, last: null }, ...about },
    { kind: "sent", at: "3", element: "never" },
    { kind: "acknowledged", at: "4", element: "never" },
  ];
  const file = join(kept, "work", "forged.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { verdict, losses } = await judgeRun(kept);
  expect(verdict).toBe("FAIL");
  expect(losses).toEqual([expect.stringMatching(/^never of c1, token 1: overwritten by c/)]);
  rmSync(file);
}

/** A late write that was not applied, for some other reason. */
async function plantAnotherRefusal(kept: string): Promise<void> {
  for (const name of readdirSync(join(kept, "work"))) {
    const file = join(kept, "work", name);
    const text = readFileSync(file, "utf8");
    const forged = text.replace('"kind":"refused","code":"STALE"', '"kind":"failed","code":"DISK_FULL"');
    writeFileSync(file, forged);
    if (forged === text) continue;
    const { verdict, reasons } = await judgeRun(kept);
    expect(verdict).toBe("FAIL");
    expect(reasons).toEqual([expect.stringMatching(/late write .* not refused .* failed with DISK_FULL/)]);
    writeFileSync(file, text);
    return;
  }
  throw new Error("no late write was refused");
}

async function demandMore(kept: string): Promise<void> {
  const file = join(kept, "plan.json");
  const plan = JSON.parse(readFileSync(file, "utf8")) as Plan;
  writeFileSync(file, JSON.stringify({ ...plan, neededPauses: 99 }));
  expect((await judgeRun(kept)).reasons).toEqual([expect.stringContaining("fewer than 99 show nothing")]);
}

/** Every late write is refused and nothing is lost; a planted loss turns the verdict. */
async function runFenced(): Promise<void> {
  const torture = startTorture("set", "--seconds", "10", "--seed", "5", "--json", "--keep");
  const { code, stdout, stderr } = await torture.ended;
  const verdict = JSON.parse(stdout || "{}") as Verdict;
  expect(verdict, stderr).toMatchObject({ schema: "tenure.torture/1", verdict: "OK" });
  expect(verdict).toMatchObject({ losses: [], reasons: [] });
  expect(code).toBe(0);
  const { landed, needed, overtaken, refused, accepted, shortestMs } = verdict.pauses;
  expect(landed).toBeGreaterThanOrEqual(needed);
  expect({ overtaken, refused, accepted }).toEqual({ overtaken: landed, refused: landed, accepted: 0 });
  expect(shortestMs).toBeGreaterThan(2_000);

  const kept = /kept: (.+)$/m.exec(stderr)?.[1] ?? "";
  expect(await judgeRun(kept)).toEqual(verdict);
  await plantALoss(kept);
  await plantAnAcknowledgement(kept);
  await plantAnotherRefusal(kept);
  await demandMore(kept);
}

/** Late writes are accepted, and it says what was lost and to whom. */
async function runUnfenced(): Promise<void> {
  const torture = startTorture("set", "--unfenced", "--seconds", "10");
  const { code, stdout, stderr } = await torture.ended;
  expect(stdout, stderr).toMatch(/^ +and the late write was accepted +[1-9]/m);
  expect(stdout).toMatch(/^acknowledged and lost +[1-9]/m);
  expect(stdout).toMatch(/^LOST {2}c\d\.\d+-\d+ of c\d, token \d+: overwritten by c\d\.\d+-\d+ of c\d, /m);
  expect(stdout).toMatch(/^FAIL {2}I3: "set" accepted/m);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("FAIL");
  expect(code).toBe(1);
  await torture.nothingLeft();
}

async function runCalm(): Promise<void> {
  const store = mkdtempSync(join(tmpdir(), "tenure-test-"));
  onTestFinished(() => rmSync(store, { recursive: true, force: true }));
  const torture = startTorture("set", "--unfenced", "--calm", "--seconds", "5", "--store", `file:${store}`);
  const { code, stdout, stderr } = await torture.ended;
  expect(stdout, stderr).toMatch(/^acknowledged and lost +0$/m);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("OK");
  expect(code).toBe(0);
  expect(readdirSync(store)).toContain("marker.json");
  await torture.nothingLeft();
}

async function runWithoutFiles(): Promise<void> {
  const torture = startTorture("set", "--seconds", "30");
  await torture.says("writes acknowledged");
  torture.removeFiles();
  const { code, stdout, stderr } = await torture.ended;
  expect(stderr).toContain("the torture itself failed: ");
  expect(stdout).not.toMatch(/^(OK|FAIL)$/m);
  expect(code).toBe(125);
  await torture.nothingLeft();
}

async function endBy(
  signal: NodeJS.Signals,
  ended: { readonly code: number | null; readonly signal: NodeJS.Signals | null },
): Promise<void> {
  const torture = startTorture("set", "--seconds", "30", "--ttl", "10s", "--seed", "3");
  await torture.says(" stand still");
  torture.process.kill(signal);
  expect(await torture.ended).toMatchObject(ended);
  await torture.nothingLeft();
}

// Two at once: they sleep most of the time.
describe("the torture of a set", () => {
  test(
    "when it is fenced, every late write is refused and nothing is lost; when it is not, it says what was",
    async () => void (await Promise.all([runFenced(), runUnfenced()])),
    limitMs,
  );

  test(
    "when nobody is stopped or killed, nothing is lost, guard or not; when its directory is removed, it ends with 125",
    async () => void (await Promise.all([runCalm(), runWithoutFiles()])),
    limitMs,
  );

  test(
    "when it is interrupted or killed while a client is stopped, it leaves neither processes nor files",
    async () => {
      const interrupted = endBy("SIGINT", { code: 130, signal: null });
      const killed = endBy("SIGKILL", { code: null, signal: "SIGKILL" });
      await Promise.all([interrupted, killed]);
    },
    limitMs,
  );

  test("when the store is one that there is not, it is wrong usage, and nothing was begun", async () => {
    const torture = startTorture("set", "--store", "nosuch://user:secret@host/1");
    const { code, stderr } = await torture.ended;
    expect(code).toBe(64);
    expect(stderr).toContain("nosuch://user:***@host/1");
    expect(stderr).not.toContain("secret");
    await torture.nothingLeft();
  });
});
