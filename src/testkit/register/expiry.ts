/**
 * Expiry by the store's clock (rule 2), for drivers that declare `storeClock`: the age that comes with a record,
 * and the judgement inside the atomic step.
 *
 * The store's clock runs in real time here, so records live for milliseconds. It is waited for and never measured.
 */

import assert from "node:assert/strict";
import { realClock } from "../../base/real-clock.js";
import type { Store, Stored } from "../../lease/store.js";
import type { ContractCase } from "../case.js";
import { assertConflict, assertWritten, readRecord, sampleCall, sampleRecord, write } from "../steps.js";

const shortMs = 40;
const longMs = 15_000;
const lookEveryMs = 5;
const patienceMs = 4_000;

const byStoreClock = { expiry: "store-clock" } as const;
const judged = () => sampleCall({ takeover: "store-clock" });
const rival = () =>
  sampleRecord({ ...byStoreClock, instance: "candidate-b", writer: "candidate-b", token: 42 });

export const expiryCases: readonly ContractCase[] = [
  {
    id: "age-rises-until-written",
    title: "the age that comes with a record rises while nobody writes, and is reset by a write",
    unless: "storeClock",
    async run({ store }) {
      const shared = store();
      const version = await write(shared, "key", sampleRecord(byStoreClock));
      const old = await reachesAge(shared, shortMs);
      const sentMs = realClock.monotonicMs();
      await write(shared, "key", sampleRecord({ ...byStoreClock, seq: 2 }), version);
      const fresh = ageOf(await readRecord(shared, "key"));
      // Whatever has passed since the send may be its age, however slow the store is.
      const passed = realClock.monotonicMs() - sentMs;
      assert.ok(
        fresh < passed + old / 2,
        `a write must reset the age, it is ${fresh} ms after ${passed} ms, and was ${old} ms`,
      );
    },
  },
  {
    id: "age-comes-with-conflicts",
    title: "a conflict shows the age of what is there",
    unless: "storeClock",
    async run({ store }) {
      const shared = store();
      await write(shared, "key", sampleRecord(byStoreClock));
      const answer = await shared.write("key", rival(), undefined, sampleCall());
      assertConflict(answer);
      assert.ok(answer.current !== undefined, "the conflict must show what is there");
      ageOf(answer.current);
    },
  },
  {
    id: "young-record-conflicts",
    title: "a takeover by the store's clock before the record's ttl has passed conflicts and changes nothing",
    unless: "storeClock",
    async run({ store }) {
      const shared = store();
      const record = sampleRecord({ ...byStoreClock, ttlMs: longMs });
      const version = await write(shared, "key", record);
      const answer = await shared.write("key", rival(), version, judged());
      assertConflict(answer);
      assert.equal(answer.current?.version, version);
      assert.deepEqual((await readRecord(shared, "key")).body, record);
    },
  },
  {
    id: "old-record-is-taken",
    title: "a takeover by the store's clock after the record's ttl has passed is written",
    unless: "storeClock",
    async run({ store }) {
      const shared = store();
      const version = await write(shared, "key", sampleRecord({ ...byStoreClock, ttlMs: shortMs }));
      await reachesAge(shared, shortMs);
      const record = rival();
      assertWritten(await shared.write("key", record, version, judged()));
      assert.deepEqual((await readRecord(shared, "key")).body, record);
    },
  },
  {
    id: "observation-needs-no-age",
    title: "a takeover that was observed is written however young the record is, whoever judges its expiry",
    unless: "storeClock",
    async run({ store }) {
      const shared = store();
      for (const expiry of ["observed", "store-clock"] as const) {
        const version = await write(shared, expiry, sampleRecord({ expiry, ttlMs: longMs }));
        assertWritten(await shared.write(expiry, rival(), version, sampleCall({ takeover: "observed" })));
      }
    },
  },
];

function ageOf({ ageMs }: Stored): number {
  assert.ok(typeof ageMs === "number" && ageMs >= 0, `the age must be a number of ms, it is ${ageMs}`);
  return ageMs;
}

/** Looks until the store says that the record is so old; answers how old it was then. */
async function reachesAge(store: Store, ageMs: number): Promise<number> {
  const endMs = realClock.monotonicMs() + patienceMs;
  for (;;) {
    const age = ageOf(await readRecord(store, "key"));
    if (age >= ageMs) return age;
    assert.ok(realClock.monotonicMs() < endMs, `the age must rise, it is ${age} ms after ${patienceMs} ms`);
    await new Promise<void>((resolve) => void realClock.setTimer(lookEveryMs, resolve));
  }
}
