/** What operators do to a guard on a database server: one suite, for every server. */

import { describe, expect, it } from "vitest";
import { verifyFence } from "../../../src/fence/verify/index.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import type { Server, Stand } from "./stand.js";

export interface Operated<T> extends Server<T> {
  readonly kind: string;
}

const seen = { lineage: "default/lease", watermark: 7 };
const signed = { by: "kim@host", reason: "it's \\ moved, \u{1f5dd}" };
const order = { election: "invoices", from: seen, watermark: 1, ...signed };

/** Rows of all tables of the guard. */
async function rowCounts<T>({ tables, count }: Stand<T>): Promise<readonly number[]> {
  return Promise.all(Object.values(tables).map(async (table: string) => count(table)));
}

/** Declares the suite inside of a `describe`. */
export function operatorSuite<T>(operated: Operated<T>): void {
  describe("verifies", () => {
    verifies(operated);
  });
  describe("adopts and resets", () => {
    acts(operated);
    keepsApart(operated);
    disturbed(operated);
  });
}

function verifies<T>({ kind, clients, inStand }: Operated<T>): void {
  it.each(clients)("through %s: a sound guard passes every probe, and no row is left", async (client) => {
    await inStand(async (stand) => {
      const mine = await stand.guard({}, client).claim(fence());
      await mine.transaction(async (tx) => stand.put(tx, "mine"));
      const before = await rowCounts(stand);
      const found = await verifyFence((resource) =>
        stand.guard({ resource, claimLockTimeoutMs: 100, rememberOperations: 4 }, client),
      );
      expect(found.probes.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
      expect(found).toMatchObject({ kind, sound: true, left: [] });
      expect(await rowCounts(stand)).toEqual(before);
      await mine.transaction(async (tx) => stand.put(tx, "still mine"));
      expect(await stand.content()).toEqual(["mine", "still mine"]);
    });
  });

  it("strict order, too; and without tables there is no finding but an error", async () => {
    await inStand(async (stand) => {
      const missing = verifyFence((resource) => stand.guard({ resource, create: false }));
      expect(await rejection(missing)).toMatchObject({ code: "GUARD_TABLES_MISSING" });
      const found = await verifyFence((resource) =>
        stand.guard({ resource, claimLockTimeoutMs: 100, order: "strict" }),
      );
      expect(found.sound).toBe(true);
      expect(found.probes.find(({ id }) => id === "reordered-write")?.found).toContain("SEQUENCE_GAP");
    });
  });
}

function acts<T>({ clients, inStand }: Operated<T>): void {
  it.each(clients)(
    "through %s: row and record change in one step, and the new lineage writes",
    async (client) => {
      await inStand(async (stand) => {
        const guard = stand.guard({}, client);
        const old = await guard.claim(fence());
        await old.transaction(async (tx) => stand.put(tx, "old"));
        const toRaft = { election: "invoices", from: seen, lineage: "default/raft", ...signed };
        const adopted = await guard.operator.adopt(toRaft);
        expect(await rejection(old.transaction(async (tx) => stand.put(tx, "late")))).toMatchObject({
          code: "FOREIGN_LINEAGE",
        });
        const [row] = await guard.inspect();
        expect(row?.row).toMatchObject({ lineage: "default/raft", watermark: 7, seq: 0 });
        const handle = await guard.claim(fence({ lineage: "default/raft", token: 8, owner: "raft" }));
        await handle.transaction(async (tx) => stand.put(tx, "new"));
        expect(await stand.content()).toEqual(["old", "new"]);
        const from = { lineage: "default/raft", watermark: 8 };
        const forgotten = await guard.operator.reset({ ...order, from, watermark: "forget" });
        expect(await guard.inspect()).toEqual([]);
        expect(await guard.operator.acts()).toEqual([forgotten, adopted]);
        expect([await stand.count(stand.tables.fence), await stand.count(stand.tables.attempt)]).toEqual([
          0, 0,
        ]);
      });
    },
  );

  it("when something else stands there than was seen, nothing is changed and nothing recorded", async () => {
    await inStand(async (stand) => {
      const guard = stand.guard();
      await guard.claim(fence());
      const late = guard.operator.reset({ ...order, from: { ...seen, watermark: 6 } });
      expect(await rejection(late)).toMatchObject({ code: "FENCE_CHANGED", found: { ...seen, owner: "a" } });
      expect(await stand.count(stand.tables.act)).toBe(0);
      expect((await guard.inspect())[0]?.row).toMatchObject({ ...seen, owner: "a" });
    });
  });

  it("when the record cannot be written, the row stays as it was", async () => {
    await inStand(async (stand) => {
      const guard = stand.guard();
      await guard.claim(fence());
      await stand.query(`DROP TABLE ${stand.tables.act}`);
      expect(await rejection(guard.operator.reset(order))).toMatchObject({ code: "GUARD_TABLES_MISSING" });
      expect((await guard.inspect())[0]?.row.watermark).toBe(7);
    });
  });
}

/** Whatever their names are. */
function keepsApart<T>({ inStand }: Operated<T>): void {
  it("a record holds the longest of all texts, and comes back letter by letter", async () => {
    await inStand(async (stand) => {
      // Each of these is written twice as long, or six times in JSON.
      const [names, lineages] = [1_024, 2_048].map((bytes) => "\\\0".repeat(bytes / 2));
      const [election = "", lineage = ""] = [names, lineages];
      const guard = stand.guard({ resource: election });
      const owner = "\u{1f5dd}".repeat(50);
      await guard.claim(fence({ namespace: election, election, lineage, owner }));
      const acted = await guard.operator.reset({
        ...{ namespace: election, election, from: { lineage, watermark: 7 }, watermark: 2 ** 52 },
        ...{ by: "\0".repeat(200), reason: "\u{1f5dd}".repeat(125) },
      });
      expect(acted.before).toEqual({ lineage, watermark: 7, owner });
      expect(await guard.operator.acts()).toEqual([acted]);
    });
  });

  it("resources whose names differ by case, or by spaces at the end, keep their rows and acts apart", async () => {
    await inStand(async (stand) => {
      const guards = ["ledger", "ledger ", "Ledger"].map((resource) => stand.guard({ resource }));
      const [first, ...others] = guards;
      for (const guard of guards) await guard.claim(fence());
      await first?.operator.reset({ ...order, watermark: "forget" });
      expect(await first?.inspect()).toEqual([]);
      expect(await first?.operator.acts()).toHaveLength(1);
      for (const guard of others) {
        expect(await guard.inspect()).toHaveLength(1);
        expect(await guard.operator.acts()).toEqual([]);
      }
    });
  });
}

/** What stands in the way of an act, or hides what became of it. */
function disturbed<T>({ inStand }: Operated<T>): void {
  it.each(["before", "after"] as const)(
    "when the answer is lost %s the commit, it is unconfirmed, and the record says whether it was done",
    async (when) => {
      await inStand(async (stand) => {
        const { guard, breakNext } = stand.breakable();
        await guard.claim(fence());
        breakNext(when);
        const error = await rejection(guard.operator.reset(order));
        expect(error).toMatchObject({ code: "ACT_UNCONFIRMED", outcome: "unknown" });
        const isDone = when === "after";
        expect(await guard.operator.acts()).toHaveLength(isDone ? 1 : 0);
        expect((await guard.inspect())[0]?.row.watermark).toBe(isDone ? 1 : 7);
      });
    },
  );

  it("when a claim comes while it waits, the act sees that claim, and does nothing", async () => {
    await inStand(async (stand) => {
      const guard = stand.guard({ claimLockTimeoutMs: 20_000 });
      await guard.claim(fence());
      const claiming = await stand.open(`UPDATE ${stand.tables.fence} SET watermark = 8, owner = 'b'`);
      const acting = rejection(guard.operator.reset(order));
      await stand.waiting(1);
      await claiming.commit();
      expect(await acting).toMatchObject({ code: "FENCE_CHANGED", found: { watermark: 8, owner: "b" } });
      expect((await guard.inspect())[0]?.row).toMatchObject({ watermark: 8, owner: "b" });
      expect(await guard.operator.acts()).toEqual([]);
    });
  });

  it("while a write stands in the way, the act waits, names it, and does nothing", async () => {
    await inStand(async (stand) => {
      const guard = stand.guard({ claimLockTimeoutMs: 100 });
      const handle = await guard.claim(fence());
      await handle.transaction(async (tx) => {
        await stand.put(tx, "under way");
        expect(await rejection(guard.operator.reset(order))).toMatchObject({
          code: "CLAIM_BLOCKED",
          blockers: [{ token: 7 }],
        });
      });
      expect(await guard.operator.acts()).toEqual([]);
      expect((await guard.operator.reset(order)).after?.watermark).toBe(1);
    });
  });
}
