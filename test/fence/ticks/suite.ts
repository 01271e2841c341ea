/** What every guard makes of ticks: the tests, over a schedule whose ticks put one line each into the resource. */

import { expect, it } from "vitest";
import {
  type TickHandle,
  type TickOutcome,
  oncePerTick,
  workPerTick,
} from "../../../src/fence/once-per-tick.js";
import type { TickRecord } from "../../../src/fence/once-per-tick.js";
import type { Claimant, Sequence } from "../../../src/fence/fence.js";
import { createSequence } from "../../../src/fence/sequence.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";

/** A resource in which ticks are marked. */
export interface Marked<Tx> {
  claim(by: Claimant): Promise<TickHandle<Tx>>;
  readonly record: TickRecord<Tx>;
  /** What a tick does, within the transaction. */
  effect(tx: Tx, line: string): void | Promise<void>;
  /** What ticks have done. */
  lines(): Promise<readonly string[]>;
  /** The next transaction is committed, and its answer does not come. Absent where answers cannot be lost. */
  loseAnswer?(): void;
}

export type InMarked = (work: <Tx>(marked: Marked<Tx>) => Promise<void>) => Promise<void>;

export const first = "2026-11-29T02:00Z";
export const second = "2026-11-29T03:00Z";

const schedule = "nightly";

/** With one allocator for each resource, as a leadership has. */
function term(token: number): Claimant {
  const sequences = new Map<string, Sequence>();
  return {
    fence: fence({ token, owner: `owner-${token}` }),
    sequence(resource) {
      const sequence = sequences.get(resource) ?? createSequence(resource);
      sequences.set(resource, sequence);
      return sequence;
    },
  };
}

async function run<Tx>(marked: Marked<Tx>, handle: TickHandle<Tx>, tick: string): Promise<TickOutcome<void>> {
  return oncePerTick(handle, { schedule, tick, record: marked.record }, (tx) => marked.effect(tx, tick));
}

/** To be called inside of `describe`. `kind` stands in the titles. */
export function tickSuite(kind: string, inMarked: InMarked): void {
  it(`when three terms ask for a tick, it is done in the first and known in the others (${kind})`, async () => {
    await inMarked(async (marked) => {
      const outcomes: TickOutcome<unknown>[] = [];
      for (const token of [7, 8, 9]) outcomes.push(await run(marked, await marked.claim(term(token)), first));
      expect(outcomes.map(({ kind }) => kind)).toEqual(["ran", "done", "done"]);
      expect(outcomes.slice(1)).toMatchObject([{ token: 7 }, { token: 7 }]);
      expect(await marked.lines()).toEqual([first]);
    });
  });

  it(`when a term asks for several ticks at once and each of them twice, each is done once and all are remembered (${kind})`, async () => {
    await inMarked(async (marked) => {
      const leader = term(7);
      const handles = [await marked.claim(leader), await marked.claim(leader)];
      const ticks = Array.from({ length: 12 }, (_, at) => `2026-11-29T02:${10 + at}Z`);
      const asked = ticks.flatMap((tick) => handles.map(async (handle) => run(marked, handle, tick)));
      const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
      expect(kinds.filter((one) => one === "ran")).toHaveLength(12);
      const next = await marked.claim(term(8));
      for (const tick of ticks) expect(await run(marked, next, tick)).toEqual({ kind: "done", token: 7 });
      expect([...(await marked.lines())].toSorted()).toEqual(ticks);
    });
  });

  it(`when the body throws, nothing of the tick is done and whoever asks next does it (${kind})`, async () => {
    await inMarked(async (marked) => {
      const handle = await marked.claim(term(7));
      const failing = oncePerTick(handle, { schedule, tick: first, record: marked.record }, (tx) => {
        const done = marked.effect(tx, "half");
        const fail = () => {
          throw new Error("in the middle");
        };
        return done === undefined ? fail() : done.then(fail);
      });
      expect(String(await rejection(failing))).toContain("in the middle");
      expect(await marked.lines()).toEqual([]);
      expect(await run(marked, handle, first)).toMatchObject({ kind: "ran" });
      expect(await marked.lines()).toEqual([first]);
    });
  });

  it(`when a successor has claimed, the former leader does no tick and marks none (${kind})`, async () => {
    await inMarked(async (marked) => {
      const former = await marked.claim(term(7));
      const successor = await marked.claim(term(8));
      expect(await rejection(run(marked, former, first))).toMatchObject({ code: "STALE" });
      expect(await run(marked, successor, first)).toMatchObject({ kind: "ran" });
      expect(await rejection(run(marked, former, first))).toMatchObject({ code: "STALE" });
      expect(await marked.lines()).toEqual([first]);
    });
  });

  interruptionSuite(kind, inMarked);
}

function interruptionSuite(kind: string, inMarked: InMarked): void {
  it(`when the work of a tick is interrupted, its successor skips it and says so, or does it again by name (${kind})`, async () => {
    await inMarked(async (marked) => {
      const { record } = marked;
      const began: string[] = [];
      const former = await marked.claim(term(7));
      const interrupted = workPerTick(former, { schedule, tick: first, record }, async ({ again }) => {
        began.push(`7 ${again}`);
        await marked.claim(term(8));
      });
      expect(await rejection(interrupted)).toMatchObject({ code: "STALE" });
      const successor = await marked.claim(term(8));
      const work = async (onInterrupted: "skip" | "again", tick: string) =>
        workPerTick(successor, { schedule, tick, record, onInterrupted }, async ({ again }) => {
          began.push(`8 ${again}`);
          return "result";
        });
      expect(await work("skip", first)).toEqual({ kind: "interrupted", token: 7 });
      expect(await work("again", first)).toEqual({ kind: "ran", result: "result" });
      expect(await work("again", first)).toEqual({ kind: "done", token: 8 });
      expect(await work("skip", second)).toEqual({ kind: "ran", result: "result" });
      expect(began).toEqual(["7 false", "8 true", "8 false"]);
    });
  });
}

/** Of a guard whose answers can be lost. */
export function lostAnswerSuite(kind: string, inMarked: InMarked): void {
  it(`when an answer is lost, the schedule waits for the next term, which knows that the tick was done (${kind})`, async () => {
    await inMarked(async (marked) => {
      const leader = term(7);
      const handle = await marked.claim(leader);
      expect(await run(marked, handle, first)).toMatchObject({ kind: "ran" });
      marked.loseAnswer?.();
      const doubted = await rejection(run(marked, handle, second));
      expect(doubted).toMatchObject({ code: "GUARD_UNCONFIRMED" });
      for (const tick of [second, "2026-11-29T04:00Z"]) {
        expect(await rejection(run(marked, await marked.claim(leader), tick))).toBe(doubted);
      }
      const next = await marked.claim(term(8));
      expect(await run(marked, next, second)).toEqual({ kind: "done", token: 7 });
      expect(await marked.lines()).toEqual([first, second]);
    });
  });
}
