/**
 * What one term does for one schedule: one call after the other, so that none writes over the record of another.
 *
 * After a write whose outcome is unknown no call of the term goes on: that write may be applied yet, over a record that
 * came later, and only a claim is certain to come behind it.
 */

import type { TenureError } from "../errors/index.js";
import type { Fence } from "./fence.js";
import { Turns } from "./turns.js";

export interface Course {
  readonly turns: Turns;
  /** Of a write that may be applied yet. */
  doubt?: TenureError;
}

/** By the fence that all handles of a term and resource share. */
const courses = new WeakMap<Fence, Map<string, Course>>();

export function courseOf(fence: Fence, resource: string, schedule: string): Course {
  const ofTerm = courses.get(fence) ?? new Map<string, Course>();
  courses.set(fence, ofTerm);
  const key = JSON.stringify([resource, schedule]);
  const course = ofTerm.get(key) ?? { turns: new Turns(schedule, 1) };
  ofTerm.set(key, course);
  return course;
}

/** Rejects with the signal's reason, with the doubt, and with what `act` rejects with. */
export async function inTurn<R>(
  course: Course,
  signal: AbortSignal | undefined,
  act: () => Promise<R>,
): Promise<R> {
  await course.turns.take(signal);
  try {
    if (course.doubt !== undefined) throw course.doubt;
    return await act();
  } finally {
    course.turns.leave();
  }
}
