/**
 * Real processes on one directory: frozen, woken and killed while they contend.
 *
 * Needs the build (`npm run build`). Nobody sleeps: what is done to a process
 * hangs on what it and the others have told so far.
 */

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readKeptVersions } from "../../../src/stores/file/kept-versions.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { contend, type Contended, type Rival, runRival } from "../../support/rivals.js";
import { call, inDirectory, key, onDisk, putSeveral, record } from "./scene.js";

interface Told {
  readonly kind: "written" | "conflict" | "unknown" | "done";
  readonly seq: number;
  readonly nonce: string;
  readonly version: string;
}

const script = fileURLToPath(new URL("child.mjs", import.meta.url));

const run = (args: readonly string[], hear: (told: Told, rival: Rival) => void) =>
  runRival(script, args, hear);

/** Four processes, each with so many writes. */
async function contendFor(directory: string, writes: number, keepVersions: number): Promise<Contended<Told>> {
  return contend({
    script,
    argsOf: (started) => ["contend", directory, `p${started}`, String(writes), String(keepVersions)],
    rivals: 4,
    awake: 2,
    mostKills: 8,
    seed: writes + (Number.isFinite(keepVersions) ? keepVersions : 0),
    pace: { first: 20, hit: 20, freeze: [10, 60] },
  });
}

function judge({ told, freezes, kills }: Contended<Told>, writes: number): readonly Told[] {
  const written = told.filter(({ kind }) => kind === "written");
  expect(written.length).toBeGreaterThanOrEqual(4 * writes);
  expect(freezes).toBeGreaterThan(5);
  expect(kills).toBeGreaterThan(0);
  expect(told.some(({ kind }) => kind === "conflict")).toBe(true);
  expect(new Set(written.map(({ version }) => version)).size, "a version was granted twice").toBe(
    written.length,
  );
  expect(new Set(written.map(({ seq }) => seq)).size, "a number was granted twice").toBe(written.length);
  return written;
}

describe("four processes that are frozen and killed at random", () => {
  it("when every version is kept, each acknowledged write is in the chain once, no refused one is, and the chain is whole", async () => {
    await inDirectory(async (directory) => {
      const outcome = await contendFor(directory, 150, Number.POSITIVE_INFINITY);
      const written = judge(outcome, 150);
      const kept = await readKeptVersions(directory, key);
      const nonces = kept.map(({ body }) => (typeof body === "string" ? body : body.nonce));
      expect(kept.map(({ number }) => number)).toEqual(kept.map((_, index) => index + 1));
      expect(kept.map(({ body }) => (typeof body === "string" ? body : body.seq))).toEqual(
        kept.map((_, index) => index + 1),
      );
      for (const { nonce, seq } of written) expect(nonces[seq - 1]).toBe(nonce);
      const chain = new Set(nonces);
      expect(outcome.told.filter(({ kind, nonce }) => kind === "conflict" && chain.has(nonce))).toEqual([]);
    });
  }, 120_000);

  it("when only a few versions are kept, no version is granted twice and no acknowledged write is lost", async () => {
    await inDirectory(async (directory) => {
      const outcome = await contendFor(directory, 200, 4);
      const written = judge(outcome, 200);
      const store = fileStore(directory, { keepVersions: 4 });
      const head = (await store.read(key, call()))?.body;
      const seq = typeof head === "object" ? head.seq : 0;
      expect(seq).toBeGreaterThanOrEqual(Math.max(...written.map(({ seq }) => seq)));
      // Each version raised seq by one, so the number of the head counts them all.
      expect((await onDisk(directory)).numbers.at(-1)).toBe(seq);
      // Killed pruners may leave a few; the next write clears up.
      await putSeveral(store, 1);
      expect((await onDisk(directory)).numbers).toEqual([1, seq - 2, seq - 1, seq, seq + 1]);
    });
  }, 120_000);
});

describe("one process that is frozen", () => {
  it("when it is stopped in the middle of writing, others read and write on and it goes on when woken", async () => {
    await inDirectory(async (directory) => {
      for (let round = 1; round <= 10; round += 1) {
        let enough = () => {};
        const warm = new Promise<void>((resolve) => (enough = resolve));
        const child = run(["contend", directory, `round-${round}`, "12"], (_, { lines }) => {
          if (lines === round) enough();
        });
        await warm;
        child.process.kill("SIGSTOP");
        const rival = fileStore(directory);
        // Bounded by the test's own time limit: a lock held by the frozen one would never be given back.
        for (let written = 0; written < 3; ) {
          // Conflicts until the signal has arrived, since the child writes on for a moment.
          const current = await rival.read(key, call());
          const own = record({ instance: "rival", writer: "rival" });
          const answer = await rival.write(key, own, current?.version, call({ absence: "waited" }));
          if (answer.kind === "written") written += 1;
        }
        expect((await rival.read(key, call()))?.body).toMatchObject({ instance: "rival" });
        child.process.kill("SIGCONT");
        expect(await child.exited).toEqual([0, null]);
      }
    });
  }, 60_000);
});

describe("a process that has nothing left to do", () => {
  it("when its watches were aborted or disposed, it exits by itself", async () => {
    await inDirectory(async (directory) => {
      const told: string[] = [];
      const child = run(["watch", directory], ({ kind }) => told.push(kind));
      expect(await child.exited).toEqual([0, null]);
      expect(told).toEqual(["done"]);
    });
  });
});
