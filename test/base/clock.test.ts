import { describe, expect, it } from "vitest";
import { clampDelay } from "../../src/base/clock.js";
import { realClock } from "../../src/base/real-clock.js";
import { Timeline } from "../../src/base/timeline.js";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";

describe("real clock", () => {
  it("when a delay exceeds 2^31-1 ms, the timer is clamped instead of firing at once", async () => {
    expect(clampDelay(2 ** 40)).toBe(2 ** 31 - 1);
    let fired = false;
    const timer = realClock.setTimer(2 ** 40, () => {
      fired = true;
    });
    await new Promise<void>((resolve) => void realClock.setTimer(20, resolve));
    timer.cancel();
    expect(fired).toBe(false);
  });

  it("when timers of a second and more are due within 25 ms, they fire together, and those cancelled do not", async () => {
    const fired: string[] = [];
    const startedAt = realClock.monotonicMs();
    const last = new Promise<void>((resolve) => {
      realClock.setTimer(1_000, () => {
        fired.push("first");
        cancelled.cancel();
      });
      const cancelled = realClock.setTimer(1_000, () => fired.push("cancelled"));
      realClock.setTimer(1_026, resolve);
    });
    await last;
    expect(fired).toEqual(["first"]);
    expect(realClock.monotonicMs() - startedAt).toBeGreaterThanOrEqual(1_026);
  });

  it("when read twice, monotonic and boot clocks never go back, and the stamps share one origin per boot", () => {
    const [m, b, h] = [realClock.monotonicMs(), realClock.bootMs(), realClock.hrtimeNs()];
    expect(realClock.monotonicMs()).toBeGreaterThanOrEqual(m);
    expect(realClock.bootMs()).toBeGreaterThanOrEqual(b);
    expect(realClock.hrtimeNs()).toBeGreaterThanOrEqual(h);
    expect(realClock.bootId).toBe(realClock.bootId);
    expect(realClock.resolution.bootMs).toBeGreaterThan(0);
  });
});

describe("virtual clock", () => {
  it("when one reading jumps, drifts or stands still, the others do not", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const start = { m: clock.monotonicMs(), b: clock.bootMs(), w: clock.wallMs() };
    clock.jump("wall", 5_000);
    clock.setRate("monotonic", 0.5);
    await world.advance(1_000);
    expect(clock.monotonicMs() - start.m).toBeCloseTo(500);
    expect(clock.bootMs() - start.b).toBeCloseTo(1_000);
    expect(clock.wallMs() - start.w).toBeCloseTo(6_000);
    clock.suspend();
    await world.advance(1_000);
    expect(clock.monotonicMs() - start.m).toBeCloseTo(500);
    expect(clock.bootMs() - start.b).toBeCloseTo(2_000);
  });

  it("when frozen, timers wait and fire in order at the thaw; when slow, they come later", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const fired: string[] = [];
    clock.setTimer(20, () => fired.push("second"));
    clock.setTimer(10, () => fired.push("first"));
    clock.freeze();
    await world.advance(100);
    expect(fired).toEqual([]);
    clock.thaw();
    await world.advance(0);
    expect(fired).toEqual(["first", "second"]);
    clock.setRate("monotonic", 0.5);
    clock.setTimer(10, () => fired.push("slow"));
    await world.advance(19);
    expect(fired).toHaveLength(2);
    await world.advance(1);
    expect(fired).toHaveLength(3);
  });

  it("when timers set timers without end at one instant, advancing fails instead of hanging", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const again = () => void clock.setTimer(0, again);
    again();
    await expect(world.advance(1)).rejects.toThrow(/time stands still at 0 ms/);
  });

  it("when time is skipped, also while a timer fires, readings go on, and what was due fires in order after it", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const fired: string[] = [];
    clock.setTimer(20, () => fired.push(`second ${world.nowMs}`));
    clock.setTimer(10, () => {
      fired.push(`first ${world.nowMs}`);
      world.skip(50);
    });
    world.skip(5);
    expect([clock.monotonicMs(), clock.bootMs(), fired.length]).toEqual([5, 5, 0]);
    await world.advance(6);
    expect(fired).toEqual(["first 10", "second 60"]);
    expect(world.nowMs).toBe(60);
  });

  it("when a clock runs at an odd rate, no timer fires before its reading, not even by rounding", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    clock.setRate("monotonic", 1.0637);
    const early: number[] = [];
    const wait = (delayMs: number, left: number): void => {
      const dueMs = clock.monotonicMs() + delayMs;
      clock.setTimer(delayMs, () => {
        if (clock.monotonicMs() < dueMs) early.push(dueMs);
        if (left > 0) wait((delayMs * 7) % 997, left - 1);
      });
    };
    wait(13, 200);
    await world.advance(200_000);
    expect(early).toEqual([]);
  });

  it("when a timer is cancelled, it never fires", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    let fired = false;
    clock
      .setTimer(10, () => {
        fired = true;
      })
      .cancel();
    await world.advance(100);
    expect(fired).toBe(false);
  });
});

