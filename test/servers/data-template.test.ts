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
import { type Recipe, template } from "./data-template.js";

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
    make(data) {
      madeCount += 1;
      mkdirSync(join(data, "tables"));
      writeFileSync(join(data, "tables", "one"), `made ${madeCount}`);
    },
  };
  writeFileSync(recipe.program, "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const contents = (path: string): string => readFileSync(join(path, "tables", "one"), "utf8");

test("it is made at the first use, and found from then on", () => {
  const path = template(recipe, cache);
  expect(contents(path)).toBe("made 1");
  expect(template(recipe, cache)).toBe(path);
  expect(madeCount).toBe(1);
});

test("with another program or other settings, it is another", () => {
  const paths = [template(recipe, cache), template({ ...recipe, settings: ["two"] }, cache)];
  writeFileSync(recipe.program, "of another version");
  paths.push(template(recipe, cache));
  expect(new Set(paths).size).toBe(3);
  expect(madeCount).toBe(3);
});

test("when somebody else makes the same in between, theirs is taken", () => {
  let theirs = "";
  const path = template(
    {
      ...recipe,
      make(data) {
        theirs = template(recipe, cache);
        recipe.make(data);
      },
    },
    cache,
  );
  expect(path).toBe(theirs);
  expect(contents(path)).toBe("made 1");
  expect(readdirSync(join(cache, "data"))).toHaveLength(1);
});

test("when it cannot be made, that is the error, and nothing is left", () => {
  const failing = {
    ...recipe,
    make(data: string): void {
      recipe.make(data);
      throw new Error("no space");
    },
  };
  expect(() => template(failing, cache)).toThrow("no space");
  expect(readdirSync(join(cache, "data"))).toEqual([]);
  expect(existsSync(template(recipe, cache))).toBe(true);
});
