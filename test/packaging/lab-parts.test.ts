/** The templates of the lab's parts, where users have them: beside their own files, with the package installed. */

import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runToEnd } from "../support/child.js";
import { installPackage } from "./installed.js";

const installed = installPackage("tenure");
afterAll(() => installed.remove());

const { folder } = installed;
const templates = join(folder, "node_modules", "tenure", "examples", "lab");
for (const name of readdirSync(templates)) copyFileSync(join(templates, name), join(folder, `my-${name}`));

function labRun(...args: readonly string[]): ReturnType<typeof runToEnd> {
  const command = join(folder, "node_modules", ".bin", "tenure");
  return runToEnd(command, ["lab", "run", "--seeds", "6", "--seconds", "60", ...args], folder, 120_000);
}

test.each([
  [["--elector", "my-elector.mjs"]],
  [["--store-module", "my-store.mjs"]],
  [["--guard", "my-guard.mjs"]],
  [["--elector", "my-elector.mjs", "--store-module", "my-store.mjs", "--guard", "my-guard.mjs"]],
])("when a template is copied and run as it is, no promise is broken: %j", { timeout: 150_000 }, (args) => {
  const { code, stdout, stderr } = labRun(...args);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/violations +none/);
});

test("when a copy misses what it must export, the command says so and runs nothing", () => {
  const { code, stderr } = labRun("--guard", "my-store.mjs");
  expect({ code, stderr }).toEqual({
    code: 64,
    stderr: expect.stringMatching(
      /--guard my-store\.mjs: no function createGuard is exported; it exports createStore/,
    ) as string,
  });
});
