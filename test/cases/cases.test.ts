/**
 * Every case of cases/ in virtual time, as one test each. What proves that they can fail is
 * `npm run cases:prove`.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../architecture/files.js";
import { formOf } from "../../scripts/case-forms.mjs";
import type { CaseFacts } from "../../scripts/cases-page.mjs";
import { loadCases } from "./load.js";
import { fileLedger, play } from "./play.js";

declare module "vitest" {
  interface TaskMeta {
    /** Read by `npm run cases:prove`. */
    cases?: readonly CaseFacts[];
    faultCount?: number;
  }
}

const cases = await loadCases();

const here = cases.filter(({ id }) => formOf(id)?.tests === undefined);
const playable = here.filter((one) => "run" in one);
const impossible = here.filter((one) => "notApplicable" in one);

for (const one of playable) {
  it(`${one.id}: ${one.fault} → ${one.mustHold}`, async ({ task }) => {
    task.meta.faultCount = await play(one);
  });
}

// What is refused, and what is not, is the same behind another guard.
for (const one of playable.filter(({ staleCount }) => staleCount !== undefined)) {
  it(`${one.id} with the ledger in a file: ${one.fault} → ${one.mustHold}`, async () => {
    await play(one, fileLedger());
  });
}

for (const { id, fault, mustHold, notApplicable } of impossible) {
  it.skip(`${id}: ${fault} → ${mustHold} (not applicable: ${notApplicable})`, () => {});
}

describe("collected cases", () => {
  it("when a case names a mutant, it is there", ({ task }) => {
    task.meta.cases = cases.map((one) => ({ ...one, run: undefined, keeping: undefined }));
    for (const one of cases) {
      const named = "mutants" in one ? one.mutants : [];
      for (const id of named)
        expect(existsSync(join(root, "mutants", `${id}.json`)), `${one.id}: ${id}`).toBe(true);
    }
  });
});
