/** Each broken guard fails exactly the test that is named for it, so the suite's tests are not hollow. */

import { describe, expect, it } from "vitest";
import { brokenGuards, guardContract } from "../../src/testkit/index.js";
import { createRecordingRunner } from "./recording-runner.js";

describe("broken guards", () => {
  for (const { name, mustFail, open, capabilities } of brokenGuards) {
    it(`when the guard is broken by "${name}", exactly ${mustFail} fails`, async () => {
      const runner = createRecordingRunner();
      guardContract({ describe: runner.describe, it: runner.it, name, open, capabilities });
      const outcomes = await runner.run();
      const failed = outcomes.filter(({ error }) => error !== undefined);
      expect(runner.skipped).toEqual([]);
      expect(failed.map(({ id, error }) => `${id}: ${String(error)}`)).toEqual([
        expect.stringMatching(`^${mustFail}: AssertionError`),
      ]);
    });
  }
});
