/** The work of a demo leader on a simulated disk: lost replies, a successor, and a leader that wakes up too late. */

import { expect, test } from "vitest";
import type { FileSystem } from "../../src/chain/file-system.js";
import { FencedWork } from "../../src/cli/demo/fenced-work.js";
import { createHold } from "../../src/cli/demo/hold.js";
import { openJournal, openLedger } from "../../src/cli/demo/ledger.js";
import { losingReplies } from "../../src/cli/demo/lost-replies.js";
import { TermLog } from "../../src/cli/demo/term-log.js";
import type { WorkLine } from "../../src/cli/demo/work-line.js";
import type { HistoryEvent } from "../../src/history/line.js";
import { simulatedDisk, term } from "../journal/scene.js";

/** A leader that does `operations` operations, or stands still in the middle of one. */
async function lead(files: FileSystem, node: string, token: number, operations: number, ended?: AbortSignal) {
  const losing = losingReplies(files);
  const lines: WorkLine[] = [];
  const events: HistoryEvent[] = [];
  const tell = (_: bigint, event: HistoryEvent) => void events.push(event);
  const account = { node, now: () => 0n, tell, write: (line: WorkLine) => void lines.push(line) };
  let onHeld = () => {};
  const held = new Promise<void>((resolve) => (onHeld = resolve));
  const hold = createHold(onHeld);
  const claimant = term(token, node);
  const books = {
    ledger: await openLedger("/var/ledger", losing.files).claim(claimant),
    journal: await openJournal("/var/journal", losing.files).claim(claimant),
  };
  let left = operations;
  let tried = false;
  const over = new AbortController();
  const work = new FencedWork({
    node,
    token,
    books,
    files: losing,
    log: new TermLog(account, { instance: node, token }),
    hold,
    passes: () => left > 0,
    signal: ended ?? over.signal,
    onWrote() {
      left -= 1;
      // It does not pause after the last one.
      if (left <= 0) over.abort();
    },
    onTried: () => (tried = true),
  });
  return { work, hold, held, lines, events, hasTried: () => tried };
}

async function standing(files: FileSystem) {
  const { value } = await openLedger("/var/ledger", files).inspect();
  const { entries } = await openJournal("/var/journal", files).inspect();
  return { total: value.total, opIds: entries.map(({ opId }) => opId) };
}

test("when replies are lost, each attempt is sent again, answered as a duplicate, and told as applied once", async () => {
  const { files } = await simulatedDisk();
  const { work, lines, events } = await lead(files, "alpha", 1, 6);
  await work.run();
  expect(await standing(files)).toMatchObject({ total: 6 });
  const lost = lines.filter(({ kind }) => kind === "reply-lost");
  expect(lost).toMatchObject([
    { resource: "journal", opId: "alpha-1-2" },
    { resource: "ledger", opId: "alpha-1-5" },
  ]);
  const duplicates = lines.filter((line) => line.kind === "acknowledged" && line.duplicate);
  expect(duplicates).toMatchObject([
    { resource: "journal", opId: "alpha-1-2", number: 2 },
    { resource: "ledger", opId: "alpha-1-5", number: 5 },
  ]);
  expect(events.filter(({ event }) => event === "claimed")).toHaveLength(2);
  expect(events.filter(({ event }) => event === "applied")).toHaveLength(12);
});

test("when a leader wakes up in the middle of a write, its successor has done that, and three writes of its own are refused", async () => {
  const { files } = await simulatedDisk();
  const first = await lead(files, "alpha", 1, 3);
  first.hold.arm();
  const run = first.work.run();
  await first.held;
  const second = await lead(files, "beta", 2, 2);
  await second.work.run();
  first.hold.release(true);
  await run;
  expect(first.hasTried()).toBe(true);
  expect(first.lines.filter(({ kind }) => kind !== "acknowledged")).toMatchObject([
    { kind: "replayed", entries: 0 },
    { kind: "stale-try", resource: "ledger", opId: "alpha-1-1" },
    { kind: "refused", code: "STALE", opId: "alpha-1-1" },
    { kind: "stale-try", resource: "ledger", opId: "alpha-1-stale" },
    { kind: "refused", code: "STALE", opId: "alpha-1-stale" },
    { kind: "stale-try", resource: "journal", opId: "alpha-1-stale" },
    { kind: "refused", code: "STALE", opId: "alpha-1-stale" },
  ]);
  // What the journal announced was done by the successor, once.
  expect(second.lines.slice(0, 2)).toMatchObject([
    { kind: "replayed", entries: 1 },
    { kind: "acknowledged", resource: "ledger", opId: "alpha-1-1", number: 1, duplicate: false },
  ]);
  expect(await standing(files)).toEqual({ total: 3, opIds: ["alpha-1-1", "beta-2-1", "beta-2-2"] });
});

test("when a leader that was held is let go before anybody else has written, it goes on", async () => {
  const { files } = await simulatedDisk();
  const { work, hold, held, lines, hasTried } = await lead(files, "alpha", 1, 2);
  hold.arm();
  const run = work.run();
  await held;
  hold.release(false);
  await run;
  expect([hasTried(), lines.some(({ kind }) => kind === "stale-try")]).toEqual([false, false]);
  expect(await standing(files)).toMatchObject({ total: 2 });
});

test("when the leader before had finished all that it announced, its successor is told so and does nothing twice", async () => {
  const { files } = await simulatedDisk();
  await (await lead(files, "alpha", 1, 2)).work.run();
  const { work, lines } = await lead(files, "beta", 2, 0);
  await work.run();
  expect(lines).toMatchObject([
    { kind: "replayed", entries: 2 },
    { kind: "acknowledged", resource: "ledger", opId: "alpha-1-2", number: 2, duplicate: true },
  ]);
  expect(await standing(files)).toMatchObject({ total: 2 });
});

test("when the term ends before a write is sent, it is not sent, and the work settles", async () => {
  const { files } = await simulatedDisk();
  const { work, lines } = await lead(files, "alpha", 1, 3, AbortSignal.abort(new Error("over")));
  await work.run();
  expect(lines).toEqual([{ kind: "replayed", entries: 0, node: "alpha", token: 1 }]);
  expect(await standing(files)).toEqual({ total: 0, opIds: [] });
});
