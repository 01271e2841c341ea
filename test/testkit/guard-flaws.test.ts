/** Every test of the guard suite can fail: a flaw of the guard turns it red. */

import { describe, expect, it } from "vitest";
import { registerGuardCapabilities } from "../../src/testkit/guard/broken/register.js";
import { guardCases } from "../../src/testkit/guard/cases.js";
import { brokenGuards, guardContract } from "../../src/testkit/index.js";
import { guardFlaws } from "./guard-flaws.js";
import { createRecordingRunner, idOf } from "./recording-runner.js";

describe("flaws of guards", () => {
  for (const { id, what, open } of guardFlaws) {
    it(`when a guard ${what}, ${id} fails`, async () => {
      const runner = createRecordingRunner();
      const { describe, it } = runner;
      const only = { open: async () => open(), capabilities: registerGuardCapabilities };
      guardContract({ describe, it, name: what, ...only });
      const outcomes = await runner.run([id]);
      expect(outcomes.map(({ error }) => String(error))).toEqual([expect.stringMatching(/^AssertionError/)]);
    });
  }

  it("when the flaws are counted, every test has one", () => {
    const covered = new Set([
      ...guardFlaws.map(({ id }) => id),
      ...brokenGuards.map(({ mustFail }) => mustFail),
    ]);
    expect(guardCases.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });
});

describe("the guard contract", () => {
  it("when it is declared, each test has an id of its own in kebab case, and what is left out says why", () => {
    const runner = createRecordingRunner();
    guardContract({
      describe: runner.describe,
      it: runner.it,
      name: "register",
      open: async () => expect.unreachable("nothing is run"),
      capabilities: { ...registerGuardCapabilities, savesResults: false },
      skip: { pause: "nothing can stop it", "fence-as-json": "for this test" },
    });
    const ids = [...runner.titles, ...runner.skipped].map(idOf);
    expect(new Set(ids).size).toBe(guardCases.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
    expect(runner.skipped.map((title) => [idOf(title), title.slice(title.lastIndexOf("("))])).toEqual([
      ["fence-as-json", "(skipped: for this test)"],
      ["frozen-write-refused", "(skipped: nothing can stop it)"],
      ["sent-twice-applied-once", "(skipped: nothing can stop it)"],
      ["failed-write-frees-its-number", "(skipped: nothing can stop it)"],
      ["oversized-result-writes-nothing", "(skipped: the driver declares savesResults: false)"],
    ]);
  });
});
