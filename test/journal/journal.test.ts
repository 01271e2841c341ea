/** The journal as its users meet it, in a real directory. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyPath } from "../../src/chain/layout.js";
import { nodeFileSystem } from "../../src/chain/node-file-system.js";
import { TenureError } from "../../src/errors/index.js";
import { fileGuard } from "../../src/fence/file/index.js";
import { createElection } from "../../src/create-election.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { fences } from "../../src/fence/fences.js";
import { failing, recording, type Step } from "../support/interposed.js";
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
  it("when a leader appends, a successor replays each entry in order with who added it", async () => {
    await inDirectory(async (directory) => {
      const first = await open(directory).claim(term(7));
      expect(await first.append({ n: 1 }, { opId: "a" })).toEqual({ index: 1, duplicate: false });
      expect(await first.append({ n: 2 }, { opId: "b" })).toEqual({ index: 2, duplicate: false });
      const second = await open(directory).claim(term(8));
      expect(await second.append({ n: 3 }, { opId: "c" })).toEqual({ index: 3, duplicate: false });
      const third = await open(directory).claim(term(9));
      expect(await third.replay()).toEqual({
        state: undefined,
        upTo: 0,
        entries: [
          { index: 1, token: 7, owner: "owner-7", opId: "a", entry: { n: 1 } },
          { index: 2, token: 7, owner: "owner-7", opId: "b", entry: { n: 2 } },
          { index: 3, token: 8, owner: "owner-8", opId: "c", entry: { n: 3 } },
        ],
      });
    });
  });

  it("when nobody has appended, a replay is empty; when nobody has claimed, an inspection is", async () => {
    await inDirectory(async (directory) => {
      const nothing = { state: undefined, upTo: 0, entries: [] };
      expect(await open(directory).inspect()).toEqual({ ...nothing, rows: [] });
      expect(await (await open(directory).claim(term(7))).replay()).toEqual(nothing);
    });
  });

  it("when a successor has claimed, the old leader appends, checkpoints and replays no more, and its term is told", async () => {
    await inDirectory(async (directory) => {
      const old = term(7);
      const stale = await open(directory).claim(old);
      await appendAll(stale, 1, 2);
      const next = await open(directory).claim(term(8));
      for (const use of [
        async () => stale.append({ n: 3 }),
        async () => stale.checkpoint([1], 1),
        async () => stale.replay(),
      ]) {
        const error = await failure(use);
        expect(TenureError.is(error, "STALE") && error.watermark).toBe(8);
      }
      expect(old.outpacedBy).toEqual([8, 8, 8]);
      expect(numbers(await next.replay())).toEqual([1, 2]);
    });
  });

  it("when an operation comes again, in the same term, a later one or a reopened journal, it is answered with its place", async () => {
    await inDirectory(async (directory) => {
      const first = await open(directory).claim(term(7));
      await appendAll(first, 1, 100);
      for (const n of [1, 50, 100]) {
        expect(await first.append({ n }, { opId: `op-${n}` })).toEqual({ index: n, duplicate: true });
      }
      const later = await open(directory).claim(term(8));
      expect(await later.append({ n: 1 }, { opId: "op-1" })).toEqual({ index: 1, duplicate: true });
      expect(await later.append({ n: 101 }, { opId: "op-101" })).toEqual({ index: 101, duplicate: false });
      expect(numbers(await later.replay())).toEqual(range(1, 101));
    });
  });

  it("when appends are started together, each is added once, in the order in which they were started", async () => {
    await inDirectory(async (directory) => {
      const one = term(7);
      const journal = open(directory);
      const [left, right] = await Promise.all([journal.claim(one), journal.claim(one)]);
      const appended = await Promise.all(
        range(1, 40).map(async (n) => (n % 2 === 0 ? left : right).append({ n }, { opId: `op-${n}` })),
      );
      expect(appended.map(({ index }) => index)).toEqual(range(1, 40));
      expect(numbers(await left.replay())).toEqual(range(1, 40));
    });
  });

  it("when a reply is lost after the link, the attempt that the error carries is answered, and added once", async () => {
    await inDirectory(async (directory) => {
      let armed = false;
      const path = keyPath(directory, resource);
      const files = failing(
        nodeFileSystem,
        "EIO",
        ({ name, paths }) => armed && name === "sync" && paths[0] === path,
      );
      const handle = await open(directory, {}, files).claim(term(7));
      armed = true;
      const error = await failure(async () => handle.append({ n: 1 }));
      if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
      const { attempt } = error;
      expect(await handle.append({ n: 1 }, { attempt })).toEqual({ index: 1, duplicate: true });
      const next = await open(directory).claim(term(8));
      expect(await next.append({ n: 1 }, { attempt })).toEqual({ index: 1, duplicate: true });
      expect(numbers(await next.replay())).toEqual([1]);
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

  it("recognises operations whose entries are gone, as many as it was told to and those that stay", async () => {
    const { files } = await simulatedDisk();
    const handle = await open(simulated, { rememberOperations: 64 }, files).claim(term(7));
    await appendAll(handle, 1, 200);
    await handle.checkpoint([], 100);
    const next = await open(simulated, {}, files).claim(term(8));
    expect(await next.append({ n: 101 }, { opId: "op-101" })).toEqual({ index: 101, duplicate: true });
    expect(await next.append({ n: 100 }, { opId: "op-100" })).toEqual({ index: 201, duplicate: false });
    const other = await open(simulated, { rememberOperations: 64 }, files).claim(term(9));
    await other.checkpoint([], 201);
    const last = await open(simulated, {}, files).claim(term(10));
    expect(await last.append({ n: 138 }, { opId: "op-138" })).toEqual({ index: 138, duplicate: true });
    expect(await last.append({ n: 137 }, { opId: "op-137" })).toEqual({ index: 202, duplicate: false });
  });

  it("refuses a place before the last checkpoint or beyond the newest entry, and writes nothing", async () => {
    await inDirectory(async (directory) => {
      const handle = await open(directory).claim(term(7));
      await appendAll(handle, 1, 5);
      await handle.checkpoint([1, 2, 3], 3);
      for (const upTo of [2, 6, 3.5]) {
        const error = await failure(async () => handle.checkpoint([], upTo));
        expect(String(error)).toMatch(/INVALID_OPTION: upTo must be a whole number from 3 to 5/);
      }
      expect(await handle.replay()).toMatchObject({ state: [1, 2, 3], upTo: 3 });
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

describe("what is over a limit or no JSON", () => {
  it("is refused by name before anything is written", async () => {
    await inDirectory(async (directory) => {
      const handle = await open(directory, { maxEntryBytes: 16, maxStateBytes: 16 }).claim(term(7));
      const before = await versionsOnDisk(directory);
      const large = failure(async () => handle.append({ n: 1, text: "x".repeat(20) } as never));
      expect(TenureError.is(await large, "ENTRY_TOO_LARGE")).toBe(true);
      expect(
        TenureError.is(await failure(async () => handle.checkpoint(range(1, 20), 0)), "ENTRY_TOO_LARGE"),
      ).toBe(true);
      expect(String(await failure(async () => handle.append(undefined as never)))).toMatch(
        /entry must be a JSON value/,
      );
      expect(await versionsOnDisk(directory)).toEqual(before);
      expect(await handle.append({ n: 1 })).toEqual({ index: 1, duplicate: false });
    });
  });

  it.each([
    [{ resource: "" }, /resource must be/],
    [{ maxEntryBytes: 15 }, /maxEntryBytes must be a whole number from 16 to 16777216/],
    [{ maxStateBytes: 2 ** 28 }, /maxStateBytes must be/],
    [{ rememberOperations: 63 }, /rememberOperations must be a whole number from 64 to 10000/],
    [{ keepVersions: 4 }, /unknown option "keepVersions"/],
  ])("%j is refused when the journal is opened", (options: object, message) => {
    expect(() => open("/nowhere", options)).toThrow(message);
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
