/** Handles on the memory guard: numbering, retries, refusals, as users meet them. */

import { describe, expect, it } from "vitest";
import { TenureError } from "../../src/errors/index.js";
import { createSequence } from "../../src/fence/sequence.js";
import { memoryGuard } from "../../src/fence/memory/index.js";
import type { Claimant, Sequence } from "../../src/fence/fence.js";
import { createRegister } from "../../cases/support/register.js";
import { fence } from "./scene.js";

interface Ledger {
  entries: string[];
}

function openLedger(options: { order?: "any" | "strict"; rememberOperations?: number } = {}) {
  return memoryGuard<Ledger>({ resource: "ledger", initial: { entries: [] }, ...options });
}

/** A leadership's part in a claim: one allocator for all handles. */
function claimant(token = 7, owner = "a"): Claimant & { readonly outpacedBy: number[] } {
  const sequences = new Map<string, Sequence>();
  const outpacedBy: number[] = [];
  return {
    fence: fence({ token, owner }),
    outpacedBy,
    outpaced: (watermark) => void outpacedBy.push(watermark),
    sequence(resource) {
      const known = sequences.get(resource) ?? createSequence(resource);
      sequences.set(resource, known);
      return known;
    },
  };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (cause: unknown) => cause,
  );
}

describe("a handle", () => {
  it("when nobody else claims, reads and changes the value and answers what the body returned", async () => {
    const guard = openLedger();
    const ledger = await guard.claim(claimant());
    const length = await ledger.transaction((tx) => tx.value.entries.push("a"));
    expect(length).toBe(1);
    expect(await ledger.transaction(async (tx) => tx.value.entries.push("b"))).toBe(2);
    expect(await ledger.read()).toEqual({ entries: ["a", "b"] });
    expect((await guard.inspect()).rows[0]?.row).toMatchObject({ watermark: 7, owner: "a", seq: 2 });
  });

  it("when a successor claims between check and effect, the frozen write is stale and tells its term", async () => {
    const guard = openLedger();
    const old = claimant(7, "a");
    const ledger = await guard.claim(old);
    let thaw = () => {};
    let reached = () => {};
    const frozen = new Promise<void>((resolve) => (thaw = resolve));
    const inside = new Promise<void>((resolve) => (reached = resolve));
    const write = failure(
      ledger.transaction(async (tx) => {
        reached();
        await frozen;
        tx.value.entries.push("stale");
      }),
    );
    await inside;
    const successor = await guard.claim(claimant(8, "b"));
    await successor.transaction((tx) => void tx.value.entries.push("new"));
    thaw();
    const error = await write;
    expect(TenureError.is(error, "STALE") && error.watermark).toBe(8);
    expect(old.outpacedBy).toEqual([8]);
    expect(await successor.read()).toEqual({ entries: ["new"] });
    expect(TenureError.is(await failure(ledger.read()), "STALE")).toBe(true);
  });

  it("when the body throws, nothing is written and the number is used again", async () => {
    const guard = openLedger();
    const ledger = await guard.claim(claimant());
    const cause = new Error("no");
    const error = await failure(
      ledger.transaction((tx) => {
        tx.value.entries.push("half");
        throw cause;
      }),
    );
    expect(error).toBe(cause);
    await ledger.transaction((tx) => void tx.value.entries.push("whole"));
    const { value, rows } = await guard.inspect();
    expect(value).toEqual({ entries: ["whole"] });
    expect(rows[0]?.row.seq).toBe(1);
  });

  it("when two handles of one term write at once, each write is applied once under a number of its own", async () => {
    const guard = openLedger();
    const one = claimant();
    const [first, second] = await Promise.all([guard.claim(one), guard.claim(one)]);
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) =>
        (index % 2 ? first : second).transaction((tx) => void tx.value.entries.push(`${index}`)),
      ),
    );
    const { value, rows } = await guard.inspect();
    expect(new Set(value.entries).size).toBe(100);
    expect(rows[0]?.row.seq).toBe(100);
  });

  it("when an operation is named and comes twice in a term, its body runs once and its result is answered", async () => {
    const ledger = await openLedger().claim(claimant());
    let runs = 0;
    const write = async () =>
      ledger.transaction(
        (tx) => {
          runs += 1;
          return tx.value.entries.push("a");
        },
        { opId: "invoice-1" },
      );
    expect([await write(), await write(), runs]).toEqual([1, 1, 1]);
  });

  it("when a successor repeats an operation, it is answered where operations are remembered, else applied again", async () => {
    for (const [rememberOperations, length] of [
      [10, 1],
      [0, 2],
    ] as const) {
      const guard = openLedger({ rememberOperations });
      const old = await guard.claim(claimant(7, "a"));
      await old.transaction((tx) => tx.value.entries.push("x"), { opId: "invoice-1" });
      const next = await guard.claim(claimant(8, "b"));
      expect(await next.transaction((tx) => tx.value.entries.push("x"), { opId: "invoice-1" })).toBe(length);
    }
  });

  it("when the result cannot be kept, nothing is written", async () => {
    const guard = openLedger();
    const ledger = await guard.claim(claimant());
    for (const result of ["x".repeat(4_096), 5n, () => {}]) {
      const error = await failure(
        ledger.transaction((tx) => {
          tx.value.entries.push("a");
          return result;
        }),
      );
      expect(TenureError.is(error, "RESULT_TOO_LARGE")).toBe(true);
    }
    expect((await guard.inspect()).value).toEqual({ entries: [] });
  });
});

describe("numbers", () => {
  it("when two resources of one name are written in one term, each has its own, so strict order holds", async () => {
    const leader = claimant();
    const [one, two] = await Promise.all(
      [openLedger({ order: "strict" }), openLedger({ order: "strict" })].map(async (guard) =>
        guard.claim(leader),
      ),
    );
    for (const ledger of [one, two, one, two])
      await ledger?.transaction((tx) => void tx.value.entries.push("a"));
    expect(await two?.read()).toEqual({ entries: ["a", "a"] });
  });

  it("when somebody else has used a number of the term, it is spent, and strict order goes on after it", async () => {
    const guard = openLedger({ order: "strict" });
    const leader = claimant();
    const ledger = await guard.claim(leader);
    const stranger = await guard.claim(leader.fence);
    // Somebody numbers for himself, and is two ahead.
    await stranger.transaction(() => {});
    expect(TenureError.is(await failure(ledger.transaction(() => {})), "SEQUENCE_REUSED")).toBe(true);
    await ledger.transaction(() => {});
    for (const number of [3, 4]) {
      await ledger.transaction(() => {});
      expect((await guard.inspect()).rows[0]?.row.seq).toBe(number);
    }
  });

  it("when a write is refused and the claim made again, strict order goes on with its number", async () => {
    const register = createRegister({ initial: 0, order: "strict" });
    const leader = claimant();
    const lost = await register.guard.claim(leader);
    register.wipe();
    expect(TenureError.is(await failure(lost.transaction(() => {})), "CLAIM_MISSING")).toBe(true);
    const counter = await register.guard.claim(leader);
    expect(await counter.transaction((tx) => (tx.value += 1))).toBe(1);
  });
});
