/**
 * `watch` is a hint: it should come on changes of state, must end with its
 * signal, and can hurt nobody. A lost wake is allowed, so a test repeats the
 * change until one arrives.
 */

import assert from "node:assert/strict";
import { realClock } from "../../base/real-clock.js";
import type { Store } from "../../lease/store.js";
import type { ContractCase } from "../case.js";
import { sampleCall, sampleRecord, write } from "../steps.js";

const limitMs = 3_000;
/** How long one change may take to wake somebody before the next one is made. */
const patienceMs = 100;

function ignore(): void {}

export const watchCases: readonly ContractCase[] = [
  {
    id: "watch-wakes-on-state-change",
    title: "when another store object changes a key's state, a watcher of that key is woken with it",
    unless: "notifies",
    async run({ store }) {
      const [writer, watcher] = [store(), store()];
      const woken = new Set<string>();
      const ended = new AbortController();
      const watched = ["quiet", "key"];
      watcher.watch?.(watched, (key) => woken.add(key), ended.signal);
      await changeUntil(writer, () => woken.has("key"));
      ended.abort();
      for (const key of woken) assert.ok(watched.includes(key), `nobody watches ${key}`);
    },
  },
  {
    id: "watch-ends-with-its-signal",
    title: "when the signal was aborted, before or after the call, that watcher is never woken again",
    unless: "notifies",
    async run({ store }) {
      const [writer, watcher] = [store(), store()];
      const [ended, open] = [new AbortController(), new AbortController()];
      let wakes = 0;
      let witness = 0;
      const wake = () => void (wakes += 1);
      watcher.watch?.(["key"], wake, ended.signal);
      watcher.watch?.(["key"], wake, AbortSignal.abort());
      watcher.watch?.(["key"], () => void (witness += 1), open.signal);
      await changeUntil(writer, () => wakes > 0);
      ended.abort();
      const before = { wakes, witness };
      // The witness shows that wakes still flow; the ended watcher must not get them.
      await changeUntil(writer, () => witness > before.witness);
      open.abort();
      assert.equal(wakes, before.wakes);
    },
  },
  {
    id: "watch-never-throws",
    title: "watching nothing, or on a disposed store object, does not throw",
    async run({ store }) {
      const shared = store();
      const { signal } = new AbortController();
      shared.watch?.([], ignore, signal);
      await shared[Symbol.asyncDispose]();
      shared.watch?.(["key"], ignore, signal);
      shared.watch?.(["key"], ignore, AbortSignal.abort());
    },
  },
];

/** Hands the key from one candidate to the next until `done`, within a limit. */
async function changeUntil(writer: Store, done: () => boolean): Promise<void> {
  const startedMs = realClock.monotonicMs();
  let version = (await writer.read("key", sampleCall()))?.version;
  for (let turn = 1; !done(); turn += 1) {
    assert.ok(realClock.monotonicMs() - startedMs < limitMs, `no wake within ${limitMs} ms of state changes`);
    const instance = `candidate-${turn}`;
    version = await write(
      writer,
      "key",
      sampleRecord({ instance, writer: instance, token: 41 + turn }),
      version,
    );
    await pauseUnless(done);
  }
}

/** Looks a few times before the next change, sooner at first: most drivers wake within a millisecond. */
async function pauseUnless(done: () => boolean): Promise<void> {
  for (let waitedMs = 0; !done() && waitedMs < patienceMs; waitedMs = waitedMs * 2 + 1) {
    await new Promise<void>((resolve) => void realClock.setTimer(waitedMs, resolve));
  }
}
