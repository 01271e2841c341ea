/**
 * What every journal keeps, whatever holds it. Plain JavaScript, so that Node.js runs it too where there is no test
 * runner of ours: `describe` and `it` are handed in.
 */

import assert from "node:assert/strict";
import { readings } from "./contract-reading.mjs";
import { appendAll, collect, numbers, range, rejection, rejects, term } from "./terms.mjs";

/**
 * @typedef {{ readonly n: number, readonly text?: string }} Entry
 * @typedef {readonly number[]} State
 * @typedef {import("../../src/journal/journal.js").Journal<Entry, State>} Journal
 * @typedef {import("../../src/journal/journal.js").JournalHandle<Entry, State>} Handle
 * @typedef {import("../../src/journal/limits.js").JournalLimits} Limits
 * @typedef {import("../../src/journal/journal.js").JournalEntry<Entry>} Placed
 *
 * @typedef {object} Harness
 * @property {(limits?: Limits) => Journal} open a journal, always the same one; by a client of its own, or by one for all
 * @property {() => void} loseReply the next append is carried out, and its answer does not come
 * @property {(index: number) => Promise<void>} damage takes away the entry at a place
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {() => Promise<Harness>} open
 * @property {(title: string, body: () => void) => unknown} describe
 * @property {(title: string, body: () => Promise<void>) => unknown} it
 */

/** @typedef {readonly [title: string, work: (harness: Harness) => Promise<void>]} Test */

/** @type {readonly Test[]} */
const appends = [
  [
    "when leaders append, a successor replays each entry in order with who added it",
    async ({ open }) => {
      const first = await open().claim(term(7));
      assert.deepEqual(await first.append({ n: 1 }, { opId: "a" }), { index: 1, duplicate: false });
      assert.deepEqual(await first.append({ n: 2 }, { opId: "b" }), { index: 2, duplicate: false });
      const second = await open().claim(term(8));
      assert.deepEqual(await second.append({ n: 3 }, { opId: "c" }), { index: 3, duplicate: false });
      const third = await open().claim(term(9));
      const entries = [
        { index: 1, token: 7, owner: "owner-7", opId: "a", entry: { n: 1 } },
        { index: 2, token: 7, owner: "owner-7", opId: "b", entry: { n: 2 } },
        { index: 3, token: 8, owner: "owner-8", opId: "c", entry: { n: 3 } },
      ];
      assert.deepEqual(await third.replay(), { state: undefined, upTo: 0, entries });
      assert.deepEqual(await collect(third.entries()), entries);
      const { rows, ...inspected } = await open().inspect();
      assert.deepEqual(inspected, { state: undefined, upTo: 0, entries });
      assert.deepEqual([rows[0]?.election, rows[0]?.row.watermark], ["invoices", 9]);
    },
  ],

  [
    "when nobody has appended, a replay is empty",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      assert.deepEqual(await handle.replay(), { state: undefined, upTo: 0, entries: [] });
      assert.deepEqual(await collect(open().entries()), []);
    },
  ],

  [
    "when a successor has claimed, the old leader appends, checkpoints and reads no more, and its term is told",
    async ({ open }) => {
      const old = term(7);
      const stale = await open().claim(old);
      await appendAll(stale, 1, 2);
      const next = await open().claim(term(8));
      for (const use of [
        async () => stale.append({ n: 3 }),
        async () => stale.checkpoint([1], 1),
        async () => stale.replay(),
        async () => collect(stale.entries()),
      ]) {
        const error = await rejects(use(), "STALE");
        assert.equal(error.watermark, 8);
      }
      assert.deepEqual(old.outpacedBy, [8, 8, 8, 8]);
      assert.deepEqual(numbers(await next.replay()), [1, 2]);
      await rejects(open().claim(term(7, "twin")), "STALE");
    },
  ],

  [
    "when appends are started together, each is added once, in the order in which they were started",
    async ({ open }) => {
      const one = term(7);
      const [left, right] = await Promise.all([open().claim(one), open().claim(one)]);
      const appended = await Promise.all(
        range(1, 20).map(async (n) => (n % 2 === 0 ? left : right).append({ n }, { opId: `op-${n}` })),
      );
      assert.deepEqual(
        appended.map(({ index }) => index),
        range(1, 20),
      );
      assert.deepEqual(numbers(await left.replay()), range(1, 20));
    },
  ],

  [
    "when entries and operations hold what texts may hold, they come back as they were",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      const texts = ["\0", "\\0", "a'b\"c`d", "$1 ? :x @y %s", "\n\r\t", "é😀", "\ud800", "--; DROP TABLE x"];
      for (const [n, text] of texts.entries()) {
        const opId = n === 6 ? "six" : text;
        assert.deepEqual(await handle.append({ n, text }, { opId }), { index: n + 1, duplicate: false });
        assert.deepEqual(await handle.append({ n, text }, { opId }), { index: n + 1, duplicate: true });
      }
      const { entries } = await (await open().claim(term(8))).replay();
      assert.deepEqual(
        entries.map(({ entry }) => entry.text),
        texts,
      );
      assert.deepEqual(
        entries.map(({ opId }) => opId),
        texts.with(6, "six"),
      );
    },
  ],
];

