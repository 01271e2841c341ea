import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB48 = defineCase({
  id: "B48",
  fault: "a hundred campaigns and fifty waiters share one signal and one store",
  mustHold: "listeners come and go: there is one at a time for all of them, and none is left",
  injected: "100 campaigns one after another and 50 waiters at once, all on one abort signal",
  mutants: ["stop-leaves-listener"],
  faultCount: 150,
  async run(stage) {
    const { signal } = new AbortController();
    const open = new Map<unknown, number>();
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      open.set(args[1], 1);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      open.delete(args[1]);
      remove(...args);
    };
    const leader = stage.candidate("leader");
    for (let round = 0; round < 100; round += 1) {
      const once = leader.election.runOnce(async () => stage.fault(), { signal });
      await stage.world.advance(1);
      await once;
      expect(open.size).toBe(0);
    }
    const waiters = Array.from({ length: 50 }, (_, index) => stage.candidate(`waiter-${index}`));
    for (const { election } of waiters) {
      election.campaign({ signal }).catch(() => {});
      stage.fault();
    }
    await stage.world.advance(100);
    expect(open.size).toBe(1);
    const stopping = Promise.all(waiters.map(async ({ election }) => election.stop({ drainMs: 0 })));
    await stage.world.advance(3_000);
    await stopping;
    expect(open.size).toBe(0);
  },
});
