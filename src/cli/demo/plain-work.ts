/**
 * What a demo leader does that has no fence: the same operations on a plain file, read, changed and written back.
 *
 * The file itself is replaced in one step, as most projects would. For demonstration only.
 */

import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { freshId } from "../../base/random.js";
import type { Hold } from "./hold.js";
import type { PlainLedger } from "./ledger.js";
import { writeEveryMs } from "./settings.js";
import type { TermLog } from "./term-log.js";

export interface PlainWorkParts {
  readonly node: string;
  readonly token: number;
  readonly path: string;
  readonly log: TermLog;
  readonly hold: Hold;
  readonly passes: () => boolean;
  readonly onWrote: () => void;
  readonly onTried: () => void;
}

export async function plainWork(parts: PlainWorkParts): Promise<void> {
  const { node, token, log, hold, passes, onWrote, onTried } = parts;
  log.claimed(["ledger"], passes);
  for (let count = 1; passes(); count += 1) {
    const opId = `${node}-${token}-${count}`;
    const held = hold.take();
    let stale = false;
    await log.settle("ledger", opId, async () => {
      const { postings } = await readPlainLedger(parts.path);
      stale = held && (await hold.stand(token));
      if (stale) log.staleTry("ledger", opId);
      const changed: PlainLedger = { postings: [...postings, { opId, token, node }] };
      const temporary = `${parts.path}-${freshId()}`;
      await writeFile(temporary, JSON.stringify(changed));
      await rename(temporary, parts.path);
      return { number: changed.postings.length, duplicate: false };
    });
    onWrote();
    if (stale) onTried();
    await pause(writeEveryMs);
  }
}

/** Empty when there is no file yet. */
export async function readPlainLedger(path: string): Promise<PlainLedger> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as PlainLedger;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return { postings: [] };
    throw cause;
  }
}
