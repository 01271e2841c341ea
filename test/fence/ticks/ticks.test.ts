/** Ticks once, where the resource plays no part: order, forgetting, records that are broken, options. */

import { describe, expect, it } from "vitest";
import { memoryGuard, type ValueTransaction } from "../../../src/fence/memory/index.js";
import {
  oncePerTick,
  type TickHandle,
  type TickOptions,
  type TickOutcome,
  workPerTick,
} from "../../../src/fence/once-per-tick.js";
import { decodeMarks, encodeMarks, type TickMarks } from "../../../src/fence/tick-record.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { ofValue, type Value } from "./records.js";
import { fixturesIn } from "../../support/fixtures.js";

interface Fixture {
  readonly what: string;
  readonly schedule: string;
  readonly text: string;
  readonly marks: TickMarks;
}

const fixtures = fixturesIn<Fixture>(new URL("../fixtures/ticks-v1.json", import.meta.url));

type Tx = ValueTransaction<Value>;
type Options = Partial<TickOptions<Tx>>;

const guardOf = (ticks: string | null = null) =>
  memoryGuard<Value>({ resource: "ledger", initial: { ticks, lines: [] } });

const at = (minute: number) => `2026-11-29T02:${String(minute).padStart(2, "0")}:00.000Z`;

/** A record of so many ticks, a second apart. */
function recordOf(count: number): string {
  const from = Date.parse(at(0));
  const ticks = Array.from({ length: count }, (_, index) => ({
    tick: new Date(from + index * 1_000).toISOString(),
    token: 1,
    state: "ended",
  }));
  return JSON.stringify({ v: 1, schedule: "nightly", floor: null, ticks });
}

async function run(
  handle: TickHandle<Tx>,
  tick: string,
  options: Options = {},
): Promise<TickOutcome<number>> {
  const due = { schedule: "nightly", tick, record: ofValue, ...options };
  return oncePerTick(handle, due, ({ value }) => (value.lines = [...value.lines, tick]).length);
}

describe("once per tick", () => {
  it("when a tick ran, the answer is what the body returned", async () => {
    const handle = await guardOf().claim(fence());
    expect(await run(handle, at(1))).toEqual({ kind: "ran", result: 1 });
    expect(await run(handle, at(1))).toEqual({ kind: "done", token: 7 });
  });

  it("when one instant is written in several ways, it is one tick", async () => {
    const handle = await guardOf().claim(fence());
    await run(handle, "2026-11-29T02:00Z");
    for (const same of ["2026-11-29T02:00:00Z", "2026-11-29T02:00:00.000Z", "2026-11-29T03:00:00.0+01:00"]) {
      expect(await run(handle, same), same).toMatchObject({ kind: "done" });
    }
  });

  it("when ticks come in another order, each runs once", async () => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    const order = [5, 2, 9, 2, 1, 5, 9, 3, 1];
    for (const minute of order) await run(handle, at(minute));
    expect((await guard.inspect()).value.lines).toEqual([5, 2, 9, 1, 3].map(at));
  });

  it("when a tick was forgotten, it is too old and does not run again, nor does any before it", async () => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    for (const minute of [1, 2, 5, 6]) await run(handle, at(minute), { remember: 3 });
    for (const minute of [0, 1]) {
      expect(await run(handle, at(minute))).toEqual({ kind: "too-old", floor: at(1) });
    }
    expect(await run(handle, at(3), { remember: 3 })).toMatchObject({ kind: "ran" });
    expect(await run(handle, at(2), { remember: 3 })).toEqual({ kind: "too-old", floor: at(2) });
    // Below all that is remembered, and above all that was forgotten: it runs, and is the next to be forgotten.
    expect(await run(handle, "2026-11-29T02:02:30Z", { remember: 3 })).toMatchObject({ kind: "ran" });
    expect(await run(handle, "2026-11-29T02:02:30Z")).toMatchObject({ kind: "too-old" });
    expect((await guard.inspect()).value.lines).toHaveLength(6);
  });

  it("when a replica's clock is years ahead, the ticks of the others run all the same", async () => {
    const handle = await guardOf().claim(fence());
    await run(handle, "2036-01-01T00:00Z", { remember: 3 });
    for (const minute of [1, 2, 3, 4, 5]) {
      expect(await run(handle, at(minute), { remember: 3 }), at(minute)).toMatchObject({ kind: "ran" });
    }
    expect(await run(handle, "2036-01-01T00:00Z")).toMatchObject({ kind: "done" });
  });
});

