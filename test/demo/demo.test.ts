import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readEvidence } from "../../src/cli/demo/evidence.js";
import { judge, type Verdict } from "../../src/cli/demo/judge.js";
import type { HistoryLine } from "../../src/history/line.js";
import { type Running, startDemo } from "./command.js";

const limitMs = 60_000;

async function nothingLeft(demo: Running): Promise<void> {
  // Processes end a moment after they were told to.
  await vi.waitFor(() => expect(demo.leftProcesses()).toEqual([]), { timeout: 10_000 });
  expect(demo.leftFiles()).toEqual([]);
}

describe("the built demo", () => {
  test(
    "ends OK, and its kept histories turn the verdict once an overlap is planted",
    async () => {
      const demo = startDemo("--rounds", "1", "--json", "--keep");
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
    },
    limitMs,
  );

  test(
    "with --unsafe it ends with FAIL, since frozen and blocked leaders go on, and says who, when and how long",
    async () => {
      const demo = startDemo("--unsafe", "--rounds", "1");
      const { code, stdout } = await demo.ended;
      expect(code).toBe(1);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe("FAIL");
      const faults = ["SIGSTOP", "blocked event loop"];
      for (const fault of faults) {
        const [, node, token] =
          new RegExp(`${fault} of (\\w+), which leads with token (\\d+)`).exec(stdout) ?? [];
        expect(stdout).toMatch(
          new RegExp(
            "TWO LED AT ONCE for \\d+ ms, from [\\d.]+ s to [\\d.]+ s:\\n {2}\\w+, elected with token \\d+, " +
              `and ${node}, whose check\\(\\) with token ${token} still passed`,
          ),
        );
        expect(stdout).toMatch(new RegExp(`^${fault}.* NO$`, "m"));
      }
      await nothingLeft(demo);
    },
    limitMs,
  );

  test(
    "interrupted while a candidate is stopped, it ends with 130 and leaves neither processes nor files",
    async () => {
      const demo = startDemo("--rounds", "1");
      await demo.says("SIGSTOP of");
      demo.child.kill("SIGINT");
      expect(await demo.ended).toMatchObject({ code: 130, signal: null });
      await nothingLeft(demo);
    },
    limitMs,
  );

  test.each(["SIGSTOP of", "blocked event loop of"])(
    "killed after the %s a candidate, its candidates end by themselves and clear up",
    async (fault) => {
      const demo = startDemo("--rounds", "1");
      await demo.says(fault);
      demo.child.kill("SIGKILL");
      await demo.ended;
      await nothingLeft(demo);
    },
    limitMs,
  );

  test(
    "whose reader goes away, it ends with 141 and leaves neither processes nor files",
    async () => {
      const demo = startDemo("--rounds", "1");
      await demo.says("kill -9 of");
      demo.child.stdout?.destroy();
      expect(await demo.ended).toMatchObject({ code: 141, signal: null });
      await nothingLeft(demo);
    },
    limitMs,
  );

  test("an unknown option is wrong usage: 64, with the help", async () => {
    const { code, stdout, stderr } = await startDemo("--laps", "2").ended;
    expect(code).toBe(64);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/--laps.*Usage: npm run demo/s);
  });

  test("--help prints the options and ends with 0", async () => {
    expect(await startDemo("--help").ended).toMatchObject({ code: 0, stderr: "" });
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
