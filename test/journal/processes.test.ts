/** Real processes: leaders that are killed while they append, and successors that replay. Needs the build. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { JournalEntry } from "../../src/journal/journal.js";
import { inDirectory } from "../stores/file/scene.js";
import type { Entry } from "./scene.js";

interface Replayed {
  readonly kind: "replayed";
  readonly upTo: number;
  readonly entries: readonly JournalEntry<Entry>[];
}

type Told = Replayed | { readonly kind: "appended"; readonly index: number; readonly opId: string };

const script = fileURLToPath(new URL("child.mjs", import.meta.url));

/** Leads until it has told of `count` appends, and is killed then. Resolves when it is gone. */
async function leadAndDie(directory: string, token: number, count: number): Promise<readonly Told[]> {
  const child = spawn(process.execPath, [script, directory, String(token)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told: Told[] = [];
  createInterface(child.stdout).on("line", (line) => {
    told.push(JSON.parse(line) as Told);
    if (told.length === count + 1) child.kill("SIGKILL");
  });
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  return told;
}

it("when leader after leader is killed while it appends, each successor replays all that was acknowledged, and at most one more", async () => {
  await inDirectory(async (directory) => {
    const known = new Map<number, string>();
    for (let token = 1; token <= 6; token += 1) {
      const told = await leadAndDie(directory, token, 5 + 4 * token);
      const [replayed] = told;
      if (replayed?.kind !== "replayed") throw new Error("nothing was replayed");
      const { upTo, entries } = replayed;
      expect(entries.map(({ index }) => index)).toEqual(entries.map((_, place) => upTo + place + 1));
      // One append may have been done when its writer died before it could say so.
      const last = upTo + entries.length;
      expect([known.size, known.size + 1]).toContain(last);
      for (const { index, opId, token: by } of entries) {
        expect(known.get(index) ?? opId).toBe(opId);
        expect(opId).toMatch(new RegExp(`^${by}-`));
        known.set(index, opId);
      }
      for (const line of told) {
        if (line.kind !== "appended") continue;
        expect(line.index).toBe(known.size + 1);
        known.set(line.index, line.opId);
      }
    }
    expect(known.size).toBeGreaterThan(100);
    expect(new Set(known.values()).size).toBe(known.size);
  });
}, 60_000);
