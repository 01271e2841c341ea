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
import type { Channel } from "./channel.js";

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

  constructor(events: LedgerEvents) {
    this.#events = events;
  }

  read(): ValueSnapshot {
    return this.#now;
  }

  get watermark(): number {
    return this.#now.fencing.rows[0]?.row.watermark ?? 0;
  }

  get count(): Count {
    return parse(this.#now.value);
  }

  /** One atomic step. */
  replace(before: ValueSnapshot, fencing: Fencing, change: string | undefined): Replaced["kind"] {
    if (before !== this.#now) return "conflict";
    this.#now = { fencing, value: change ?? before.value };
    const [row] = fencing.rows;
    const [old] = before.fencing.rows;
    if (row !== undefined && (row.row.watermark !== old?.row.watermark || row.row.owner !== old.row.owner))
      this.#events.claimed(row.row);
    else if (row !== undefined && row.row.window !== old?.row.window) this.#events.applied(row.row);
    if (change !== undefined) this.#events.wrote(parse(change), parse(before.value));
    return "replaced";
  }

  /** As without a guard: whoever comes last is right. */
  put(count: Count): void {
    const before = this.count;
    this.#now = { ...this.#now, value: JSON.stringify(count) };
    this.#events.wrote(count, before);
  }
}

function parse(value: string | undefined): Count {
  return value === undefined ? noCount : (JSON.parse(value) as Count);
}

/** Patience with one answer of the resource. */
const timeoutMs = 2_000;

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

type Timely<T> = { readonly answer: T } | { readonly cause: unknown };

function inTime<T>(clock: Clock, call: Promise<T>): Promise<Timely<T>> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(timeoutMs, () => resolve({ cause: new Error("no answer in time") }));
    const settle = (outcome: Timely<T>) => {
      timer.cancel();
      resolve(outcome);
    };
    call.then(
      (answer) => settle({ answer }),
      (cause: unknown) => settle({ cause }),
    );
  });
}
