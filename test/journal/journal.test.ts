/** What is particular to the journal of files, beside the contract of journals: what stands in its directory, and when. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyPath } from "../../src/chain/layout.js";
import { TenureError } from "../../src/errors/index.js";
import { fileGuard } from "../../src/fence/file/index.js";
import { createElection } from "../../src/create-election.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { fences } from "../../src/fence/fences.js";
import { recording, type Step } from "../support/interposed.js";
import { inDirectory } from "../stores/file/scene.js";
import {
  appendAll,
  failure,
  numbers,
  open,
  range,
  resource,
  simulated,
  simulatedDisk,
  term,
  versionsOnDisk,
} from "./scene.js";

describe("a journal", () => {
  it("when nobody has appended, a replay is empty; when nobody has claimed, an inspection is", async () => {
    await inDirectory(async (directory) => {
      const nothing = { state: undefined, upTo: 0, entries: [] };
      expect(await open(directory).inspect()).toEqual({ ...nothing, rows: [] });
      expect(await (await open(directory).claim(term(7))).replay()).toEqual(nothing);
    });
  });

  it("when an attempt of an append is handed to a checkpoint, or the other way round, it is refused", async () => {
    const { files } = await simulatedDisk();
    const handle = await open(simulated, {}, files).claim(term(7));
    await appendAll(handle, 1, 1);
    await handle.checkpoint([1], 1);
    const numbering = `journal/${simulated}/${resource}`;
    const wrong = (seq: number, opId: string) => ({ attempt: { resource: numbering, seq, opId } });
    const checkpoint = async () => handle.checkpoint([1], 1, wrong(1, "op-1"));
    expect(String(await failure(checkpoint))).toMatch(/attempt must be that of a checkpoint/);
    const { rows } = await open(simulated, {}, files).inspect();
    const { seq = 0, opId = "" } = rows[0]?.row.last ?? {};
    const append = async () => handle.append({ n: 2 }, wrong(seq, opId));
    expect(String(await failure(append))).toMatch(/attempt must be that of an append/);
  });

  it("claimed by `fences` beside another guard, hands its handle to the work", async () => {
    await inDirectory(async (directory) => {
      const ledger = fileGuard<number>(join(directory, "ledger"), { resource: "ledger", initial: 0 });
      const journal = open(join(directory, "journal"));
      const election = createElection({ name: "invoices", store: memoryStore() });
      const work = fences({ ledger, journal }, async (fenced) => {
        await fenced.journal.append({ n: 1 });
        await fenced.ledger.transaction((tx) => void (tx.value += 1));
        return fenced.journal.replay();
      });
      const found = await election.runOnce(work);
      expect(numbers(found)).toEqual([1]);
    });
  });
});

describe("a checkpoint", () => {
  it("takes the place of the entries up to it, whose files go, and a replay has its state and the rest", async () => {
    await inDirectory(async (directory) => {
      const handle = await open(directory).claim(term(7));
      await appendAll(handle, 1, 20);
      await handle.checkpoint(range(1, 20), 20);
      await appendAll(handle, 21, 22);
      // Number 1 stays, and what proves the head; the checkpoint is number 22.
      expect((await versionsOnDisk(directory)).map((name) => Number(name.slice(0, 16)))).toEqual([
        1, 21, 22, 23, 24,
      ]);
      const next = await open(directory).claim(term(8));
      const replay = await next.replay();
      expect([replay.state, replay.upTo, numbers(replay)]).toEqual([range(1, 20), 20, [21, 22]]);
    });
  });

  it("when entries were added after those that went into its state, they stay", async () => {
    await inDirectory(async (directory) => {
      const handle = await open(directory).claim(term(7));
      await appendAll(handle, 1, 20);
      await handle.checkpoint(range(1, 12), 12);
      await appendAll(handle, 21, 30);
      await handle.checkpoint(range(1, 15), 15);
      const next = await open(directory).claim(term(8));
      const replay = await next.replay();
      expect([replay.upTo, numbers(replay)]).toEqual([15, range(16, 30)]);
      // 30 entries, two claims, two checkpoints; those of 1 to 15 are gone.
      expect(await versionsOnDisk(directory)).toHaveLength(1 + 34 - 16);
    });
  });

  it("when others replay meanwhile, each of them sees one state with exactly the entries after it", async () => {
    const { files } = await simulatedDisk();
    const handle = await open(simulated, {}, files).claim(term(7));
    await appendAll(handle, 1, 1);
    let done = false;
    const look = async () => {
      const states = new Set<number>();
      while (!done) {
        const { state = [], upTo, entries } = await open(simulated, {}, files).inspect();
        const whole = [...state, ...entries.map(({ entry }) => entry.n)];
        expect(whole).toEqual(range(1, upTo + entries.length));
        states.add(upTo);
      }
      return states.size;
    };
    const looks = Promise.all([look(), look(), look()]);
    for (let n = 2; n <= 100; n += 1) {
      await appendAll(handle, n, n);
      if (n % 5 === 0) await handle.checkpoint(range(1, n - 1), n - 1);
    }
    done = true;
    for (const states of await looks) expect(states).toBeGreaterThan(3);
  });
});

describe("an append", () => {
  it("writes and reads no more when five hundred entries stand before it", async () => {
    const { files } = await simulatedDisk();
    const steps: Step[] = [];
    const handle = await open(simulated, {}, recording(files, steps)).claim(term(7));
    const costOf = async () => {
      const last = (await versionsOnDisk(simulated, files)).at(-1) ?? "";
      const { length } = await files.read(join(keyPath(simulated, resource), last), 2 ** 20);
      return { length, steps: steps.splice(0).filter(({ name }) => name !== "remove").length };
    };
    await appendAll(handle, 1, 100);
    await costOf();
    await appendAll(handle, 101, 200);
    const early = await costOf();
    await appendAll(handle, 201, 500);
    await costOf();
    await appendAll(handle, 501, 600);
    const late = await costOf();
    expect(late.steps).toBe(early.steps);
    // One digit more in each of the 64 names and numbers that the row remembers, and a few beside them.
    expect(late.length - early.length).toBeLessThan(64 * 3);
  });
});

describe("a journal that was damaged", () => {
  it("when a version that a replay needs is missing, it is told so, and nothing is answered or added", async () => {
    await inDirectory(async (directory) => {
      await appendAll(await open(directory).claim(term(7)), 1, 10);
      const [, , third = ""] = await versionsOnDisk(directory);
      await rm(join(keyPath(directory, resource), third));
      for (const use of [async () => open(directory).inspect(), async () => open(directory).claim(term(8))]) {
        const error = await failure(use);
        expect(TenureError.is(error, "JOURNAL_UNREADABLE"), String(error)).toBe(true);
      }
      expect(await versionsOnDisk(directory)).toHaveLength(10);
    });
  });

  it("when a version is of a newer format, it is told so", async () => {
    await inDirectory(async (directory) => {
      await appendAll(await open(directory).claim(term(7)), 1, 10);
      const path = join(keyPath(directory, resource), (await versionsOnDisk(directory))[4] ?? "");
      await writeFile(path, (await readFile(path, "utf8")).replace('"value":{"v":1', '"value":{"v":2'));
      const error = await failure(async () => open(directory).inspect());
      expect(TenureError.is(error, "JOURNAL_UNREADABLE"), String(error)).toBe(true);
    });
  });

  it("a guard's directory is refused, and refuses a journal's", async () => {
    await inDirectory(async (directory) => {
      const options = { resource, initial: 0 };
      await (await fileGuard<number>(directory, options).claim(term(7))).transaction(() => {});
      expect(String(await failure(async () => open(directory).claim(term(8))))).toMatch(/holds guard/);
      const other = `${directory}-2`;
      await (await open(other).claim(term(7))).append({ n: 1 });
      expect(String(await failure(async () => fileGuard(other, options).claim(term(8))))).toMatch(
        /holds journal/,
      );
    });
  });
});
