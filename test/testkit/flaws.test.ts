/** Every test of the suite can fail: a flaw of the driver turns it red. */

import { describe, expect, it } from "vitest";
import { registerCapabilities } from "../../src/testkit/broken/register.js";
import { brokenStores, storeContract } from "../../src/testkit/index.js";
import { leaseCases } from "../../src/testkit/lease/cases.js";
import { registerCases } from "../../src/testkit/register/cases.js";
import { flaws } from "./flaws.js";
import { createRecordingRunner } from "./recording-runner.js";

describe("flaws", () => {
  for (const { id, what, open } of flaws) {
    it(`when a driver ${what}, ${id} fails`, async () => {
      const runner = createRecordingRunner();
      const { describe, it } = runner;
      const only = { open: async () => open(), capabilities: registerCapabilities };
      storeContract({ describe, it, name: what, ...only });
      const outcomes = await runner.run([id]);
      expect(outcomes.map(({ error }) => error)).toEqual([expect.any(Error)]);
    });
  }

  it("when the flaws are counted, every test has one", () => {
    const covered = new Set([...flaws.map(({ id }) => id), ...brokenStores.map(({ mustFail }) => mustFail)]);
    expect([...registerCases, ...leaseCases].map(({ id }) => id).filter((id) => !covered.has(id))).toEqual(
      [],
    );
  });
});
