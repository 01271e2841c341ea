/**
 * True time as histories have it: nanoseconds, in decimal.
 *
 * Much is written down at one instant, and read by several judges, and it takes long to write and to read such a
 * number: the last one is kept.
 */

let lastMs = 0;
let lastStamp = "0";

export function stampOf(ms: number): string {
  if (ms === lastMs) return lastStamp;
  lastMs = ms;
  lastStamp = decimal(Math.ceil(ms * 1e6));
  return lastStamp;
}

/** In two halves: numbers of 31 bits are written several times faster than longer ones. */
function decimal(ns: number): string {
  const high = Math.floor(ns / 1e6);
  return high > 0 ? `${high}${String(1e6 + ns - high * 1e6).slice(1)}` : String(ns);
}

let readStamp = "0";
let readMs = 0;

export function msOf(stamp: string): number {
  if (stamp === readStamp) return readMs;
  readStamp = stamp;
  readMs = Number(stamp) / 1e6;
  return readMs;
}
