import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../architecture/files.js";
import { runToEnd } from "./child.js";

const specimens: Readonly<Record<string, string>> = {
  "fails-to-load.test.ts": `import "./missing.js";\n`,
  "hook.test.ts": `import { beforeAll, describe, test } from "vitest";
    describe("group", () => { beforeAll(() => { throw new Error("no"); }); test("never ran", () => {}); });`,
  "mixed.test.ts": `import { expect, test } from "vitest";
    test("passes", () => {}); test("fails", () => { expect(1).toBe(2); }); test.skip("waits", () => {}); test.todo("later");`,
};

test("when files, hooks and tests fail, the last line counts each of them and the run fails", () => {
  mkdirSync(join(root, "temp"), { recursive: true });
  const folder = mkdtempSync(join(root, "temp", "summary-"));
  try {
    for (const [name, text] of Object.entries(specimens)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {};\n");
    const vitest = join(root, "node_modules", ".bin", "vitest");
    const reporters = ["--reporter=default", `--reporter=${join(root, "test/support/summary-reporter.ts")}`];
    const { code, stdout } = runToEnd(vitest, ["run", "--root", folder, ...reporters], root);
    expect(code).toBe(1);
    // The test behind the broken hook counts as skipped, the hook as failed.
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("1 passed, 3 failed, 3 skipped");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
