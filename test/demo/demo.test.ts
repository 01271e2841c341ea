import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readEvidence } from "../../src/cli/demo/evidence.js";
import { judge, type Verdict } from "../../src/cli/demo/judge.js";
import type { HistoryLine } from "../../src/history/line.js";
import { type Demo, startDemo } from "./command.js";

const limitMs = 60_000;

// They sleep most of the time.
vi.setConfig({ maxConcurrency: 2 });

async function nothingLeft(demo: Demo): Promise<void> {
  // Processes end a moment after they were told to.
  await vi.waitFor(() => expect(demo.leftProcesses()).toEqual([]), { timeout: 10_000 });
  expect(demo.leftFiles()).toEqual([]);
}

describe.concurrent("the built demo", () => {
  test(
    "ends OK, and its kept histories turn the verdict once an overlap is planted",
    async (context) => {
      const demo = startDemo(context, "--rounds", "1", "--json", "--keep");
      const { code, stdout, stderr } = await demo.ended;
      const verdict = JSON.parse(stdout) as Verdict;
      expect(verdict.reasons).toEqual([]);
      expect(verdict).toMatchObject({ schema: "tenure.demo/1", verdict: "OK" });
      expect(code).toBe(0);
      expect(verdict.faults.map(({ fault, ok }) => `${fault} ${ok}`)).toEqual([
        "kill true",
        "freeze true",
        "block true",
        "stop true",
        "transfer true",
      ]);
      const { stale, repliesLost, duplicatesAnswered, ledger, journal, replays } = verdict.work ?? {};
      // One write under way and two more, by the frozen leader and by the blocked one.
      expect(stale).toEqual({ tried: 6, refused: 6 });
      expect(verdict.faults.map((row) => row.stale?.refused)).toEqual([
        undefined,
        3,
        3,
        undefined,
        undefined,
      ]);
      expect(duplicatesAnswered).toBeGreaterThan(0);
      expect(repliesLost).toBeGreaterThanOrEqual(duplicatesAnswered ?? 0);
      expect(ledger).toMatchObject({ intact: true });
      expect(ledger?.operations).toBeGreaterThanOrEqual(ledger?.acknowledged ?? Infinity);
      expect(journal).toMatchObject({ intact: true });
      expect(replays?.made).toBeGreaterThanOrEqual(6);
      expect(replays?.whole).toBe(replays?.made);
      const root = /kept: (.+)$/m.exec(stderr)?.[1] ?? "";
      expect(demo.leftProcesses()).toEqual([]);
      expect(judge(await readEvidence(root))).toEqual(verdict);

      const { victim, nextToken, token } = verdict.faults[0]?.rounds[0] ?? {
        victim: "",
        nextToken: 0,
        token: 0,
      };
      appendFileSync(
        join(root, "histories", `${victim}-1.jsonl`),
        `${await overlap(root, token, nextToken)}\n`,
      );
      const forged = judge(await readEvidence(root));
      expect(forged.verdict).toBe("FAIL");
      expect(forged.reasons.join("\n")).toMatch(/I2: .* both led for 1.000 ms/);
      expect(forged.reasons.join("\n")).toMatch(/kill: two candidates believed for 1 ms/);

      // And a claim that an operation was done of which the ledger knows nothing.
      const never = { kind: "acknowledged", resource: "ledger", opId: "never", number: 3, duplicate: false };
      const line = JSON.stringify({ ...never, node: victim, token });
      appendFileSync(join(root, "work", `${victim}-1.jsonl`), `${line}\n`);
      const claimed = judge(await readEvidence(root)).reasons.join("\n");
      expect(claimed).toMatch(/ledger: never of \w+ with token \d+ lost: overwritten by /);
    },
    limitMs,
  );

  test(
    "with --unsafe it ends with FAIL, since frozen and blocked leaders go on, and says who, when, how long and what was lost",
    async (context) => {
      const demo = startDemo(context, "--unsafe", "--rounds", "1");
      const { code, stdout } = await demo.ended;
      expect(code).toBe(1);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe("FAIL");
      const faults = ["SIGSTOP", "blocked event loop"];
      expect(stdout.match(/^(SIGSTOP|blocked event loop).* 0 of 1 +NO$/gm)).toHaveLength(2);
      for (const fault of faults) {
        const [, node, token] =
          new RegExp(`${fault} of (\\w+), which leads with token (\\d+)`).exec(stdout) ?? [];
        expect(stdout).toMatch(
          new RegExp(
            "TWO LED AT ONCE for \\d+ ms, from [\\d.]+ s to [\\d.]+ s:\\n {2}\\w+, elected with token \\d+, " +
              `and ${node}, whose check\\(\\) with token ${token} still passed`,
          ),
        );
        expect(stdout).toMatch(
          new RegExp(
            `LOST UPDATE: .*:\\n  overwritten by ${node}-${token}-\\d+ with token ${token}, which stands as`,
          ),
        );
      }
      await nothingLeft(demo);
    },
    limitMs,
  );

  test(
    "interrupted while a candidate is stopped, it ends with 130 and leaves neither processes nor files",
    async (context) => {
      const demo = startDemo(context, "--rounds", "1");
      await demo.says("SIGSTOP of");
      demo.process.kill("SIGINT");
      expect(await demo.ended).toMatchObject({ code: 130, signal: null });
      await nothingLeft(demo);
    },
    limitMs,
  );

  test.for(["SIGSTOP of", "blocked event loop of"])(
    "killed after the %s a candidate, its candidates end by themselves and clear up",
    { timeout: limitMs },
    async (fault, context) => {
      const demo = startDemo(context, "--rounds", "1");
      await demo.says(fault);
      demo.process.kill("SIGKILL");
      await demo.ended;
      await nothingLeft(demo);
    },
  );

  test(
    "whose reader goes away, it ends with 141 and leaves neither processes nor files",
    async (context) => {
      const demo = startDemo(context, "--rounds", "1");
      await demo.says("kill -9 of");
      demo.process.stdout?.destroy();
      expect(await demo.ended).toMatchObject({ code: 141, signal: null });
      await nothingLeft(demo);
    },
    limitMs,
  );

  test(
    "whose directory was removed, so that a dead candidate has no log to quote, it ends with 125 and not with a verdict",
    async (context) => {
      const demo = startDemo(context, "--rounds", "1");
      await demo.says("the others follow");
      demo.removeFiles();
      demo.killCandidate();
      const { code, stderr } = await demo.ended;
      expect(stderr).toMatch(/the demo itself failed: Error: ENOENT/);
      expect(code).toBe(125);
      await nothingLeft(demo);
    },
    limitMs,
  );

  test("an unknown option is wrong usage: 64, with the help", async (context) => {
    const { code, stdout, stderr } = await startDemo(context, "--laps", "2").ended;
    expect(code).toBe(64);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/--laps.*Usage: npm run demo/s);
  });

  test("--help prints the options and ends with 0", async (context) => {
    expect(await startDemo(context, "--help").ended).toMatchObject({ code: 0, stderr: "" });
  });
});

/** A renewal of the killed leader, as it could have written it, that reaches 1 ms into the next term. */
async function overlap(root: string, token: number, nextToken: number): Promise<string> {
  const { lines } = await readEvidence(root);
  const last = lines.findLast((line) => line.event === "extended" && line.token === token);
  const next = lines.find((line) => line.event === "elected" && line.token === nextToken);
  if (last === undefined || next === undefined) throw new Error("the histories tell of no takeover");
  const forged = { ...last, at: String(BigInt(last.at) + 1n), until: String(BigInt(next.at) + 1_000_000n) };
  return JSON.stringify(forged satisfies HistoryLine);
}