describe("timeline", () => {
  it("when the machine slept, the upper reading counts the sleep and the lower one does not", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const timeline = new Timeline(clock);
    const [upper, lower] = [timeline.upperMs(), timeline.lowerMs()];
    clock.suspend();
    await world.advance(60_000);
    clock.wake();
    expect(timeline.upperMs() - upper).toBeGreaterThanOrEqual(60_000 - clock.resolution.bootMs);
    expect(timeline.lowerMs() - lower).toBe(0);
  });

  it("when the monotonic clock had run ahead before a sleep, or runs ahead after one, both count in full", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const timeline = new Timeline(clock);
    const sleep = async () => {
      clock.suspend();
      await world.advance(8_000);
      clock.wake();
    };
    clock.jump("monotonic", 8_000);
    const ahead = { upper: timeline.upperMs(), lower: timeline.lowerMs() };
    await sleep();
    expect(timeline.upperMs() - ahead.upper).toBeGreaterThanOrEqual(8_000 - 2 * clock.resolution.bootMs);
    expect(timeline.lowerMs() - ahead.lower).toBeLessThanOrEqual(0);
    const awake = timeline.lowerMs();
    clock.jump("monotonic", 8_000);
    expect(timeline.lowerMs() - awake).toBeLessThanOrEqual(2 * clock.resolution.bootMs);
  });

  it("when only the wall clock steps, neither reading moves", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const timeline = new Timeline(clock);
    await world.advance(1_000);
    const [upper, lower] = [timeline.upperMs(), timeline.lowerMs()];
    clock.jump("wall", -3_600_000);
    expect([timeline.upperMs(), timeline.lowerMs()]).toEqual([upper, lower]);
  });

  it("when wall and boot step back together during a sleep, a refresh still finds the sleep", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const timeline = new Timeline(clock);
    clock.suspend();
    await world.advance(30_000);
    clock.jump("wall", -30_000);
    clock.wake();
    timeline.refresh();
    expect(timeline.upperMs()).toBeGreaterThanOrEqual(30_000 - clock.resolution.bootMs);
  });

  it("when read in a loop, it never goes back whatever the clocks do", async () => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const timeline = new Timeline(clock);
    let last = { upper: 0, lower: 0 };
    const upsets = [
      () => clock.jump("boot", -5_000),
      () => clock.jump("wall", 9_000),
      () => clock.setRate("boot", 2),
      () => clock.suspend(),
      () => clock.wake(),
      () => clock.jump("boot", 50_000),
    ];
    for (const upset of upsets) {
      upset();
      await world.advance(500);
      const next = { upper: timeline.upperMs(), lower: timeline.lowerMs() };
      expect(next.upper).toBeGreaterThanOrEqual(last.upper);
      last = next;
    }
  });
});
