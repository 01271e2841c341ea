// A store for `tenure lab run --store-module store.mjs`: a template, around the memory store of this package.
//
// The lab calls `createStore` once a run and puts what it makes at the far end of its network: every process calls the
// same object. It may take its time, on `clock`, and may reject, which leaves an outcome unknown.
import { memoryStore } from "tenure/memory";

/** @type {import("tenure/lab").CreateStore} */
export function createStore({ clock, random }) {
  // Of a store of your own, this is the data: a record and its version for each key. `clock` is that of its machine,
  // `random` its chance; this one needs neither.
  void [clock, random];
  const inner = memoryStore({ maxTtlMs: 15_000 });
  return {
    kind: "template",
    scope: "network",
    // What the store promises beyond compare-and-set. `provesAbsence`: nothing that was ever held is forgotten.
    // `storeClock`: it judges `takeover: "store-clock"` in its atomic step, by a clock of its own.
    capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: true },
    maxTtlMs: inner.maxTtlMs,
    // `undefined` is absent; else the record as it was written, with the version of that very write.
    read: (key, call) => inner.read(key, call),
    // Replaces exactly the version `expected` (`undefined`: creates), in one atomic step, and durably before it answers
    // "written". A version names one write for ever.
    write: (key, record, expected, call) => inner.write(key, record, expected, call),
    // A hint that something changed. May be left out.
    watch: (keys, wake, signal) => inner.watch?.(keys, wake, signal),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}
