/** The journal in SQLite keeps the contract of journals, under the Node.js that has node:sqlite, and through better-sqlite3. */

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { root } from "../../architecture/files.js";
import { locateOrThrow } from "../../servers/binaries.js";
import { describeWithServer } from "../../servers/with-server.js";
import { startProgram } from "../../support/program.js";

const suite = fileURLToPath(new URL("suite.mjs", import.meta.url));

async function run(database: string): Promise<void> {
  const program = startProgram(
    ["--no-warnings", "--test-reporter=tap", suite, database],
    { cwd: root, timeout: 100_000, killSignal: "SIGKILL" },
    locateOrThrow("node22").path,
  );
  const { code, stdout, stderr } = await program.ended;
  const failures = stdout.split("\n").filter((line) => /^\s*not ok/.test(line));
  expect({ code, failures, stderr }).toEqual({ code: 0, failures: [], stderr: "" });
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(stdout)?.[1]);
  expect([count("fail"), count("skipped")]).toEqual([0, 0]);
  expect(count("pass")).toBeGreaterThanOrEqual(25);
}

describeWithServer(["node22", "better-sqlite3"], "the journal in SQLite", () => {
  it("through node:sqlite keeps the contract of journals", { timeout: 120_000 }, async () =>
    run("node:sqlite"),
  );

  it("through better-sqlite3 keeps the contract of journals", { timeout: 120_000 }, async () =>
    run(locateOrThrow("better-sqlite3").path),
  );
});
