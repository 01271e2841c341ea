import { describe, it } from "vitest";
import {
  applied,
  checkFence,
  decideClaim,
  decideWrite,
  decodeRow,
  encodeResult,
  encodeRow,
  type Fence,
  type Guard,
  refuseClaim,
  refuseUse,
  toClaimant,
  type WriteOptions,
  type WriteOrder,
  writerFor,
} from "../../../src/fence/index.js";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";

/** Stands for your database: the entries, and beside them what fences them. */
interface Table {
  version: number;
  fencing: Map<string, string>;
  entries: string[];
}

interface TableHandle {
  read(): Promise<readonly string[]>;
  /** `work` runs inside the transaction; what it returns is answered to a repeated write as well. */
  append(entry: string, work: () => Promise<unknown>, options?: WriteOptions): Promise<unknown>;
}

function tableGuard(table: Table, resource: string, order: WriteOrder = "any"): Guard<TableHandle> {
  function rowOf(fence: Fence) {
    const text = table.fencing.get(keyOf(fence));
    return text === undefined ? undefined : decodeRow(text);
  }

  return {
    kind: "table",
    resource,
    async claim(claimed, { signal } = {}) {
      const claimant = toClaimant(claimed);
      const fence = checkFence(claimant.fence);
      signal?.throwIfAborted();
      // From here on nothing may come in between, and it must be durable before it is answered.
      const decision = decideClaim(rowOf(fence), fence);
      if (decision.kind === "refused") {
        throw refuseClaim(resource, claimant, decision.refusal);
      }
      table.fencing.set(keyOf(fence), encodeRow(decision.row));
      table.version += 1;
      // Names the numbers: whoever writes to this table shares them, and nobody else does.
      const numbering = `table/${resource}`;
      const options = { resource, numbering, order, concurrency: 1 };
      const writer = writerFor(claimant, decision.row.seq, options);
      return {
        async read() {
          const refusal = refuseUse(rowOf(fence), fence);
          if (refusal !== undefined) throw writer.refuse(refusal);
          return [...table.entries];
        },
        append: async (entry, work, write = {}) =>
          writer.write(write, async (attempt) => {
            for (;;) {
              const { version } = table;
              const decision = decideWrite(rowOf(fence), fence, attempt, order);
              if (decision.kind !== "apply") return decision;
              const result = await work();
              const row = encodeRow(applied(decision.row, attempt, encodeResult(result)));
              // The check above counts only if nothing has changed since: a lock, or a version as here.
              if (table.version !== version) continue;
              // One step: the entry and the row that fences it.
              table.version += 1;
              table.entries.push(entry);
              table.fencing.set(keyOf(fence), row);
              return { kind: "applied", result };
            }
          }),
      };
    },
  };
}

function keyOf({ namespace, election }: Fence): string {
  return JSON.stringify([namespace, election]);
}

async function open(): Promise<GuardHarness<TableHandle>> {
  let tables = new Map<string, Table>();
  const tableOf = (name: string): Table => {
    const table = tables.get(name) ?? { version: 0, fencing: new Map(), entries: [] };
    tables.set(name, table);
    return table;
  };
  return {
    guard: ({ resource, order }) => tableGuard(tableOf(resource), resource, order),
    apply: async (handle, { value, result, pause, options }) =>
      handle.append(
        value,
        async () => {
          await pause();
          return result;
        },
        options,
      ),
    read: async (handle) => handle.read(),
    content: async (resource) => tableOf(resource).entries,
    loseReply() {
      throw new Error("left out");
    },
    operator: {
      // A server would be stopped and started here.
      restart: async () => {},
      async wipe() {
        for (const table of tables.values()) {
          Object.assign(table, { version: table.version + 1, fencing: new Map(), entries: [] });
        }
      },
      snapshot: async () => structuredClone(tables),
      async restore(snapshot) {
        for (const [name, { fencing, entries }] of structuredClone(snapshot as typeof tables)) {
          const table = tableOf(name);
          Object.assign(table, { version: table.version + 1, fencing, entries });
        }
      },
    },
    async close() {
      tables = new Map();
    },
  };
}

guardContract({
  describe,
  it,
  name: "table",
  open,
  capabilities: {
    savesResults: true,
    ordersStrictly: true,
    remembersOperations: false,
    claimsPassWriters: true,
  },
  skip: { loseReply: "a table in this process loses no answer" },
});