/** @type {readonly Test[]} */
const operations = [
  [
    "when an operation comes again, in the same term or a later one, it is answered with its place",
    async ({ open }) => {
      const first = await open().claim(term(7));
      // Two more than a term numbers.
      await appendAll(first, 1, 66);
      for (const n of [1, 50, 66]) {
        assert.deepEqual(await first.append({ n }, { opId: `op-${n}` }), { index: n, duplicate: true });
      }
      const later = await open().claim(term(8));
      assert.deepEqual(await later.append({ n: 1 }, { opId: "op-1" }), { index: 1, duplicate: true });
      assert.deepEqual(await later.append({ n: 67 }, { opId: "op-67" }), { index: 67, duplicate: false });
      assert.deepEqual(numbers(await later.replay()), range(1, 67));
    },
  ],

  [
    "when an answer is lost, the attempt that the error carries is answered, by the successor too, and added once",
    async ({ open, loseReply }) => {
      const handle = await open().claim(term(7));
      loseReply();
      const { attempt } = await rejects(handle.append({ n: 1 }), "GUARD_UNCONFIRMED");
      assert.ok(attempt);
      assert.deepEqual(await handle.append({ n: 1 }, { attempt }), { index: 1, duplicate: true });
      assert.deepEqual(await handle.append({ n: 2 }), { index: 2, duplicate: false });
      const next = await open().claim(term(8));
      const { opId } = attempt;
      assert.deepEqual(await next.append({ n: 1 }, { opId }), { index: 1, duplicate: true });
      assert.deepEqual(numbers(await next.replay()), [1, 2]);
    },
  ],

  [
    "when an attempt of a checkpoint is handed to an append, or the other way round, it is refused",
    async ({ open, loseReply }) => {
      const handle = await open().claim(term(7));
      loseReply();
      const { attempt: ofAppend } = await rejects(handle.append({ n: 1 }), "GUARD_UNCONFIRMED");
      assert.ok(ofAppend);
      await rejection(handle.checkpoint([], 0, { attempt: ofAppend }));
      await handle.append({ n: 1 }, { opId: ofAppend.opId });
      loseReply();
      const { attempt: ofCheckpoint } = await rejects(handle.checkpoint([1], 1), "GUARD_UNCONFIRMED");
      assert.ok(ofCheckpoint);
      await rejection(handle.append({ n: 2 }, { attempt: ofCheckpoint }));
      assert.deepEqual(await handle.replay(), { state: [1], upTo: 1, entries: [] });
    },
  ],
];

