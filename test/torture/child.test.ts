/** The processes of a run end with whoever started them, also where that was gone before they had begun. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../architecture/files.js";
import { listProcesses } from "../support/process-list.js";

test.each(["client", "applier"])(
  "when whoever started it has ended before it could listen, a process of the run (%s) clears up and ends",
  async (role) => {
    const directory = mkdtempSync(join(tmpdir(), "tenure-test-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const assignment = { root: directory, plan: { workload: "http" }, node: "c1", start: 1, keep: false };
    const starter = `
      import { fork } from "node:child_process";
      fork(process.argv[1], [process.argv[2]], { stdio: "ignore", execArgv: [] }).once("spawn", () => process.exit());`;
    const file = join(root, "torture", `${role}.mjs`);
    spawnSync(process.execPath, ["--input-type=module", "-e", starter, file, JSON.stringify(assignment)]);
    const left = () => listProcesses().filter(({ command }) => command.includes(directory));
    await vi.waitFor(() => expect([left(), existsSync(directory)]).toEqual([[], false]), { timeout: 10_000 });
  },
  20_000,
);
