/** A leader in a process of its own that stands still in the middle of a write. Needs the build. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Rival, runRival } from "../../support/rivals.js";

export interface Told {
  readonly kind: "inside" | "applied" | "refused";
  readonly code?: string;
}

export interface Standing {
  readonly child: Rival;
  /** Has it go on, and answers what became of its write. */
  readonly goOn: () => Promise<Told>;
}

/** `args`: what `script` is told before the file that it waits for. Resolves when it stands in the middle of a write. */
export async function standing(script: string, args: readonly string[]): Promise<Standing> {
  const folder = await mkdtemp(join(tmpdir(), "tenure-freeze-"));
  const hook = join(folder, "hook");
  const told: Told[] = [];
  const child = await new Promise<Rival>((resolve) => {
    runRival<Told>(script, [...args, hook], (line, rival) => {
      told.push(line);
      resolve(rival);
    });
  });
  // A test that fails leaves it stopped.
  onTestFinished(() => void child.process.kill("SIGKILL"));
  if (told[0]?.kind !== "inside") throw new Error(`it did not get into a write: ${JSON.stringify(told)}`);
  const goOn = async () => {
    await writeFile(hook, "");
    child.process.kill("SIGCONT");
    const [code, signal] = (await child.exited) as readonly unknown[];
    if (code !== 0) throw new Error(`it ended with ${String(code ?? signal)}`);
    await rm(folder, { recursive: true });
    const last = told.at(-1);
    if (last === undefined || told.length < 2) throw new Error("it told nothing when it went on");
    return last;
  };
  return { child, goOn };
}
