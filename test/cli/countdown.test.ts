import { describe, expect, test } from "vitest";
import { Countdown } from "../../src/cli/guardian/countdown.js";
import { type Instant, later } from "../../src/cli/guardian/instant.js";

const start: Instant = { monotonicMs: 1_000, bootMs: 5_000 };
const at = (ms: number): Instant => later(start, ms);
/** The machine slept for `ms` of the time that passed. */
const asleep = (passedMs: number, ms: number): Instant => {
  return { monotonicMs: start.monotonicMs + passedMs - ms, bootMs: start.bootMs + passedMs };
};
const countdown = (untilMs: number) =>
  new Countdown({ until: at(untilMs), graceMs: 500, drainMs: 2_000, bootResolutionMs: 10 });

/** Looks as the guardian does, until `untilMs`; the signals with the time of each. */
function story(subject: Countdown, untilMs: number, fromMs = 0): readonly string[] {
  const told: string[] = [];
  for (let ms = fromMs; ms <= untilMs; ms += Math.max(1, subject.nextMs(at(ms)))) {
    const signal = subject.due(at(ms));
    if (signal !== undefined) told.push(`${signal} ${Math.round(ms)}`);
    if (subject.phase === "killing") return told;
  }
  return told;
}

describe("the countdown of a guardian", () => {
  test("when nobody extends it, SIGTERM is due the grace before SIGKILL, and that before the deadline", () => {
    const subject = countdown(3_000);
    expect(story(subject, 4_000)).toEqual(["SIGTERM 2440", "SIGKILL 2940"]);
    expect(subject.byDeadline).toBe(true);
  });

  test("when it is extended in time, nothing is due", () => {
    const subject = countdown(3_000);
    expect(story(subject, 2_000)).toEqual([]);
    subject.extend(at(6_000));
    expect(story(subject, 5_000, 2_000)).toEqual([]);
  });

  test("when a deadline comes late, behind a later one, it changes nothing", () => {
    const subject = countdown(6_000);
    subject.extend(at(3_000));
    expect(story(subject, 5_000)).toEqual([]);
  });

  test("when an end was asked for, SIGKILL is due after the drain", () => {
    const subject = countdown(9_000);
    subject.end(at(1_000));
    expect(story(subject, 9_000, 1_000)).toEqual(["SIGKILL 3000"]);
    expect(subject.byDeadline).toBe(false);
  });

  test("when the deadline is before the end of the drain, it goes first, unless it is extended", () => {
    const short = countdown(2_000);
    short.end(at(1_000));
    expect(story(short, 9_000, 1_000)).toEqual(["SIGKILL 1940"]);
    const long = countdown(2_000);
    long.end(at(1_000));
    long.extend(at(5_000));
    expect(story(long, 9_000, 1_000)).toEqual(["SIGKILL 3000"]);
  });

  test("when an end has begun by the deadline, a later deadline gives it time up to the drain", () => {
    const subject = countdown(3_000);
    expect(subject.due(at(2_500))).toBe("SIGTERM");
    subject.extend(at(9_000));
    expect(story(subject, 9_000, 2_500)).toEqual(["SIGKILL 4500"]);
  });

  test("when it was frozen beyond all of it, SIGKILL is due at once", () => {
    expect(countdown(3_000).due(at(10_000))).toBe("SIGKILL");
  });

  test("when the machine slept, which the monotonic clock does not show, the boot clock decides", () => {
    const subject = countdown(3_000);
    expect(subject.due(asleep(2_000, 1_900))).toBeUndefined();
    expect(subject.due(asleep(60_000, 59_000))).toBe("SIGKILL");
  });

  test("it is looked at ten times a second, so that a sleep is seen soon", () => {
    expect(countdown(60_000).nextMs(at(0))).toBe(100);
  });

  test("SIGKILL stays due until nothing is left", () => {
    const subject = countdown(60_000);
    subject.kill();
    expect([subject.due(at(0)), subject.due(at(50))]).toEqual(["SIGKILL", "SIGKILL"]);
  });
});
