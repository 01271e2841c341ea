/** What `npm run swarm:prove` has shown fits the mutants that there are. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf, readMutants } from "../../scripts/mutants.mjs";
import { isOfSwarm, isRed, provenRules, type Shown, swarmPage, unseen } from "../../scripts/swarm-page.mjs";
import { root } from "../architecture/files.js";

const mutants = readMutants(root).filter(isOfSwarm);
const evidence = JSON.parse(readFileSync(join(root, "test/swarm/evidence.json"), "utf8")) as Readonly<
  Record<string, Shown>
>;
const advice = "run `npm run swarm:prove -- ID...` for those that differ";

describe("the evidence of the swarm", () => {
  it("when a mutant has changed, it has been shown again", () => {
    const now = mutants.map(({ id }) => `${id} ${hashOf(join(root, "mutants", `${id}.json`))}`);
    expect(
      Object.entries(evidence).map(([id, { hash }]) => `${id} ${hash}`),
      advice,
    ).toEqual(now);
  });

  it("when a rule is one of 1 to 8 or 10, at least two ways to break it turn the swarm red", () => {
    const counts = provenRules.map(
      (rule) => mutants.filter((mutant) => mutant.rule === rule && isRed(evidence[mutant.id])).length,
    );
    expect(Math.min(...counts), counts.join(" ")).toBeGreaterThanOrEqual(2);
  });

  it("when a mutant is not seen, the reason is named", () => {
    const blind = mutants.filter(({ id }) => !isRed(evidence[id]));
    expect(
      blind.map(({ id }) => id),
      advice,
    ).toEqual(Object.keys(unseen));
  });

  it("when the table is made again, docs/swarm.md holds the same text", () => {
    const page = readFileSync(join(root, "docs/swarm.md"), "utf8");
    expect(page, advice).toBe(swarmPage(page, mutants, evidence));
  });
});
