/** Foreign parts from files, and what they do wrong in other ways than by electing, storing and guarding. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Elector, ElectorParts } from "../../src/lab/foreign/elector.js";
import { loadParts } from "../../src/lab/foreign/load.js";
import type { Parts } from "../../src/lab/foreign/parts.js";
import { createElector } from "../../src/lab/index.js";
import { planFor } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";
import { runToEnd } from "../support/child.js";
import { root } from "../architecture/files.js";

const folder = mkdtempSync(join(tmpdir(), "tenure-lab-parts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("when a file is named for a part", () => {
  test("its factory is taken, also from CommonJS, and an elector may say what it assumes", async () => {
    const elector = file(
      "elector.mjs",
      "export const assumptions = { clockRates: 1.1 };\nexport function createElector() {}\n",
    );
    const guard = file("guard.cjs", "module.exports = { createGuard() {} };\n");
    const parts = await loadParts({ elector, guard });
    expect(parts).toEqual({
      createElector: expect.any(Function) as unknown,
      createGuard: expect.any(Function) as unknown,
      assumptions: { clockRates: 1.1 },
    });
  });

  test("naive and tenure are electors that need no file", async () => {
    expect(await loadParts({ elector: "tenure" })).toEqual({ createElector });
    expect((await loadParts({ elector: "naive" })).createElector).not.toBe(createElector);
  });

  test.each([
    [
      "it is not there",
      { elector: join(folder, "none.mjs") },
      /^INVALID_OPTION: --elector .*none\.mjs: cannot be found/,
    ],
    [
      "it does not parse",
      { guard: file("broken.mjs", "export function {") },
      /^INVALID_OPTION: --guard .*broken\.mjs: cannot be loaded: /,
    ],
    [
      "what it must export is missing",
      { storeModule: file("other.mjs", "export const a = 1, b = 2;\n") },
      /--store-module .*other\.mjs: no function createStore is exported; it exports a, b$/,
    ],
    [
      "it exports nothing",
      { guard: file("empty.mjs", "") },
      /--guard .*empty\.mjs: no function createGuard is exported; it exports nothing$/,
    ],
    [
      "what it exports is no function",
      { elector: file("object.mjs", "export const createElector = {};\n") },
      /--elector .*object\.mjs: its export createElector is no function but object$/,
    ],
    [
      "it assumes what nobody knows",
      {
        elector: file(
          "odd.mjs",
          "export const assumptions = { luck: 1 };\nexport function createElector() {}\n",
        ),
      },
      /--elector .*odd\.mjs: assumptions\.luck is unknown; known are clockRates and sleep$/,
    ],
  ])("when %s, the error names option, file and what is wrong", async (_why, files, message) => {
    await expect(loadParts(files)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringMatching(message) as string,
    });
  });
});

async function brokenBy(parts: Parts): Promise<readonly string[]> {
  return (await run(planFor("default", { seed: 1, faultyMs: 60_000, parts }))).broken;
}

/** Ours, with some of it done otherwise. */
function changed(change: (parts: ElectorParts, inner: Elector) => Partial<Elector>): Parts {
  return {
    createElector(parts) {
      const inner = createElector(parts);
      return {
        start: () => inner.start(),
        check: () => inner.check(),
        token: () => inner.token(),
        stop: async () => inner.stop(),
        ...change(parts, inner),
      };
    },
  };
}

function fails(message: string): never {
  throw new Error(message);
}

describe("when a part fails in another way than by its work", () => {
  const promised = async (): Promise<boolean> => true;
  test.each<[string, Parts, RegExp]>([
    ["it throws as it is made", { createElector: () => fails("no") }, /^createElector threw Error: no/],
    [
      "a store is not one",
      { createStore: () => ({}) as never },
      /^createStore: what it made has no methods read and write/,
    ],
    [
      "a guard is not one",
      { createGuard: () => ({}) as never },
      /^createGuard: what it made has no method claim/,
    ],
    [
      "it misses methods",
      { createElector: () => ({}) as never },
      /: what it made has no method start, check, token, stop/,
    ],
    [
      "start() throws",
      changed(() => ({ start: () => fails("no") })),
      /^createElector: a: start\(\) failed: Error: no/,
    ],
    ["check() throws", changed(() => ({ check: () => fails("no") })), /: check\(\) failed: Error: no/],
    [
      "check() answers a promise",
      changed(() => ({ check: promised as never })),
      /: check\(\) answered a promise; it must answer true or false/,
    ],
    [
      "it leads without a token",
      changed(() => ({ token: () => undefined })),
      /check\(\) passes, and token\(\) is undefined/,
    ],
    ["stop() rejects", changed(() => ({ stop: async () => fails("no") })), /: stop\(\) failed: Error: no/],
    [
      "its timer rejects",
      changed(({ clock }, inner) => ({
        start() {
          inner.start();
          const tick: () => unknown = async () => fails("no");
          clock.setTimer(10, tick);
        },
      })),
      /: a timer of its failed: Error: no/,
    ],
    [
      "what it writes is no record",
      changed(({ store, key }) => ({
        start() {
          store.write(key, { note: 1 } as never, undefined, {} as never).catch(() => {});
        },
      })),
      /writes what is no lease record/,
    ],
    [
      "it takes its time from elsewhere",
      changed(() => ({ start() {}, check: () => false })),
      /^createElector: nobody passes check\(\) .* none of them has ever set a timer/,
    ],
  ])("%s, and that is told as its failure", async (_what, parts, story) => {
    const broken = await brokenBy(parts);
    expect(broken[0]).toMatch(story);
  });

  test("when it draws chance from elsewhere, the failure is said not to come again", async () => {
    const broken = await brokenBy(
      changed((_, inner) => ({ check: () => inner.check() || Math.random() < 0.02 })),
    );
    expect(broken.at(-1)).toMatch(/^the same seed once more went another way/);
  });

  test("when its failures come again, nothing is said of that", async () => {
    expect((await brokenBy({ createElector: () => fails("no") })).join()).not.toMatch(/once more/);
  });

  test("a promise that it let fall is heard, and ends no process", () => {
    const part = file(
      "falls.mjs",
      `import { createElector as inner } from ${JSON.stringify(join(root, "dist/lab/index.js"))};
       export function createElector(parts) {
         const elector = inner(parts);
         parts.clock.setTimer(10, () => void Promise.reject(new Error("let fall")));
         return { start: () => elector.start(), check: () => elector.check(), token: () => elector.token(), stop: () => elector.stop() };
       }`,
    );
    const args = [
      "dist/cli/main.js",
      "lab",
      "run",
      "--elector",
      part,
      "--seeds",
      "1",
      "--seconds",
      "30",
      "--json",
    ];
    const { code, stdout, stderr } = runToEnd("node", args, root);
    expect(code, stderr).toBe(123);
    expect(stdout).toMatch(/a promise was rejected and nobody heard: Error: let fall/);
  });
});
