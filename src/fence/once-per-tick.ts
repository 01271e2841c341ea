/**
 * Once per tick: what a schedule wants done at an instant is done once, however many replicas ask, and whenever.
 *
 * Promise: a tick is known by the instant that the schedule names, and never by when somebody
 * asks. It is marked in the guarded resource, under the fence, so whoever asks later, from another
 * replica or another term, finds the mark. `oncePerTick` makes mark and effect one transaction:
 * exactly once. `workPerTick` is for effects elsewhere: at most once, or at least once by name.
 *
 * Assumption: a guard, and a record that is kept in what its transactions write. All who run a
 * schedule name it alike, and name its instants alike. Non-promise: that a tick is run at all, or in
 * order; nobody here has a clock. Whoever wants ticks that were missed asks for them.
 */

import { callable, count, knownOnly, oneOf, optionError, text } from "../base/options.js";
import { after } from "../base/thenable.js";
import { createError, TenureError } from "../errors/index.js";
import type { Fence } from "./fence.js";
import { type Course, courseOf, inTurn } from "./tick-course.js";
import {
  decodeMarks,
  encodeMarks,
  findTick,
  type MarkedTick,
  mostRemembered,
  type TickMarks,
  toTick,
  withTick,
} from "./tick-record.js";

/** What a claim of a guard gives. `Tx` is what its transactions work on; the handle of every guard here fits. */
export interface TickHandle<Tx> {
  readonly resource: string;
  readonly fence: Fence;
  transaction(
    body: (tx: Tx) => undefined | Promise<undefined>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<unknown>;
}

/**
 * Where the record of ticks is kept: in the guarded resource, one text per schedule, up to some 80 bytes for each tick
 * that is remembered. Both must work on the transaction that they are given, and on nothing else.
 */
export interface TickRecord<Tx> {
  /** What `write` put there last; undefined or null before the first time. */
  read(tx: Tx, schedule: string): Stored | Promise<Stored>;
  write(tx: Tx, schedule: string, record: string): unknown;
}

type Stored = string | null | undefined;

export interface TickOptions<Tx> {
  /** Names the schedule within the resource; 1 to 200 bytes. */
  readonly schedule: string;
  /**
   * The instant that the schedule names, and not that of asking: every replica has to come to the same one. ISO 8601
   * with a zone, such as "2026-11-29T02:00Z" or what `toISOString` of a Date gives; in the years 0000 to 9999.
   */
  readonly tick: string;
  readonly record: TickRecord<Tx>;
  /**
   * How many ticks are remembered, the latest ones; 1 to 1 000. A tick that is not above the latest one that was
   * forgotten is `too-old`. Default 64: as far as replicas may be apart, and a record of some 5 KiB.
   */
  readonly remember?: number;
  /** Asked until the body or the work begins. */
  readonly signal?: AbortSignal;
}

export interface TickWorkOptions<Tx> extends TickOptions<Tx> {
  /**
   * What to do about a tick that was begun and not ended, because a process died or a term was lost in between, or
   * because the work threw. `skip`: the work is not called again, and the answer is `interrupted`: at most once. `again`: it is
   * called again: at least once, if somebody asks, and possibly while the earlier one still runs elsewhere. Default
   * `skip`: whoever wants something once is hurt more by twice, and is told.
   */
  readonly onInterrupted?: "skip" | "again";
}

export type TickOutcome<R> =
  | { readonly kind: "ran"; readonly result: R }
  /** It ran before, in the term of that token. */
  | { readonly kind: "done"; readonly token: number }
  /** `workPerTick` began it in the term of that token, and did not come to its end. */
  | { readonly kind: "interrupted"; readonly token: number }
  /** It may have run: ticks up to `floor` are no longer remembered. */
  | { readonly kind: "too-old"; readonly floor: string };

export interface TickRun {
  /** ISO 8601 in UTC with milliseconds, however it was asked for. A key for effects that know repeats by one. */
  readonly tick: string;
  /** It was begun before, so some of its effects may have happened. */
  readonly again: boolean;
}

/**
 * Runs `body` in a transaction of the guard, together with the mark: exactly once for each tick. If it throws, nothing of it
 * was done and the tick is open still. `body` may be called again when nothing of it was applied, like that of the
 * transaction. Calls for one schedule in one term are carried out one after the other.
 *
 * Rejects with what `body` throws, with the signal's reason, with what a transaction of the handle rejects with, with
 * TICKS_UNREADABLE, and with TICKS_LOST when the record does not keep what is written. After GUARD_UNCONFIRMED the tick may
 * have run, and this schedule is refused with that error for the rest of the term: end it, do not hand `attempt` back, and
 * ask again in the next, which knows.
 */
export async function oncePerTick<Tx, R>(
  handle: TickHandle<Tx>,
  options: TickOptions<Tx>,
  body: (tx: Tx) => R | Promise<R>,
): Promise<TickOutcome<R>> {
  knownOnly(options, optionNames);
  callable("body", body);
  const due = resolveOptions(handle, options);
  return inTurn(due.course, due.signal, async () => {
    let outcome: TickOutcome<R> | undefined;
    await transact(due, due.signal, (marks, tx) => {
      outcome = known(marks, due.tick);
      if (outcome !== undefined) return undefined;
      return {
        state: "ended",
        act: () =>
          after(body(tx), (result) => {
            outcome = { kind: "ran", result };
          }),
      };
    });
    return settledOutcome(outcome);
  });
}

/**
 * Marks the tick as begun, runs `work` outside of any transaction, and marks it as ended. `work` should end with its term:
 * hand `leadership.signal` to what it calls, and send `handle.fence` to what checks it. While it runs, other calls for the
 * schedule in this term wait; one from inside of it would wait for ever.
 *
 * Rejects as `oncePerTick` does, and with what `work` throws; then, and when the end could not be marked because the term
 * was over or an answer was lost, the tick stays begun for whoever asks next.
 */
export async function workPerTick<Tx, R>(
  handle: TickHandle<Tx>,
  options: TickWorkOptions<Tx>,
  work: (run: TickRun) => Promise<R>,
): Promise<TickOutcome<R>> {
  const { onInterrupted = "skip", ...shared } = options;
  knownOnly(shared, optionNames);
  callable("work", work);
  oneOf("onInterrupted", onInterrupted, ["skip", "again"]);
  const due = resolveOptions(handle, shared);
  return inTurn(due.course, due.signal, async () => {
    let outcome: TickOutcome<R> | undefined;
    let again = false;
    await transact(due, due.signal, (marks) => {
      outcome = known(marks, due.tick);
      again = outcome?.kind === "interrupted" && onInterrupted === "again";
      return outcome === undefined || again ? { state: "begun" } : undefined;
    });
    if (outcome !== undefined && !again) return outcome;
    const result = await work({ tick: due.tick, again });
    await transact(due, undefined, () => ({ state: "ended" }));
    return { kind: "ran", result };
  });
}

const optionNames: readonly string[] = ["schedule", "tick", "record", "remember", "signal"];

interface Due<Tx> {
  readonly handle: TickHandle<Tx>;
  readonly schedule: string;
  readonly tick: string;
  readonly record: TickRecord<Tx>;
  readonly remember: number;
  readonly signal: AbortSignal | undefined;
  readonly course: Course;
}

function resolveOptions<Tx>(handle: TickHandle<Tx>, options: TickOptions<Tx>): Due<Tx> {
  const { record, remember = 64, signal } = options;
  if (typeof record !== "object" || record === null) throw optionError("record", record, "an object");
  callable("record.read", record.read);
  callable("record.write", record.write);
  const schedule = text("schedule", options.schedule, 200);
  return {
    handle,
    schedule,
    tick: toTick(options.tick),
    record,
    remember: count("remember", remember, 1, mostRemembered),
    signal,
    course: courseOf(handle.fence, handle.resource, schedule),
  };
}

function known(marks: TickMarks, tick: string): Exclude<TickOutcome<never>, { kind: "ran" }> | undefined {
  const found = findTick(marks, tick);
  if (found === undefined) return undefined;
  if (found === "too-old") return { kind: "too-old", floor: String(marks.floor) };
  return { kind: found.state === "ended" ? "done" : "interrupted", token: found.token };
}

interface Change {
  readonly state: MarkedTick["state"];
  /** In the same transaction, behind the mark. */
  readonly act?: () => void | Promise<void>;
}

/**
 * Reads the record, asks `decide`, and writes the mark before whatever else the transaction does: so that where a body
 * must not be waited for, nothing of ours comes behind one that has to be.
 */
async function transact<Tx>(
  { handle, schedule, tick, record, remember, course }: Due<Tx>,
  signal: AbortSignal | undefined,
  decide: (marks: TickMarks, tx: Tx) => Change | undefined,
): Promise<void> {
  const { token } = handle.fence;
  const body = (tx: Tx) =>
    after(record.read(tx, schedule), (stored) => {
      const marks = decodeMarks(schedule, stored);
      const change = decide(marks, tx);
      if (change === undefined) return undefined;
      const { state, act = () => {} } = change;
      const written = encodeMarks(schedule, withTick(marks, { tick, token, state }, remember));
      const worked = after(record.write(tx, schedule, written), act);
      const found = after(worked, () => record.read(tx, schedule));
      return after(found, (kept) => {
        // An UPDATE that met no row, a body that replaced the value: the tick would run again.
        if (kept === written) return undefined;
        throw createError("TICKS_LOST", `the record of the ticks of "${schedule}" was not kept`);
      });
    });
  try {
    await handle.transaction(body, signal === undefined ? {} : { signal });
  } catch (error) {
    if (TenureError.is(error, "GUARD_UNCONFIRMED")) course.doubt = error;
    throw error;
  }
}

function settledOutcome<R>(outcome: TickOutcome<R> | undefined): TickOutcome<R> {
  if (outcome !== undefined) return outcome;
  throw createError("GUARD_FAILED", "the transaction has not called its body");
}
