/** Each broken driver fails the test that is named for it and no unrelated one, so the suite's tests are not hollow. */

import { describe, expect, it } from "vitest";
import { brokenStores, storeContract } from "../../src/testkit/index.js";
import { createRecordingRunner } from "./recording-runner.js";

describe("broken drivers", () => {
  for (const { name, mustFail, mayFail, open, capabilities } of brokenStores) {
    it(`when the driver is broken by "${name}", ${mustFail} fails${mayFail.length === 0 ? " alone" : ""}`, async () => {
      const runner = createRecordingRunner();
      storeContract({ describe: runner.describe, it: runner.it, name, open, capabilities });
      const outcomes = await runner.run();
      const failed = outcomes.filter(({ error }) => error !== undefined);
      expect(runner.skipped).toEqual([]);
      const told = failed.map(({ id, error }) => `${id}: ${String(error)}`);
      expect(told.filter((line) => !mayFail.some((id) => line.startsWith(`${id}: AssertionError`)))).toEqual([
        expect.stringMatching(`^${mustFail}: AssertionError`),
      ]);
    });
  }
});
