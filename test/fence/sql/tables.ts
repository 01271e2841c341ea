/** Tables and privileges on a database server: what is said where tables are missing, what a role needs. One suite. */

import { expect, it } from "vitest";
import { createSequence } from "../../../src/fence/sequence.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import type { Server } from "./stand.js";

/** Declares the suite inside of a `describe`. */
export function tableSuite<T>(server: Server<T>): void {
  missing(server);
  privileges(server);
  numbers(server);
  rows(server);
}

function missing<T>({ inStand }: Server<T>): void {
  it("when they are missing, a claim says what to do and is not tried again", async () => {
    await inStand(async (stand) => {
      const error = await rejection(stand.guard({ create: false }).claim(fence()));
      expect(error).toMatchObject({ code: "GUARD_TABLES_MISSING", retry: "never" });
      expect(String(error)).toContain("create: true");
    });
  });

  it("when one of them is dropped under a leader, writes fail for the same reason and apply nothing", async () => {
    await inStand(async (stand) => {
      const handle = await stand.guard().claim(fence());
      await stand.query(`DROP TABLE ${stand.tables.attempt}`);
      const write = handle.transaction(async (tx) => stand.put(tx, "late"));
      expect(await rejection(write)).toMatchObject({ code: "GUARD_TABLES_MISSING" });
      expect(await stand.content()).toEqual([]);
    });
  });

  it("when several guards find none at once, one makes them and all claim", async () => {
    await inStand(async (stand) => {
      const claims = Array.from({ length: 8 }, async (_, index) =>
        stand.guard().claim(fence({ election: `election-${index}` })),
      );
      expect(await Promise.all(claims)).toHaveLength(8);
    });
  });
}

function privileges<T>({ inStand }: Server<T>): void {
  it("when the role may only select, insert, update and delete, claims, writes and evictions of its own work", async () => {
    await inStand(async (stand) => {
      await stand.guard().claim(fence({ token: 1 }));
      const { guard, drop } = await stand.writer();
      const options = { create: true, rememberOperations: 10, claimLockTimeoutMs: 100 };
      const old = await guard(options).claim(fence());
      await old.transaction(async (tx) => stand.put(tx, "1"), { opId: "one" });
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      let write: Promise<unknown> = held;
      await new Promise<void>((inside) => {
        const standing = old.transaction(async () => {
          inside();
          await held;
        });
        write = rejection(standing);
      });
      const handle = await guard({ ...options, evictStale: true }).claim(fence({ token: 8, owner: "b" }));
      goOn();
      await write;
      await handle.transaction(async (tx) => stand.put(tx, "2"));
      expect(await stand.content()).toEqual(["1", "2"]);
      await drop();
    });
  });
}

function numbers<T>({ inStand }: Server<T>): void {
  it("when two databases hold a resource of one name, a term numbers its writes to each by itself", async () => {
    await inStand(async (one) => {
      await inStand(async (other) => {
        const sequences = new Map<string, number>();
        const claimant = {
          fence: fence(),
          sequence: (name: string) => {
            sequences.set(name, (sequences.get(name) ?? 0) + 1);
            return createSequence(name);
          },
        };
        for (const stand of [one, other, one]) await stand.guard().claim(claimant);
        expect([...sequences.values()]).toEqual([2, 1]);
      });
    });
  });

  it("when operations are trimmed, the newest stay, and the resource's own alone", async () => {
    await inStand(async (stand) => {
      const options = { rememberOperations: 5 };
      const [ledger, other] = [
        await stand.guard(options).claim(fence()),
        await stand.guard({ ...options, resource: "other" }).claim(fence()),
      ];
      await other.transaction(async () => {}, { opId: "other" });
      for (let index = 1; index <= 64; index += 1) {
        await ledger.transaction(async () => {}, { opId: `op-${index}` });
      }
      expect(await stand.column(`SELECT op FROM ${stand.tables.operation} ORDER BY id`)).toEqual([
        "other",
        "op-60",
        "op-61",
        "op-62",
        "op-63",
        "op-64",
      ]);
    });
  });
}

function rows<T>({ inStand }: Server<T>): void {
  it("when it is inspected, the row of each election is shown as other guards keep it", async () => {
    await inStand(async (stand) => {
      const guard = stand.guard();
      const handle = await guard.claim(fence({ namespace: "na\0me" }));
      await handle.transaction(async () => {}, { opId: "one" });
      await handle.transaction(async () => ({ balance: 90 }), { opId: "two" });
      expect(await guard.inspect()).toEqual([
        {
          namespace: "na\0me",
          election: "invoices",
          row: {
            ...{ v: 1, lineage: "default/lease", watermark: 7, owner: "a", seq: 2 },
            window: [
              { seq: 1, opId: "one", returned: false },
              { seq: 2, opId: "two", returned: true },
            ],
            last: { seq: 2, opId: "two", result: '{"balance":90}' },
          },
        },
      ]);
    });
  });

  it("when a row is of a later format, it is refused and left as it is", async () => {
    await inStand(async (stand) => {
      const guard = stand.guard();
      const handle = await guard.claim(fence());
      await stand.query(`UPDATE ${stand.tables.fence} SET v = 2`);
      const claim = guard.claim(fence({ token: 8 }));
      expect(await rejection(claim)).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
      const write = handle.transaction(async (tx) => stand.put(tx, "1"));
      expect(await rejection(write)).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
      expect(await stand.content()).toEqual([]);
    });
  });
}
