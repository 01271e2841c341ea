/**
 * What a resource remembers of a schedule's ticks, format v1. Pure.
 *
 * Promise: a tick that was marked is known for as long as it is among the latest `remember`, and
 * whatever comes before the latest one that was forgotten is known to be too old. So the record
 * stays small, and nothing runs twice because it was forgotten.
 *
 * The record is foreign input: sized and checked; what cannot be read is never written over.
 */

import { toInstant } from "../base/instant.js";
import { optionError } from "../base/options.js";
import { createError } from "../errors/index.js";

/** A tick is an instant of the schedule, ISO 8601 in UTC with milliseconds, so texts are ordered as instants are. */
export interface MarkedTick {
  readonly tick: string;
  /** The fencing token of the term that marked it last. */
  readonly token: number;
  /** `begun`: its work may have done anything, or nothing. */
  readonly state: "begun" | "ended";
}

export interface TickMarks {
  /** The latest tick that was forgotten; nothing up to it is run any more. */
  readonly floor: string | null;
  /** Rising. */
  readonly ticks: readonly MarkedTick[];
}

export const mostRemembered = 1_000;

/** A mark takes some 80 bytes. */
const longestRecord = 128 * mostRemembered;

/** Throws INVALID_OPTION. */
export function toTick(value: unknown): string {
  const tick = typeof value === "string" ? toInstant(value) : undefined;
  if (tick !== undefined) return tick;
  throw optionError("tick", value, "an instant of ISO 8601 with its zone, of the years 0000 to 9999");
}

/** Throws TICKS_UNREADABLE. `text` undefined or null: nothing was ever marked. */
export function decodeMarks(schedule: string, text: string | null | undefined): TickMarks {
  if (text === undefined || text === null) return { floor: null, ticks: [] };
  const marks =
    typeof text === "string" && text.length <= longestRecord ? readMarks(schedule, text) : undefined;
  if (marks !== undefined) return marks;
  const message = `the record of the ticks of "${schedule}" cannot be read, or is another schedule's`;
  throw createError("TICKS_UNREADABLE", message);
}

export function encodeMarks(schedule: string, { floor, ticks }: TickMarks): string {
  return JSON.stringify({ v: 1, schedule, floor, ticks });
}

export function findTick({ floor, ticks }: TickMarks, tick: string): MarkedTick | "too-old" | undefined {
  const found = ticks.find((marked) => marked.tick === tick);
  return found ?? (floor !== null && tick <= floor ? "too-old" : undefined);
}

/** With `marked` in the place of what stood there of its tick; the earliest ones beyond `remember` are forgotten. */
export function withTick({ floor, ticks }: TickMarks, marked: MarkedTick, remember: number): TickMarks {
  const others = ticks.filter(({ tick }) => tick !== marked.tick);
  const place = others.findLastIndex(({ tick }) => tick < marked.tick) + 1;
  const all = others.toSpliced(place, 0, marked);
  const forgotten = all.slice(0, Math.max(0, all.length - remember)).at(-1)?.tick;
  return { floor: forgotten ?? floor, ticks: all.slice(-remember) };
}

function readMarks(schedule: string, text: string): TickMarks | undefined {
  const value = parse(text);
  if (!isObject(value) || value["v"] !== 1 || value["schedule"] !== schedule) return undefined;
  const { floor, ticks } = value;
  if (floor !== null && !isTick(floor)) return undefined;
  if (!Array.isArray(ticks) || ticks.length > mostRemembered) return undefined;
  const marks: MarkedTick[] = [];
  let before = floor;
  for (const entry of ticks as readonly unknown[]) {
    if (!isObject(entry)) return undefined;
    const { tick, token, state } = entry;
    if (!isTick(tick) || !isToken(token) || (state !== "begun" && state !== "ended")) return undefined;
    if (before !== null && tick <= before) return undefined;
    marks.push({ tick, token, state });
    before = tick;
  }
  return { floor, ticks: marks };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTick(value: unknown): value is string {
  return typeof value === "string" && toInstant(value) === value;
}

function isToken(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
