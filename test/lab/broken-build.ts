/** The built command with one constant changed: belief lasts as long as others wait, whatever clocks run at. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../architecture/files.js";

export interface BrokenBuild {
  /** A directory of its own, for files of a test. */
  readonly directory: string;
  /** What Node.js runs. */
  readonly main: string;
  remove(): void;
}

export function breakBuild(): BrokenBuild {
  const directory = mkdtempSync(join(tmpdir(), "tenure-lab-"));
  cpSync(join(root, "dist"), join(directory, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(directory, "package.json"));
  const budget = join(directory, "dist", "lease", "budget.js");
  const text = readFileSync(budget, "utf8");
  const broken = text.replace("rateTolerance = 1.5", "rateTolerance = 1");
  if (broken === text) throw new Error("the tolerance of clock rates is not where it was");
  writeFileSync(budget, broken);
  return {
    directory,
    main: join(directory, "dist", "cli", "main.js"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
