/** Data folders that are made once and copied: when they are made, and that none is left half made. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Recipe, run, template } from "./data-template.js";

let folder: string;
let cache: string;
let recipe: Recipe;
let madeCount: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenure-test-"));
  cache = join(folder, "cache");
  madeCount = 0;
  recipe = {
    ...{ name: "database", program: join(folder, "program"), settings: ["one"], owner: undefined },
    async make(data) {
      madeCount += 1;
      mkdirSync(join(data, "tables"));
      writeFileSync(join(data, "tables", "one"), `made ${madeCount}`);
    },
  };
  writeFileSync(recipe.program, "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const contents = (path: string): string => readFileSync(join(path, "tables", "one"), "utf8");

test("it is made at the first use, and found from then on", async () => {
  const path = await template(recipe, cache);
  expect(contents(path)).toBe("made 1");
  expect(await template(recipe, cache)).toBe(path);
  expect(madeCount).toBe(1);
});

test("with another program or other settings, it is another", async () => {
  const paths = [await template(recipe, cache), await template({ ...recipe, settings: ["two"] }, cache)];
  writeFileSync(recipe.program, "of another version");
  paths.push(await template(recipe, cache));
  expect(new Set(paths).size).toBe(3);
  expect(madeCount).toBe(3);
});

test("when somebody else makes the same in between, theirs is taken", async () => {
  let theirs = "";
  const path = await template(
    {
      ...recipe,
      async make(data) {
        theirs = await template(recipe, cache);
        await recipe.make(data);
      },
    },
    cache,
  );
  expect(path).toBe(theirs);
  expect(contents(path)).toBe("made 1");
  expect(readdirSync(join(cache, "data"))).toHaveLength(1);
});

test("when it cannot be made, that is the error, and nothing is left", async () => {
  const failing = {
    ...recipe,
    async make(data: string): Promise<void> {
      await recipe.make(data);
      throw new Error("no space");
    },
  };
  await expect(template(failing, cache)).rejects.toThrow("no space");
  expect(readdirSync(join(cache, "data"))).toEqual([]);
  expect(existsSync(await template(recipe, cache))).toBe(true);
});

test("a tool that fails is an error with what it said", async () => {
  await expect(run("/bin/sh", ["-c", "cat; echo no >&2; exit 3"], { input: "asked " })).rejects.toThrow(
    /sh ended with 3:\n.*asked/,
  );
  await expect(run("/no/such/tool", [])).rejects.toThrow("ENOENT");
});
