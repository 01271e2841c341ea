/**
 * The guarded resource: a value and its fencing rows behind one compare-and-set, at the far end of the network.
 *
 * It tells what it decided, in order: claims, applied writes, and on what value each of them was built.
 */

import type { Clock } from "../../base/clock.js";
import { createError } from "../../errors/index.js";
import type { Cell, Fencing, Replaced } from "../../fence/cell.js";
import type { GuardRow } from "../../fence/row.js";
import type { ValueSnapshot } from "../../fence/value-guard.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import type { Channel } from "./channel.js";
import { inTime } from "./patience.js";

/** What leaders write: a count, and what the writer had read when it added one. */
export interface Count {
  readonly count: number;
  readonly read: number;
  readonly opId: string;
}

export const noCount: Count = { count: 0, read: 0, opId: "" };

export interface LedgerEvents {
  claimed(row: GuardRow): void;
  applied(row: GuardRow): void;
  /** A write that is there now, guarded or not. */
  wrote(count: Count, before: Count): void;
}

export class Ledger {
  readonly #events: LedgerEvents;
  #now: ValueSnapshot = { fencing: { rows: [], operations: [] }, value: undefined };

  /** As it was before the last claim. */
  #unclaimed: ValueSnapshot = this.#now;

  /** What was read last: each write reads what the one before it has written. */
  #known: { readonly value: string | undefined; readonly count: Count } = {
    value: undefined,
    count: noCount,
  };

  constructor(events: LedgerEvents) {
    this.#events = events;
  }

  read(): ValueSnapshot {
    return this.#now;
  }

  /** A restore, or an operator who cleans up. */
  forget(what: "last-claim" | "all-claims"): void {
    this.#now =
      what === "last-claim"
        ? { ...this.#unclaimed }
        : { ...this.#now, fencing: { rows: [], operations: [] } };
  }

  get watermark(): number {
    return this.#now.fencing.rows[0]?.row.watermark ?? 0;
  }

  get count(): Count {
    return this.#read(this.#now.value);
  }

  /** One atomic step. */
  replace(before: ValueSnapshot, fencing: Fencing, change: string | undefined): Replaced["kind"] {
    if (before !== this.#now) return "conflict";
    this.#now = { fencing, value: change ?? before.value };
    const [row] = fencing.rows;
    const [old] = before.fencing.rows;
    if (row !== undefined && (row.row.watermark !== old?.row.watermark || row.row.owner !== old.row.owner)) {
      this.#unclaimed = before;
      this.#events.claimed(row.row);
    } else if (row !== undefined && row.row.window !== old?.row.window) this.#events.applied(row.row);
    if (change !== undefined) {
      const old = this.#read(before.value);
      this.#events.wrote(this.#read(change), old);
    }
    return "replaced";
  }

  #read(value: string | undefined): Count {
    if (value !== this.#known.value) this.#known = { value, count: parse(value) };
    return this.#known.count;
  }

  /** As without a guard: whoever comes last is right. */
  put(count: Count): void {
    const before = this.count;
    // The same write once more, and nothing in between: nobody loses by that.
    if (before.opId === count.opId) return;
    this.#now = { ...this.#now, value: JSON.stringify(count) };
    this.#events.wrote(count, before);
  }
}

function parse(value: string | undefined): Count {
  return value === undefined ? noCount : (JSON.parse(value) as Count);
}

/** The ledger as one process reaches it, for the guard that ships. */
export function ledgerCell(ledger: Ledger, channel: Channel, clock: Clock): Cell<ValueSnapshot, string> {
  return {
    async read() {
      const answer = await inTime(
        clock,
        channel.call({ kind: "ledger-read", mark: undefined, carryOut: () => ledger.read() }),
      );
      if (!("answer" in answer)) throw createError("GUARD_FAILED", "the ledger did not answer", answer);
      return answer.answer;
    },
    async replace(before, fencing, change, stillWanted) {
      stillWanted();
      const answer = await inTime(
        clock,
        channel.call({
          kind: "ledger-write",
          mark: change,
          carryOut: () => ledger.replace(before, fencing, change),
        }),
      );
      if (!("answer" in answer)) return { kind: "unconfirmed", ...answer };
      return { kind: answer.answer } as Replaced;
    },
    async confirm() {},
  };
}

/** The ledger as one process reaches it without a guard: every claim is granted, and whoever writes last is right. */
export function unguardedLedger(ledger: Ledger, channel: Channel, clock: Clock): Guard<ValueHandle<Count>> {
  return {
    kind: "unguarded",
    resource: "ledger",
    claim: async (claimed) => ({
      resource: "ledger",
      fence: "fence" in claimed ? claimed.fence : claimed,
      async read() {
        const answer = await inTime(
          clock,
          channel.call({ kind: "ledger-read", mark: undefined, carryOut: () => ledger.count }),
        );
        if (!("answer" in answer)) throw createError("GUARD_FAILED", "the ledger did not answer", answer);
        return answer.answer;
      },
      async transaction(body, { opId = "", attempt = { resource: "ledger", seq: 0, opId } } = {}) {
        const transaction = { value: noCount };
        const result = await body(transaction);
        const count = transaction.value;
        const answer = await inTime(
          clock,
          channel.call({ kind: "ledger-write", mark: count.opId, carryOut: () => ledger.put(count) }),
        );
        if ("answer" in answer) return result;
        const fields = { attempt };
        throw createError("GUARD_UNCONFIRMED", "the ledger did not answer", { ...answer, fields });
      },
    }),
  };
}
