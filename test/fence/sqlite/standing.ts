/** A leader in a process of its own that stands still in the middle of a transaction. Needs the build. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { locateOrThrow } from "../../servers/binaries.js";
import type { SqliteScene } from "./scene.js";

const script = fileURLToPath(new URL("child.mjs", import.meta.url));

interface Standing {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;
  /** It commits, `between` is awaited, and it writes again: answers what became of that. */
  goOn(between: () => Promise<void>): Promise<string>;
}

export async function standing(scene: SqliteScene): Promise<Standing> {
  const path = scene.client === "node:sqlite" ? scene.client : locateOrThrow(scene.client).path;
  const hook = `${scene.file}-hook`;
  const child = spawn(locateOrThrow("node22").path, ["--no-warnings", script, path, scene.file, hook], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // A test that fails leaves it stopped.
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "close");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const told = async (): Promise<string> => {
    const next: IteratorResult<string, unknown> = await lines.next();
    if (next.done === true) throw new Error("it ended and told nothing");
    return next.value;
  };
  const first = await told();
  if (first !== "inside") throw new Error(`it did not get into a transaction: ${first}`);
  return {
    process: child,
    exited,
    async goOn(between) {
      writeFileSync(hook, "");
      child.kill("SIGCONT");
      const own = await told();
      if (own !== "applied") throw new Error(`it could not commit: ${own}`);
      await between();
      writeFileSync(`${hook}-next`, "");
      const next = await told();
      await exited;
      return next;
    },
  };
}
