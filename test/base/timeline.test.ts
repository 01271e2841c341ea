/** The two readings of passed time: the upper one is never less than what passed, the lower one never more. */

import { expect, it } from "vitest";
import { Timeline } from "../../src/base/timeline.js";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";

it("when the machine sleeps, however often, the upper reading counts all of it and the lower one none", async () => {
  const world = createVirtualWorld();
  const clock = world.createClock();
  const timeline = new Timeline(clock);
  for (const sleepMs of [60_000, 25, 1_000]) {
    const before = [world.nowMs, timeline.upperMs(), timeline.lowerMs()] as const;
    clock.suspend();
    await world.advance(sleepMs);
    clock.wake();
    await world.advance(100);
    timeline.refresh();
    const passedMs = world.nowMs - before[0];
    expect(timeline.upperMs() - before[1]).toBeGreaterThanOrEqual(passedMs);
    expect(timeline.upperMs() - before[1]).toBeLessThanOrEqual(passedMs + clock.resolution.bootMs);
    expect(timeline.lowerMs() - before[2]).toBe(100);
  }
});

it("when the monotonic clock runs ahead of boot time, the lower reading leaves all of that out", async () => {
  const world = createVirtualWorld();
  const clock = world.createClock();
  const timeline = new Timeline(clock);
  await world.advance(1_000);
  clock.jump("monotonic", 3_000);
  await world.advance(1_000);
  timeline.refresh();
  expect(timeline.lowerMs()).toBeLessThanOrEqual(2_000);
  expect(timeline.lowerMs()).toBeGreaterThanOrEqual(2_000 - clock.resolution.bootMs);
  // A sleep after that is not hidden by it.
  const before = timeline.upperMs();
  clock.suspend();
  await world.advance(2_000);
  clock.wake();
  timeline.refresh();
  expect(timeline.upperMs() - before).toBeGreaterThanOrEqual(2_000);
});
