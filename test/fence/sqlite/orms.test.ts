/** `statement()` and `refusalOf` in transactions that ORMs open, as docs/guards/sqlite.md shows them. */

import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { root } from "../../architecture/files.js";
import { locateOrThrow } from "../../servers/binaries.js";
import { describeWithServer } from "../../servers/with-server.js";
import { startProgram } from "../../support/program.js";
import { Modules, moduleOf } from "../orms/snippets.js";

const suite = fileURLToPath(new URL("orms.mjs", import.meta.url));
const modules = new Modules();

describeWithServer(["node22", "better-sqlite3"], "the statement of the SQLite guard", () => {
  afterAll(() => modules.remove());

  it.each(["kysely", "drizzle-orm", "typeorm"])(
    "does in a transaction of %s what the page says",
    async (name) => {
      const path = modules.write(`${name}.mjs`, moduleOf("docs/guards/sqlite.md", `from "${name}"`));
      const program = startProgram(
        ["--no-warnings", "--test-reporter=tap", suite, name, path, locateOrThrow("better-sqlite3").path],
        { cwd: root, timeout: 25_000, killSignal: "SIGKILL" },
        locateOrThrow("node22").path,
      );
      const { code, stdout, stderr } = await program.ended;
      const failures = stdout.split("\n").filter((line) => /^\s*(?:not ok|error:)/.test(line));
      expect({ code, failures, stderr }).toEqual({ code: 0, failures: [], stderr: "" });
      expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBe(4);
    },
  );
});
