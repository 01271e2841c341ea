/** What a demo leader says of a pause that it did not choose, wherever in a look it was stopped. */

import { expect, test } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { createHold } from "../../src/cli/demo/hold.js";
import { createWitness, type Wake } from "../../src/cli/demo/witness.js";

const identity = { node: "alpha", namespace: "default", election: "demo" };

test.each(["before its look", "between the stamp of its look and the answer"])(
  "stopped %s, a leader that is no more current says so once it goes on",
  async (where) => {
    const world = createVirtualWorld();
    const clock = world.createClock();
    const wakes: Wake[] = [];
    let stopped = false;
    const stop = () => {
      stopped = true;
      world.skip(2_000);
    };
    const passes = () => {
      if (where.startsWith("between")) stop();
      return !stopped;
    };
    const onWake = (wake: Wake) => void wakes.push(wake);
    const belief = { instance: "i", token: 7, passes };
    const witness = createWitness(belief, { identity, clock, sink: () => {}, onWake });
    if (where.startsWith("before")) stop();
    expect(witness.look()).toBe(false);
    expect(wakes).toEqual([{ token: 7, gapMs: 2_000, current: false }]);
  },
);

test("a hold that is let go before the write stands still does not hold it", async () => {
  const held: number[] = [];
  const hold = createHold((token) => held.push(token));
  hold.arm();
  expect([hold.take(), hold.take()]).toEqual([true, false]);
  hold.release(false);
  expect(await hold.stand(7)).toBe(false);
  expect(held).toEqual([]);
});
