import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../architecture/files.js";
import { complaints } from "../support/compile.js";

const folder = join(root, "test", "types", "consumer");

test("what users write compiles, and what they must not write does not", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(0);
  expect(
    complaints(
      files.map((name) => join(folder, name)),
      folder,
    ),
  ).toEqual([]);
});

test("when a refusal stops being one, the check says so", () => {
  const file = join(folder, "specimen.ts");
  const text = `// @ts-expect-error nothing is wrong here\nexport const a: number = 1;\n`;
  expect(complaints([file], folder, { virtual: new Map([[file, text]]) })).toEqual([
    expect.stringMatching(/^specimen\.ts:1 TS2578/),
  ]);
});

// The types of these clients are the largest by far.
test("clients of eight packages are taken as their packages type them", { timeout: 180_000 }, () => {
  const clients = join(root, "test", "types", "clients");
  const files = ["redis.ts", "postgres.ts", "mysql.ts"].map((name) => join(clients, name));
  expect(complaints(files, clients)).toEqual([]);
});
