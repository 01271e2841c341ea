/** The torture of databases as a process, in short: what it shows in each form, and that it leaves nothing. */

import { describe, expect, test } from "vitest";
import type { ServerName } from "../servers/binaries.js";
import { describeWithServer } from "../servers/with-server.js";
import type { Verdict } from "../../torture/judge.mjs";
import { limitMs, startTorture } from "./start.js";

const places: readonly { readonly name: string; readonly server: ServerName }[] = [
  { name: "postgres", server: "postgres" },
  { name: "sqlite", server: "node22" },
];

async function run(...args: readonly string[]): Promise<{ verdict: Verdict; code: number | null }> {
  const torture = startTorture(...args, "--seconds", "10", "--clients", "4", "--json");
  const { code, stdout, stderr } = await torture.ended;
  expect(stdout, stderr).toContain("tenure.torture/1");
  await torture.nothingLeft();
  return { verdict: JSON.parse(stdout) as Verdict, code };
}

/** What the table says of it, as a number. */
function count(verdict: Verdict, what: string): number {
  const row = verdict.rows.find(([name]) => name === what);
  return Number.parseInt(row?.[1] ?? "", 10);
}

function expectNothingLost(name: string, { verdict, code }: Awaited<ReturnType<typeof run>>): void {
  expect(verdict).toMatchObject({ verdict: "OK", losses: [], reasons: [] });
  expect(code).toBe(0);
  const { landed, needed, overtaken, refused, accepted } = verdict.pauses;
  expect(landed).toBeGreaterThanOrEqual(needed);
  expect({ overtaken, refused, accepted }).toEqual({ overtaken: landed, refused: landed, accepted: 0 });
  expect(count(verdict, "stops inside a transaction")).toBeGreaterThan(0);
  expect(count(verdict, "doubles")).toBeGreaterThan(0);
  // SQLite has no connection to be cut.
  expect(name === "sqlite" || count(verdict, "cuts at a commit") > 0).toBe(true);
}

function expectLosses({ verdict, code }: Awaited<ReturnType<typeof run>>): void {
  expect(verdict.verdict).toBe("FAIL");
  expect(code).toBe(1);
  expect(verdict.pauses.accepted).toBeGreaterThan(0);
  expect(count(verdict, "acknowledged and lost")).toBe(verdict.losses.length);
  expect(verdict.losses[0]).toMatch(/^c\d\.\d+-\d+ of c\d, token \d+: overwritten by c\d\.\d+-\d+ /);
  expect(verdict.reasons.join("\n")).toMatch(/^c\d\.\d+-\d+ was appended again$/m);
}

describe("the torture of databases", () => {
  for (const { name, server } of places) {
    describeWithServer(server, name, () => {
      test(
        "when it is fenced, late writes and doubles are refused and nothing is lost; when it is not, it says what was",
        async () => {
          // Both at once: they sleep most of the time.
          const [fenced, unfenced] = await Promise.all([run(name), run(name, "--unfenced")]);
          expectNothingLost(name, fenced);
          expectLosses(unfenced);
        },
        limitMs,
      );
    });
  }
});