describe("the record of format 1", () => {
  for (const { what, schedule, text, marks } of fixtures) {
    it(`of ${what} is read and written as it was in the first release`, () => {
      expect(decodeMarks(schedule, text)).toEqual(marks);
      expect(encodeMarks(schedule, marks)).toBe(text);
    });
  }
});

describe("what is asked for once per tick", () => {
  it("when the record cannot be read, is another schedule's or of a newer format, nothing runs and nothing is written over", async () => {
    const mark = { tick: at(1), token: 7, state: "ended" };
    const schedule = "nightly";
    for (const record of [
      "",
      "{}",
      JSON.stringify({ v: 2, schedule, floor: null, ticks: [] }),
      JSON.stringify({ v: 1, schedule, floor: "yesterday", ticks: [] }),
      JSON.stringify({ v: 1, schedule, floor: at(1), ticks: [mark] }),
      JSON.stringify({ v: 1, schedule, floor: null, ticks: [mark, mark] }),
      JSON.stringify({ v: 1, schedule, floor: null, ticks: [{ ...mark, state: "lost" }] }),
      ...[-1, 0, 7.5, "7", undefined].map((token) =>
        JSON.stringify({ v: 1, schedule, floor: null, ticks: [{ ...mark, token }] }),
      ),
      JSON.stringify({ v: 1, schedule, floor: null, ticks: [{ ...mark, tick: "2026-11-29T02:01Z" }] }),
      ...[[null], [[]], { 0: mark }].map((ticks) => JSON.stringify({ v: 1, schedule, floor: null, ticks })),
      JSON.stringify({ v: 1, schedule: "hourly", floor: null, ticks: [mark] }),
      "null",
      JSON.stringify({ v: 1, schedule, floor: null, ticks: [] }).padEnd(128_001),
      recordOf(1_001),
    ]) {
      const guard = guardOf(record);
      const handle = await guard.claim(fence());
      expect(await rejection(run(handle, at(2))), record).toMatchObject({ code: "TICKS_UNREADABLE" });
      expect((await guard.inspect()).value).toEqual({ ticks: record, lines: [] });
    }
  });

  it("when the record is as large as it may be, it is read, and what is added makes it forget", async () => {
    for (const record of [recordOf(1_000), recordOf(0).padEnd(128_000)]) {
      const guard = guardOf(record);
      const handle = await guard.claim(fence());
      expect(await run(handle, "2030-01-01T00:00Z", { remember: 1_000 })).toMatchObject({ kind: "ran" });
      const { ticks } = JSON.parse((await guard.inspect()).value.ticks ?? "") as { readonly ticks: object[] };
      expect(ticks).toHaveLength(record === recordOf(1_000) ? 1_000 : 1);
    }
  });

  it("when what is read of it is no text, nothing runs", async () => {
    const handle = await guardOf().claim(fence());
    for (const stored of [7, {}, ["x"]]) {
      const record = { ...ofValue, read: () => stored as unknown as string };
      expect(await rejection(run(handle, at(1), { record }))).toMatchObject({ code: "TICKS_UNREADABLE" });
    }
    // As much as null: a column that a database leaves out.
    let written: string | undefined;
    const absent = {
      read: () => written,
      write: (_tx: Tx, _schedule: string, text: string) => void (written = text),
    };
    expect(await run(handle, at(1), { record: absent })).toMatchObject({ kind: "ran" });
  });

  it("when the record is not kept, or the body replaces it, nothing is applied", async () => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    const forgetful = { ...ofValue, write: () => {} };
    expect(await rejection(run(handle, at(1), { record: forgetful }))).toMatchObject({ code: "TICKS_LOST" });
    const due = { schedule: "nightly", tick: at(1), record: ofValue };
    const replacing = oncePerTick(
      handle,
      due,
      (tx: Tx) => void (tx.value = { ticks: null, lines: ["mine"] }),
    );
    expect(await rejection(replacing)).toMatchObject({ code: "TICKS_LOST" });
    expect((await guard.inspect()).value).toEqual({ ticks: null, lines: [] });
  });

  it("when it is aborted before its turn, it does not run", async () => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    const abort = new AbortController();
    const asked = [run(handle, at(1)), run(handle, at(2), { signal: abort.signal })];
    abort.abort(new Error("enough"));
    const [first, second] = await Promise.allSettled(asked);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { message: "enough" } });
    expect((await guard.inspect()).value.lines).toEqual([at(1)]);
  });

  it.each([
    [{ tick: "2026-11-29" }, /tick must be an instant of ISO 8601 with its zone/],
    [{ tick: "2026-11-29T02:00" }, /tick must be an instant/],
    [{ tick: "2026-02-30T02:61Z" }, /tick must be an instant/],
    [{ schedule: "" }, /schedule must be a non-empty/],
    [{ schedule: "s".repeat(201) }, /schedule must be .* at most 200 bytes/],
    [{ remember: 0 }, /remember must be a whole number from 1 to 1000, got 0/],
    [{ remember: 1_001 }, /remember must be a whole number from 1 to 1000, got 1001/],
    [{ record: undefined }, /record must be an object/],
    [{ record: { read: () => null } }, /record.write must be a function/],
    [{ record: { write: () => {} } }, /record.read must be a function/],
    [{ ticks: 1 }, /unknown option "ticks"/],
    [{ onInterrupted: "again" }, /unknown option "onInterrupted"/],
  ])("when an option is wrong, it is named and nothing is sent: %o", async (change, message) => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    expect(String(await rejection(run(handle, at(1), change as unknown as Options)))).toMatch(message);
    expect((await guard.inspect()).value.ticks).toBeNull();
  });
});

