import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseF31 = defineCase({
  id: "F31",
  fault: "takes, renewals and releases are delivered a second time, 4 s later",
  mustHold: "the second delivery changes nothing: the leader leads on, and a released lease stays released",
  injected: "every write of the leader is sent to the store again 4 s after it was carried out",
  mutants: ["07-memory-no-compare"],
  faultCount: 5,
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const later = stage.world.createClock();
    const write = leader.wire.write.bind(leader.wire);
    leader.wire.write = async (key, record, expected, call) => {
      const { signal } = new AbortController();
      later.setTimer(4_000, () => {
        stage.fault();
        stage.store.write(key, record, expected, { ...call, signal }).catch(() => {});
      });
      return write(key, record, expected, call);
    };
    const first = await stage.lead(leader);
    await stage.world.advance(10_000);
    await first.resign();
    const second = await stage.lead(leader);
    for (let step = 0; step < 300; step += 1) {
      await stage.world.advance(100);
      expect(await stored(stage.store)).toMatchObject({ state: "held", token: second.token });
    }
    expect(second.isCurrent).toBe(true);
    await second.resign();
    for (let step = 0; step < 100; step += 1) {
      await stage.world.advance(100);
      expect(await stored(stage.store)).toMatchObject({ state: "released", token: second.token });
    }
    expect(leader.events.filter((event) => event.startsWith("lost"))).toEqual([
      "lost resigned",
      "lost resigned",
    ]);
  },
});
