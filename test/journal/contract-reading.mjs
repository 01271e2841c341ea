/** The part of the contract of journals that is about reading: in pages, while it grows, past a checkpoint. */

import assert from "node:assert/strict";
import { appendAll, collect, range, rejection, rejects, term } from "./terms.mjs";

/** @typedef {import("./contract.mjs").Placed} Placed */

/** @type {readonly import("./contract.mjs").Test[]} */
export const readings = [
  [
    "when it is read in pages, each entry comes once and in order, up to the newest when it began",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      await appendAll(handle, 1, 30);
      const places = async (/** @type {AsyncIterable<Placed>} */ reading) =>
        (await collect(reading)).map(({ index }) => index);
      assert.deepEqual(await places(open().entries({ pageSize: 7 })), range(1, 30));
      assert.deepEqual(await places(open().entries({ pageSize: 10 })), range(1, 30));
      assert.deepEqual(await places(handle.entries({ after: 20, pageSize: 3 })), range(21, 30));
      assert.deepEqual(await places(open().entries({ after: 30 })), []);
      /** @type {number[]} */
      const seen = [];
      for await (const { index } of open().entries({ after: 10, pageSize: 7 })) {
        if (index === 13) await appendAll(handle, 31, 35);
        seen.push(index);
      }
      assert.deepEqual(seen, range(11, 30));
    },
  ],

  [
    "when a checkpoint has taken the place of what comes next, the error says where to go on",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      await appendAll(handle, 1, 30);
      await handle.checkpoint(range(1, 20), 20);
      for (const reading of [open().entries({ after: 5 }), open().follow(), handle.entries({ after: 19 })]) {
        assert.equal((await rejects(collect(reading), "JOURNAL_TRIMMED")).upTo, 20);
      }
      assert.deepEqual(
        (await collect(open().entries({ after: 20 }))).map(({ index }) => index),
        range(21, 30),
      );
    },
  ],

  [
    "when two follow while leaders append, each sees every entry once, in order, and ends when it is told to",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      await appendAll(handle, 1, 3);
      const stop = new AbortController();
      /** @type {number[][]} */
      const seen = [[], []];
      const readers = seen.map(async (mine, reader) => {
        for await (const { index, entry } of open().follow({
          pollMs: 10,
          pageSize: 4,
          signal: stop.signal,
        })) {
          assert.equal(entry.n, index);
          mine.push(index);
          if (seen.every((all) => all.at(-1) === 30)) stop.abort();
          // A slow reader is not hurried.
          if (reader === 1) await new Promise((resolve) => void setImmediate(resolve));
        }
      });
      await appendAll(handle, 4, 15);
      await appendAll(await open().claim(term(8)), 16, 30);
      await Promise.all(readers);
      assert.deepEqual(seen, [range(1, 30), range(1, 30)]);
    },
  ],

  [
    "when a reading is called off, it says so",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      await appendAll(handle, 1, 5);
      const reason = new Error("enough");
      const stop = new AbortController();
      const reading = open().entries({ pageSize: 2, signal: stop.signal })[Symbol.asyncIterator]();
      await reading.next();
      stop.abort(reason);
      assert.equal(await rejection(reading.next()), reason);
      assert.equal((await collect(open().follow({ after: 2 }), 3)).length, 3);
    },
  ],

  [
    "when an entry is missing, it is told so and nothing is left out",
    async ({ open, damage }) => {
      await appendAll(await open().claim(term(7)), 1, 10);
      await damage(4);
      await rejects(open().inspect(), "JOURNAL_UNREADABLE");
      await rejects(collect(open().entries({ pageSize: 5 })), "JOURNAL_UNREADABLE");
      await rejects(
        open()
          .claim(term(8))
          .then(async (next) => next.replay()),
        "JOURNAL_UNREADABLE",
      );
    },
  ],

  [
    "when a place lies beyond the newest entry, it is told so",
    async ({ open }) => {
      await appendAll(await open().claim(term(7)), 1, 3);
      await rejects(collect(open().entries({ after: 4 })), "JOURNAL_UNREADABLE");
      await rejects(collect(open().follow({ after: 4 })), "JOURNAL_UNREADABLE");
    },
  ],
];