/** @type {readonly Test[]} */
const checkpoints = [
  [
    "when a checkpoint is made, a replay has its state and the entries since, also those added meanwhile",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      await appendAll(handle, 1, 20);
      await handle.checkpoint(range(1, 12), 12);
      await appendAll(handle, 21, 30);
      await handle.checkpoint(range(1, 15), 15);
      const next = await open().claim(term(8));
      const replay = await next.replay();
      assert.deepEqual([replay.state, replay.upTo, numbers(replay)], [range(1, 15), 15, range(16, 30)]);
      await next.checkpoint([0], 30);
      assert.deepEqual(await next.replay(), { state: [0], upTo: 30, entries: [] });
      assert.deepEqual(await next.append({ n: 31 }), { index: 31, duplicate: false });
    },
  ],

  [
    "when entries are gone, as many operations are recognised as it was told, and those that stay",
    async ({ open }) => {
      const handle = await open({ rememberOperations: 64 }).claim(term(7));
      await appendAll(handle, 1, 80);
      await handle.checkpoint([], 10);
      const next = await open({ rememberOperations: 64 }).claim(term(8));
      assert.deepEqual(await next.append({ n: 11 }, { opId: "op-11" }), { index: 11, duplicate: true });
      await next.checkpoint([], 40);
      assert.deepEqual(await next.append({ n: 17 }, { opId: "op-17" }), { index: 17, duplicate: true });
      assert.deepEqual(await next.append({ n: 16 }, { opId: "op-16" }), { index: 81, duplicate: false });
      const other = await open({ rememberOperations: 64 }).claim(term(9));
      await other.checkpoint([], 81);
      const last = await open().claim(term(10));
      assert.deepEqual(await last.append({ n: 18 }, { opId: "op-18" }), { index: 18, duplicate: true });
      assert.deepEqual(await last.append({ n: 17 }, { opId: "op-17" }), { index: 82, duplicate: false });
    },
  ],

  [
    "when a checkpoint names a place before the last one or beyond the newest, it is refused",
    async ({ open }) => {
      const handle = await open().claim(term(7));
      await appendAll(handle, 1, 5);
      await handle.checkpoint([1, 2, 3], 3);
      for (const upTo of [2, 6, 3.5]) {
        const error = await rejects(handle.checkpoint([], upTo), "INVALID_OPTION");
        assert.match(String(error), /upTo must be a whole number from 3 to 5/);
      }
      const { state, upTo } = await handle.replay();
      assert.deepEqual([state, upTo], [[1, 2, 3], 3]);
    },
  ],
];

/** @type {readonly Test[]} */
const limits = [
  [
    "when an entry or a state is over its limit or no JSON, it is refused and nothing is written",
    async ({ open }) => {
      const handle = await open({ maxEntryBytes: 16, maxStateBytes: 16 }).claim(term(7));
      await rejects(handle.append({ n: 1, text: "x".repeat(20) }), "ENTRY_TOO_LARGE");
      await rejects(handle.checkpoint(range(1, 20), 0), "ENTRY_TOO_LARGE");
      await rejects(handle.append(/** @type {never} */ (undefined)), "INVALID_OPTION");
      assert.deepEqual(await handle.append({ n: 1 }), { index: 1, duplicate: false });
      assert.deepEqual(numbers(await handle.replay()), [1]);
    },
  ],

  [
    "when an option is out of its range, the error names it and the range",
    async ({ open }) => {
      const journal = open();
      for (const [use, message] of /** @type {const} */ ([
        [() => open({ maxEntryBytes: 15 }), /maxEntryBytes must be a whole number from 16 to 16777216/],
        [() => open({ maxStateBytes: 2 ** 28 }), /maxStateBytes must be a whole number from 16 to 134217728/],
        [
          () => open({ rememberOperations: 63 }),
          /rememberOperations must be a whole number from 64 to 10000/,
        ],
        [() => open(/** @type {never} */ ({ keep: 4 })), /unknown option "keep"/],
        [() => journal.entries({ after: -1 }), /after must be 0 or the place of an entry/],
        [() => journal.entries({ pageSize: 0 }), /pageSize must be a whole number from 1 to 10000/],
        [() => journal.entries(/** @type {never} */ ({ pollMs: 10 })), /unknown option "pollMs"/],
        [
          () => journal.follow({ pollMs: 9 }),
          /pollMs must be a whole number of milliseconds from 10 to 600000/,
        ],
      ])) {
        assert.throws(use, message);
      }
    },
  ],
];

/** @param {Suite} suite */
export function journalContract({ name, open, describe, it }) {
  describe(`the contract of journals: ${name}`, () => {
    for (const [title, work] of [...appends, ...operations, ...checkpoints, ...readings, ...limits]) {
      it(title, async () => {
        const harness = await open();
        try {
          await work(harness);
        } finally {
          await harness.close();
        }
      });
    }
  });
}
