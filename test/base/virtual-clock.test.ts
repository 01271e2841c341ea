/** When timers of the virtual clock fire, whatever becomes of the clock while they wait. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld, type VirtualClock, type VirtualWorld } from "../../src/base/virtual-clock.js";

/** A timer of a second, half of which has passed and been looked at; answers when it fires, in true time. */
async function firesAt(meanwhile: (clock: VirtualClock, world: VirtualWorld) => void): Promise<number> {
  const world = createVirtualWorld();
  const clock = world.createClock();
  let firedMs = Number.NaN;
  clock.setTimer(1_000, () => (firedMs = world.nowMs));
  await world.advance(500);
  meanwhile(clock, world);
  await world.advance(10_000);
  return firedMs;
}

describe("a timer that waits", () => {
  it("when nothing happens to its clock, fires when its time has passed", async () => {
    expect(await firesAt(() => {})).toBe(1_000);
  });

  it("when its clock jumps, fires so much earlier, or later", async () => {
    expect(await firesAt((clock) => clock.jump("monotonic", 300))).toBe(700);
    expect(await firesAt((clock) => clock.jump("monotonic", -300))).toBe(1_300);
    expect(await firesAt((clock) => clock.jump("wall", 300))).toBe(1_000);
  });

  it("when its clock runs faster or slower, fires when that shows the time", async () => {
    expect(await firesAt((clock) => clock.setRate("monotonic", 2))).toBe(750);
    expect(await firesAt((clock) => clock.setRate("monotonic", 0.5))).toBe(1_500);
  });

  it("when its machine sleeps, fires so much later; when its process is stopped, once that goes on", async () => {
    expect(
      await firesAt((clock, world) => {
        clock.suspend();
        world.quietly(2_000, () => clock.wake());
      }),
    ).toBe(3_000);
    expect(
      await firesAt((clock, world) => {
        clock.freeze();
        world.quietly(2_000, () => clock.thaw());
      }),
    ).toBe(2_500);
  });

  it("when an earlier one is set, and when that one is cancelled, they fire in their order", async () => {
    const fired: string[] = [];
    await firesAt((clock) => {
      clock.setTimer(100, () => fired.push("earlier"));
      clock.setTimer(50, () => fired.push("cancelled")).cancel();
      clock.setTimer(500, () => fired.push("after the first"));
    });
    expect(fired).toEqual(["earlier", "after the first"]);
  });
});
