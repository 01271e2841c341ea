/**
 * The ledger that leaders of a case write to, and what became of it.
 *
 * Each leader claims it, adds an entry now and then while it may, one more when it notices that it may not any
 * more, and a few later on: work that was on its way. The ledger is read, changed and written, so an update
 * that is lost shows. What was claimed, applied and refused goes into the history that the audit judges.
 */

import type { Clock } from "../../src/base/clock.js";
import type { VirtualWorld } from "../../src/base/virtual-clock.js";
import type { Election, Leadership } from "../../src/election/api.js";
import { TenureError } from "../../src/errors/index.js";
import type { Claimant, Fence } from "../../src/fence/fence.js";
import { memoryGuard, type ValueHandle } from "../../src/fence/memory/index.js";
import type { HistoryEvent, HistoryLine, HistoryStamp } from "../../src/history/line.js";
import type { KeptGuard } from "./keeping.js";

export interface Book {
  /** Writes that count. */
  readonly count: number;
  /** Operation ids of the last of them, oldest first. */
  readonly entries: readonly string[];
}

export interface Writing {
  readonly applied: string[];
  /** Codes of refusals. */
  readonly refused: string[];
  /** What failed otherwise. */
  readonly failed: unknown[];
}

interface Writer {
  readonly node: string;
  readonly clock: Pick<Clock, "setTimer">;
  readonly election: Election<Leadership>;
}

export const emptyBook: Book = { count: 0, entries: [] };
const keptEntries = 200;

/** When leaders write, and by what clock that is told. */
export interface Pace {
  readonly everyMs: number;
  /** Pauses before the writes that come in after the end of a term, since they were on their way. */
  readonly lateMs: readonly number[];
  /** The stamp of a line of now, later than any before. */
  readonly stamp: (node: string) => Pick<HistoryStamp, "boot" | "at" | "wall" | "process">;
}

function virtualPace(world: VirtualWorld): Pace {
  let count = 0;
  return {
    everyMs: 500,
    lateMs: [0, 7_000, 7_000, 7_000],
    stamp(node) {
      const now = world.nowMs;
      // In the order in which the resource decided: lines of one instant differ by a nanosecond.
      const at = (BigInt(Math.round(now * 1e6)) + BigInt((count += 1) % 1_000)).toString();
      return { boot: "virtual", at, wall: now, process: node };
    },
  };
}

export class Ledger {
  readonly guard: KeptGuard<Book>;
  readonly history: string[] = [];
  readonly #pace: Pace;
  readonly #writings = new Map<string, Writing>();
  readonly #works = new Set<Promise<void>>();
  readonly #wakes = new Set<() => void>();
  #count = 0;
  #isClosed = false;

  constructor(pace: VirtualWorld | Pace, guard?: KeptGuard<Book>) {
    this.#pace = "stamp" in pace ? pace : virtualPace(pace);
    this.guard = guard ?? memoryGuard<Book>({ resource: "ledger", initial: emptyBook });
  }

  /** What this node's writes came to. */
  of(node: string): Writing {
    const writing = this.#writings.get(node) ?? { applied: [], refused: [], failed: [] };
    this.#writings.set(node, writing);
    return writing;
  }

  /** Stale writes that were tried and refused, by whomever. */
  get refusedCount(): number {
    return [...this.#writings.values()].reduce((sum, { refused }) => sum + refused.length, 0);
  }

  get appliedCount(): number {
    return [...this.#writings.values()].reduce((sum, { applied }) => sum + applied.length, 0);
  }

  /** From now on each term of this candidate writes. */
  employ(writer: Writer): void {
    writer.election.on("elected", () => {
      const { leadership } = writer.election;
      if (leadership === undefined) return;
      const work = this.#work(writer, leadership);
      this.#works.add(work);
      void work.then(() => this.#works.delete(work));
    });
  }

  /** Nobody writes any more once this has resolved. For leaders in real time: others stand still with their world. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#wakes) wake();
    await Promise.all(this.#works);
  }

  /** Claims for somebody who has no election here, or again. */
  async claim(node: string, claimant: Claimant | Fence): Promise<ValueHandle<Book>> {
    const handle = await this.guard.claim(claimant);
    this.#note(node, handle.fence, "claimed", {});
    return handle;
  }

  /** Writes once, whoever may; notes what became of it. */
  async write({ node }: Pick<Writer, "node">, handle: ValueHandle<Book>): Promise<void> {
    const opId = `${node}-${(this.#count += 1)}`;
    const writing = this.of(node);
    try {
      await handle.transaction((tx) => void (tx.value = entered(tx.value, opId)), { opId });
      writing.applied.push(opId);
      this.#note(node, handle.fence, "applied", { opId });
    } catch (cause) {
      this.#refused(node, handle.fence, cause, opId);
    }
  }

  /** Why the ledger is not what the writers were told; undefined when it is. */
  async complaint(): Promise<string | undefined> {
    const { count, entries } = (await this.guard.inspect()).value;
    const acknowledged = this.appliedCount;
    const lost = [...this.#writings.values()]
      .flatMap(({ applied }) => applied)
      .filter((opId) => !entries.includes(opId));
    if (count < acknowledged)
      return `acknowledged and lost: ${acknowledged - count} of ${lost.slice(-20).join(", ")}`;
    return count > acknowledged ? `${count} writes count, ${acknowledged} were acknowledged` : undefined;
  }

  async #work(writer: Writer, leadership: Leadership): Promise<void> {
    const { node, clock } = writer;
    try {
      const handle = await this.claim(node, leadership);
      while (leadership.isCurrent && !this.#isClosed) {
        await this.write(writer, handle);
        await this.#pause(clock, this.#pace.everyMs);
      }
      for (const ms of this.#pace.lateMs) {
        if (ms > 0) await this.#pause(clock, ms);
        if (this.#isClosed) return;
        await this.write(writer, handle);
      }
    } catch (cause) {
      this.#refused(node, leadership.fence, cause);
    }
  }

  async #pause(clock: Writer["clock"], ms: number): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        timer.cancel();
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = clock.setTimer(ms, wake);
      this.#wakes.add(wake);
    });
  }

  #refused(node: string, fence: Fence, cause: unknown, opId?: string): void {
    const writing = this.of(node);
    if (!TenureError.is(cause)) writing.failed.push(cause);
    else {
      const { code } = cause;
      writing.refused.push(code);
      this.#note(node, fence, "refused", { code, ...(opId === undefined ? {} : { opId }) });
    }
  }

  #note(
    node: string,
    { namespace, election, token, owner: instance }: Fence,
    event: "claimed" | "applied" | "refused",
    facts: { readonly opId?: string; readonly code?: string },
  ): void {
    const told: HistoryEvent = { event, resource: this.guard.resource, instance, token, ...facts };
    const line: HistoryLine = { v: 1, ...this.#pace.stamp(node), node, namespace, election, ...told };
    this.history.push(JSON.stringify(line));
  }
}

export function entered({ count, entries }: Book, opId: string): Book {
  return { count: count + 1, entries: [...entries, opId].slice(-keptEntries) };
}
