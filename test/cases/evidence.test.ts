/** The evidence fits the files that it speaks of. Made by `npm run cases:prove`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { casesPage, type Evidence } from "../../scripts/cases-page.mjs";
import { hashOfFile } from "../../scripts/hash.mjs";
import { applyMutant, hashOf, readMutants } from "../../src/lab/mutants/mutant.js";
import type { Shown } from "../../src/lab/mutants/prove.js";
import { root } from "../architecture/files.js";
import { loadCases } from "./load.js";

const cases = await loadCases();
const mutants = readMutants(root);
const evidence = JSON.parse(readFileSync(join(root, "cases/evidence.json"), "utf8")) as Evidence;
/** Made by `npm run lab:prove`. */
const labEvidence = JSON.parse(readFileSync(join(root, "test/lab/evidence.json"), "utf8")) as Readonly<
  Record<string, Shown>
>;
const advice = "run `npm run cases:prove -- --changed` and commit what it wrote";

describe("the evidence", () => {
  it("when a case or a mutant has changed, it has been shown again", () => {
    const shown = (entries: Readonly<Record<string, { readonly hash: string }>>): readonly string[] =>
      Object.entries(entries).map(([id, { hash }]) => `${id} ${hash}`);
    const casesNow = cases.map(({ id }) => `${id} ${hashOfFile(join(root, "cases", `${id}.ts`))}`);
    expect(shown(evidence.cases), advice).toEqual(casesNow);
    const mutantsNow = mutants.map((mutant) => `${mutant.id} ${hashOf(mutant)}`);
    expect(shown(evidence.mutants), advice).toEqual(mutantsNow);
  });

  it("when a case names a mutant, it was red on it, and its fault was met", () => {
    for (const one of cases) {
      if ("notApplicable" in one) continue;
      const { red = {}, faultCount = 0 } = evidence.cases[one.id] ?? {};
      expect(Object.keys(red).toSorted(), `${one.id}: ${advice}`).toEqual(one.mutants.toSorted());
      expect(faultCount, one.id).toBeGreaterThan(0);
    }
  });

  it("when a mutant is there, a case, the test that it names, or the lab was red on it", () => {
    const ofCases = Object.values(evidence.cases).flatMap(({ red = {} }) => Object.keys(red));
    const ofLab = Object.keys(labEvidence).filter((id) => labEvidence[id]?.seed !== undefined);
    const killed = new Set([...ofCases, ...ofLab]);
    const alive = mutants.filter(({ id }) => !killed.has(id) && evidence.mutants[id]?.test === undefined);
    expect(
      alive.map(({ id }) => id),
      advice,
    ).toEqual([]);
  });

  it("when the page is made again, docs/cases.md holds the same text", () => {
    expect(readFileSync(join(root, "docs/cases.md"), "utf8"), advice).toBe(
      casesPage(cases, mutants, evidence),
    );
  });
});

describe("mutants", () => {
  it.each(mutants)("$id still changes its file, in one place", (mutant) => {
    const text = readFileSync(join(root, mutant.file), "utf8");
    expect(applyMutant(mutant, text)).not.toBe(text);
  });

  it("each rule of docs/safety.md and docs/fencing.md has at least two", () => {
    const ofLease = Array.from({ length: 13 }, (_, index) => index + 1);
    const ofGuards = Array.from({ length: 7 }, (_, index) => `G${index + 1}`);
    const counts = [...ofLease, ...ofGuards].map(
      (rule) => mutants.filter((mutant) => mutant.rule === rule).length,
    );
    expect(Math.min(...counts), counts.join(" ")).toBeGreaterThanOrEqual(2);
  });
});
