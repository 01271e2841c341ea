/**
 * A writer that is frozen at any step blocks nobody, and when it wakes up it
 * counts only if it counted before somebody else did.
 */

import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import type { Stored, Written } from "../../../src/lease/store.js";
import { readKeptVersions } from "../../../src/stores/file/kept-versions.js";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { type Step, stopping } from "../../support/interposed.js";
import {
  call,
  inDirectory,
  key,
  nonceAt,
  onDisk,
  put,
  putSeveral,
  record,
  createFileStore,
} from "./scene.js";

interface Awakening {
  readonly frozenAt: Step;
  readonly answer: Written | Error;
  /** Whether its record is in the chain of kept versions afterwards. */
  readonly counted: boolean;
  /** Whether a rival saw its record as the one that stands, while it was frozen. */
  readonly seen: boolean;
}

/** A write on top of `before` versions is frozen at its step `k`, a rival writes `rivals` more, then it goes on. */
async function freeze(
  k: number,
  when: "before" | "after",
  { before, rivals, keepVersions }: { before: number; rivals: number; keepVersions: number },
  judge: (awakening: Awakening) => void,
): Promise<boolean> {
  return inDirectory(async (directory) => {
    const rival = fileStore(directory, { keepVersions });
    await rival.read(key, call());
    const expected = await putSeveral(rival, before);
    const { files, reached, thaw } = stopping(nodeFileSystem, when, (_, index) => index === k);
    const own = record();
    const store = createFileStore(directory, { keepVersions }, files);
    const write = store.write(key, own, expected, call({ absence: "waited" })).catch((error: Error) => error);
    const frozenAt = await Promise.race([write.then(() => undefined), reached]);
    if (frozenAt === undefined) return false;
    const seen = (await nonceAt(rival)) === own.nonce;
    await putSeveral(rival, rivals);
    const last = await nonceAt(rival);
    thaw();
    const answer = await write;
    expect(await nonceAt(fileStore(directory)), `frozen ${when} ${frozenAt.name}`).toBe(last);
    const kept = await readKeptVersions(directory, key);
    const counted = kept.some(({ body }) => typeof body !== "string" && body.nonce === own.nonce);
    judge({ frozenAt, answer, counted, seen });
    await putSeveral(rival, 3);
    expect((await onDisk(directory)).temporaries, `left after ${frozenAt.name}`).toBe(0);
    return true;
  });
}

async function everyStep(run: (k: number) => Promise<boolean>): Promise<number> {
  let k = 1;
  while (await run(k)) k += 1;
  return k - 1;
}

function kindOf(answer: Written | Error): string {
  if ("kind" in answer) return answer.kind;
  return TenureError.is(answer, "STORE_UNREACHABLE") ? "unknown" : answer.message;
}

describe("a writer that is frozen", () => {
  for (const before of [0, 6]) {
    for (const when of ["before", "after"] as const) {
      it(`${when} any step on top of ${before} versions while a rival writes: it is answered written if it counted and conflict if not`, async () => {
        const kinds = new Set<string>();
        const scene = { before, rivals: 2, keepVersions: Number.POSITIVE_INFINITY };
        const steps = await everyStep(async (k) =>
          freeze(k, when, scene, ({ answer, counted, seen, frozenAt }) => {
            expect(counted).toBe(seen);
            expect(kindOf(answer), `frozen at ${frozenAt.name}`).toBe(seen ? "written" : "conflict");
            kinds.add(kindOf(answer));
          }),
        );
        expect(steps).toBeGreaterThan(15);
        expect([...kinds].toSorted()).toEqual(["conflict", "written"]);
      });

      it(`${when} any step on top of ${before} versions for longer than versions are kept: it never counts late`, async () => {
        const kinds = new Set<string>();
        const scene = { before, rivals: 9, keepVersions: 4 };
        await everyStep(async (k) =>
          freeze(k, when, scene, ({ answer, seen, frozenAt }) => {
            // Frozen between link and last listing, it finds no trace of what came next: nobody can tell.
            const allowed = seen ? ["written", "unknown"] : ["conflict"];
            expect(allowed, `frozen at ${frozenAt.name}`).toContain(kindOf(answer));
            kinds.add(kindOf(answer));
          }),
        );
        expect([...kinds].toSorted()).toEqual(["conflict", "unknown", "written"]);
      });
    }
  }
});

describe("a reader that is frozen", () => {
  for (const before of [1, 3]) {
    it(`at any step over ${before} versions, for longer than versions are kept: it reads one that stood during its call`, async () => {
      const steps = await everyStep(async (k) =>
        inDirectory(async (directory) => {
          const rival = fileStore(directory, { keepVersions: 4 });
          await putSeveral(rival, before);
          const standing = [await nonceAt(rival)];
          const { files, reached, thaw } = stopping(nodeFileSystem, "before", (_, index) => index === k);
          const reader = createFileStore(directory, { keepVersions: 4 }, files);
          const read: Promise<Stored | undefined> = reader.read(key, call());
          if ((await Promise.race([read.then(() => undefined), reached])) === undefined) return false;
          for (let index = 0; index < 9; index += 1) {
            await putSeveral(rival, 1);
            standing.push(await nonceAt(rival));
          }
          thaw();
          const body = (await read)?.body;
          expect(standing).toContain(typeof body === "object" ? body.nonce : body);
          return true;
        }),
      );
      expect(steps).toBeGreaterThan(5);
    });
  }
});

describe("a pruner that is frozen", () => {
  it("when the key's directory is deleted and used again meanwhile, it removes no version of the new chain", async () => {
    await inDirectory(async (directory) => {
      const rival = fileStore(directory, { keepVersions: 4 });
      const expected = await putSeveral(rival, 5);
      const { files, reached, thaw } = stopping(
        nodeFileSystem,
        "before",
        ({ name, paths }) => name === "remove" && /\/\d+-/.test(paths[0] ?? ""),
      );
      const slow = createFileStore(directory, { keepVersions: 4 }, files);
      const write = put(slow, record(), expected);
      expect((await reached).name).toBe("remove");
      await rm(keyPath(directory, key), { recursive: true });
      await put(rival, record({ nonce: "first of the new chain" }));
      thaw();
      await write;
      expect(await nonceAt(rival)).toBe("first of the new chain");
    });
  });
});
