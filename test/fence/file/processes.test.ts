/**
 * Real processes on one directory: frozen between check and effect, woken, and killed while they write.
 *
 * Needs the build (`npm run build`). What is done to a process hangs on what it and the others have told so far.
 */

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readKeptVersions } from "../../../src/fence/file/kept-versions.js";
import { contend, type Contended, runRival } from "../../support/rivals.js";
import { fence } from "../scene.js";
import type { Texts } from "../texts.js";
import { append, inDirectory, openGuard, resource, standing } from "./scene.js";

interface Told {
  readonly kind: "inside" | "asked" | "applied" | "refused";
  readonly entry?: string;
  readonly code?: string;
}

const script = fileURLToPath(new URL("child.mjs", import.meta.url));

const run = (args: readonly string[], hear: (told: Told) => void) => runRival(script, args, hear);

/** Resolves with the first line for which `wanted` holds. */
function listener(): {
  readonly hear: (told: Told) => void;
  readonly first: (kind: Told["kind"]) => Promise<Told>;
} {
  const told: Told[] = [];
  const waiting = new Map<Told["kind"], (told: Told) => void>();
  return {
    hear(line) {
      told.push(line);
      waiting.get(line.kind)?.(line);
    },
    first: async (kind) => {
      const known = told.find((line) => line.kind === kind);
      return known ?? new Promise((resolve) => waiting.set(kind, resolve));
    },
  };
}

describe("a leader that is stopped between check and effect", () => {
  it("when a successor claims and writes meanwhile, it is not blocked, and the write that wakes up is STALE", async () => {
    await inDirectory(async (directory) => {
      for (let round = 0; round < 3; round += 1) {
        const token = 10 + 10 * round;
        const hook = `${directory}-hook-${round}`;
        const { hear, first } = listener();
        const child = run(["stand", directory, String(token), hook], hear);
        await first("inside");
        child.process.kill("SIGSTOP");
        const successor = await openGuard(directory).claim(fence({ token: token + 1, owner: "successor" }));
        await append(successor, `${token + 1}:new`);
        const before = await standing(directory);
        await writeFile(hook, "");
        child.process.kill("SIGCONT");
        expect(await child.exited).toEqual([0, null]);
        expect(await first("refused")).toEqual({ kind: "refused", code: "STALE" });
        expect(await standing(directory)).toEqual(before);
        expect(before.texts.slice(-2)).toEqual([`${token}:before`, `${token + 1}:new`]);
      }
    });
  });
});

describe("a leader that is killed while it writes", () => {
  it("when the next one claims, it works at once, and every acknowledged write is there", async () => {
    await inDirectory(async (directory) => {
      for (let round = 1; round <= 6; round += 1) {
        const [asked, applied]: [string[], string[]] = [[], []];
        let enough = () => {};
        const warm = new Promise<void>((resolve) => (enough = resolve));
        const child = run(["write", directory, String(2 * round)], ({ kind, entry = "" }) => {
          (kind === "asked" ? asked : applied).push(entry);
          if (asked.length > 3 * round) enough();
        });
        await warm;
        child.process.kill("SIGKILL");
        await child.exited;
        const successor = await openGuard(directory).claim(
          fence({ token: 2 * round + 1, owner: "successor" }),
        );
        const mine = (await successor.read()).filter((text) => text.startsWith(`${2 * round}:`));
        expect(mine.slice(0, applied.length)).toEqual(applied);
        expect(asked.slice(0, mine.length)).toEqual(mine);
        expect(mine.length - applied.length).toBeLessThanOrEqual(1);
        await append(successor, "goes on");
      }
    });
  });
});

const writesEach = 60;

/** Three rivals, each with so many writes. */
async function contendFor(directory: string): Promise<Contended<Told>> {
  return contend({
    script,
    argsOf: (started) => ["rival", directory, `p${started}`, String(writesEach)],
    rivals: 3,
    awake: 1,
    mostKills: 4,
    seed: writesEach,
    pace: { first: 10, hit: 10, freeze: [5, 20] },
  });
}

describe("three rivals that are frozen and killed at random", () => {
  it("when every version is kept, tokens and content only grow, each acknowledged write is there once and no refused one is", async () => {
    await inDirectory(async (directory) => {
      const { told, freezes } = await contendFor(directory);
      const kept = await readKeptVersions(directory, resource);
      const texts = kept.map(({ body }) =>
        typeof body === "string" || body.value === undefined ? [] : (JSON.parse(body.value) as Texts),
      );
      for (const [index, content] of texts.entries()) {
        const before = texts[index - 1] ?? [];
        expect(content.slice(0, before.length)).toEqual(before);
      }
      const last = texts.at(-1) ?? [];
      const tokens = last.map((text) => Number(text.slice(0, text.indexOf(":"))));
      expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
      const applied = told.filter(({ kind }) => kind === "applied").map(({ entry }) => entry);
      const refused = told.filter(({ kind }) => kind === "refused").map(({ entry }) => entry);
      for (const entry of applied) expect(last.filter((text) => text === entry)).toHaveLength(1);
      expect(refused.filter((entry) => entry !== undefined && last.includes(entry))).toEqual([]);
      expect(freezes).toBeGreaterThan(3);
      expect(applied.length).toBeGreaterThanOrEqual(180);
    });
  }, 120_000);
});
