import { randomUUID } from "node:crypto";
import { describe, it } from "vitest";
import { decodeRecord, encodeRecord } from "../../../src/lease/record.js";
import type { Store, Stored } from "../../../src/lease/store.js";
import { type StoreHarness, storeContract } from "../../../src/testkit/index.js";

/** Stands for your server: rows, and one number that is never used twice. */
interface Table {
  id: string;
  counter: number;
  rows: Map<string, { version: string; text: string }>;
}

function tableStore(table: Table): Store {
  const openedId = table.id;
  let disposed = false;

  function show(key: string): Stored | undefined {
    const row = table.rows.get(key);
    return row && { version: row.version, epoch: table.id, body: decodeRecord(row.text) };
  }

  return {
    kind: "table",
    scope: "process",
    capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: false },
    maxTtlMs: 15_000,
    async read(key, call) {
      call.signal.throwIfAborted();
      if (disposed) throw new Error("the store was disposed");
      return show(key);
    },
    async write(key, record, expected, call) {
      call.signal.throwIfAborted();
      if (disposed) throw new Error("the store was disposed");
      // From here on nothing may come in between: one statement, one script, one transaction.
      const current = show(key);
      const readable = current === undefined || typeof current.body === "object";
      if (current?.version !== expected || !readable) return { kind: "conflict", current };
      const proven = call.absence === "waited" || table.id === openedId;
      if (!proven) return { kind: "unproven", epoch: table.id };
      const text = encodeRecord(record);
      table.counter += 1;
      const version = `${table.id}-${table.counter}`;
      table.rows.set(key, { version, text });
      return { kind: "written", version, epoch: table.id };
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
    },
  };
}

async function open(): Promise<StoreHarness> {
  const table: Table = { id: randomUUID(), counter: 0, rows: new Map() };
  return {
    store: () => tableStore(table),
    operator: {
      async remove(key) {
        table.rows.delete(key);
      },
      async wipe() {
        table.id = randomUUID();
        table.rows.clear();
      },
      async put(key, text) {
        table.counter += 1;
        table.rows.set(key, { version: `${table.id}-${table.counter}`, text });
      },
      snapshot: async () => new Map(table.rows),
      async restore(snapshot) {
        table.rows = new Map(snapshot as Table["rows"]);
      },
    },
    close: async () => {},
  };
}

storeContract({
  describe,
  it,
  name: "table",
  open,
  capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: false },
});