describe("work per tick", () => {
  const due = (tick: string, change: { readonly onInterrupted?: "skip" | "again" } = {}) => ({
    schedule: "nightly",
    tick,
    record: ofValue,
    ...change,
  });

  it("when two calls of a term ask for a tick at once, the second one waits and finds it done", async () => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const began: string[] = [];
    const ask = async () =>
      workPerTick(handle, due("2026-11-29T02:01Z", { onInterrupted: "again" }), async ({ tick }) => {
        began.push(tick);
        await gate;
      });
    const asked = [ask(), ask()];
    while (began.length === 0) await guard.inspect();
    goOn();
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(["ran", "done"]);
    expect(began).toEqual([at(1)]);
  });

  it("when the work throws, its error is the answer and the tick is left as interrupted", async () => {
    const handle = await guardOf().claim(fence());
    const failing = workPerTick(handle, due(at(1)), async () => {
      throw new Error("no network");
    });
    expect(String(await rejection(failing))).toContain("no network");
    const skipped = await workPerTick(handle, due(at(1)), async () => "never");
    expect(skipped).toEqual({ kind: "interrupted", token: 7 });
    expect(await run(handle, at(1))).toEqual({ kind: "interrupted", token: 7 });
  });

  it("when what to do about interrupted ticks is misspelt, it is refused", async () => {
    const handle = await guardOf().claim(fence());
    const options = due(at(1), { onInterrupted: "retry" as "again" });
    const refused = await rejection(workPerTick(handle, options, async () => {}));
    expect(String(refused)).toContain('onInterrupted must be "skip" or "again", got "retry"');
  });

  it("when work or body is no function, or an option unknown, nothing is marked", async () => {
    const guard = guardOf();
    const handle = await guard.claim(fence());
    const nothing = undefined as never;
    const misspelt = { ...due(at(1)), onInterupted: "again" };
    for (const [asked, message] of [
      [oncePerTick(handle, due(at(1)), nothing), /body must be a function/],
      [workPerTick(handle, due(at(1)), nothing), /work must be a function/],
      [workPerTick(handle, misspelt, async () => {}), /unknown option "onInterupted"/],
    ] as const) {
      expect(String(await rejection(asked))).toMatch(message);
    }
    expect((await guard.inspect()).value.ticks).toBeNull();
  });
});
