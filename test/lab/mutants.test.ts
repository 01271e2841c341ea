/** The lab finds what is broken on purpose. Evidence is made by `npm run lab:prove`. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { editsOf } from "../../scripts/mutation-operators.mjs";
import { type Counts, labPage } from "../../scripts/lab-page.mjs";
import { openCheckout } from "../../src/lab/mutants/checkout.js";
import { hashOf, type Mutant, readMutants } from "../../src/lab/mutants/mutant.js";
import { prove, type Shown } from "../../src/lab/mutants/prove.js";
import { Scratch } from "../../src/lab/mutants/scratch.js";
import { root } from "../architecture/files.js";

const all = readMutants(root);
const mutants = all.filter(({ lab }) => lab === undefined);
const evidence = JSON.parse(readFileSync(join(root, "test/lab/evidence.json"), "utf8")) as Readonly<
  Record<string, Shown>
>;
const counts = JSON.parse(readFileSync(join(root, "test/lab/mutation.json"), "utf8")) as Readonly<
  Record<string, Counts>
>;
const advice = "run `npm run lab:prove` and commit what it wrote";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenure-lab-mutants-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the evidence of the lab", () => {
  it("when a mutant has changed, it has been tried again", () => {
    expect(
      Object.entries(evidence).map(([id, { hash }]) => `${id} ${hash}`),
      advice,
    ).toEqual(mutants.map((mutant) => `${mutant.id} ${hashOf(mutant)}`));
  });

  it("when a mutant is tried, it is found", () => {
    const survivors = mutants.filter(({ id }) => evidence[id]?.seed === undefined);
    expect(
      survivors.map(({ id }) => id),
      advice,
    ).toEqual([]);
    expect(mutants.length).toBeGreaterThanOrEqual(60);
  });

  it("when a rule of leases or of guards is broken, at least two ways to do it are found", () => {
    const ofLease = Array.from({ length: 13 }, (_, index) => index + 1);
    const ofGuards = Array.from({ length: 7 }, (_, index) => `G${index + 1}`);
    const poor = [...ofLease, ...ofGuards].filter(
      (rule) => mutants.filter((mutant) => mutant.rule === rule).length < 2,
    );
    expect(poor).toEqual([]);
  });

  it("when a mutant is none of the lab's, the reason is one line", () => {
    const poor = all.filter(({ lab }) => lab !== undefined && !/^[^\n|]{20,160}$/.test(lab));
    expect(poor.map(({ id }) => id)).toEqual([]);
  });

  it("when the page is made again, docs/lab-mutants.md holds the same text", () => {
    expect(readFileSync(join(root, "docs/lab-mutants.md"), "utf8"), advice).toBe(
      labPage(all, evidence, counts),
    );
  });
});

describe("edits of the pure core", () => {
  it("when one is said to make no difference, it can still be made, and the reason is one line", () => {
    const reasons = JSON.parse(readFileSync(join(root, "test/lab/survivors.json"), "utf8")) as Readonly<
      Record<string, string>
    >;
    const files = new Set(Object.keys(reasons).map((key) => key.split(" ")[0] ?? ""));
    const keys = new Set(
      [...files].flatMap((file) =>
        editsOf(file, readFileSync(join(root, file), "utf8")).map(({ key }) => key),
      ),
    );
    const stale = Object.entries(reasons).filter(
      ([key, reason]) => !keys.has(key) || !/^[^\n]{20,200}$/.test(reason),
    );
    expect(stale).toEqual([]);
  });

  it("when they were all tried, each was refused, found or explained, in every file of the core", () => {
    const cores = readdirSync(join(root, "src/lease")).filter((name) => /^core.*(?<!-types)\.ts$/.test(name));
    const files = [...cores.map((name) => `src/lease/${name}`), "src/fence/guard.ts"];
    expect(Object.keys(counts).toSorted(), "run `npm run mutation`").toEqual(files.toSorted());
    const open = Object.entries(counts).filter(
      ([, { edits, refused, quick, lab, tests, labelled, alive }]) => {
        return alive > 0 || edits !== refused + quick + lab + tests + labelled;
      },
    );
    expect(open).toEqual([]);
  });

  it("when a file is edited, each edit has a key of its own and changes the text", () => {
    const file = "src/lease/core-verdict.ts";
    const text = readFileSync(join(root, file), "utf8");
    const edits = editsOf(file, text);
    expect(edits.length).toBeGreaterThan(20);
    expect(new Set(edits.map(({ key }) => key)).size).toBe(edits.length);
    expect(edits.filter((edit) => edit.text === text)).toEqual([]);
  });
});

describe("mutants in the lab", () => {
  it("when a mutant is tried, the lab runs its file", async () => {
    const { files } = new Scratch(await openCheckout(), join(folder, "files"));
    expect(mutants.filter(({ file }) => !files.has(file)).map(({ id, file }) => `${id} ${file}`)).toEqual([]);
  });

  it("when a rule is broken, the seed that has shown it is red again", async () => {
    const some = quickest(5);
    const shown = await found(some);
    expect(some.filter(({ id }) => shown.get(id)?.seed === undefined)).toEqual([]);
  }, 60_000);

  it("when a world never ends, or its thread does, it is given up and counts as found", async () => {
    const loops = edited("looping", "for (;;);");
    const dies = edited("dying", 'queueMicrotask(() => { throw new Error("nobody listens"); });');
    const shown = await found([loops, dies]);
    expect(shown.get("looping")).toMatchObject({ seed: 1, why: "hangs: a world never ends" });
    expect(shown.get("dying")).toMatchObject({ seed: 1, why: "dies: nobody listens" });
  }, 60_000);
});

/** Does this at each step of the core. */
function edited(id: string, statement: string): Mutant {
  const find = "export function consider(state: CoreState): void {\n";
  const edit = { find, replace: `${find}${statement}` };
  return { id, rule: "none", file: "src/lease/core-race.ts", breaks: "A world ends.", ...edit };
}

/** One for each file that is found at once. */
function quickest(count: number): readonly Mutant[] {
  const first = mutants.filter(({ id }) => evidence[id]?.seed === 1);
  const byFile = new Map(first.map((mutant) => [mutant.file, mutant]));
  return [...byFile.values()].slice(0, count);
}

async function found(some: readonly Mutant[]): Promise<ReadonlyMap<string, Shown>> {
  return prove({
    checkout: await openCheckout(),
    folder,
    mutants: some,
    seeds: { from: 1, to: 3 },
    stuckMs: 8_000,
    lanes: 2,
    shown() {},
    passedOver(seed, why) {
      throw new Error(`seed ${seed} is red without a mutant: ${why}`);
    },
    signal: new AbortController().signal,
  });
}
