import { expect } from "vitest";
import { pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF31OnRedis = defineCase({
  id: "F31-redis",
  fault:
    "takes, renewals and releases are delivered twice, at once and much later, when the lease has changed hands",
  mustHold:
    "the second delivery writes nothing: the leader leads on, a released lease stays released, a new term stays as it is",
  injected:
    "each script run of the leader is sent again on another connection; takes and releases once more after later ones",
  mutants: ["redis-nonce-not-compared", "redis-absence-not-compared"],
  faultCount: 12,
  async run(stage) {
    const scene = await redisScene(stage);
    const leader = await scene.candidate("leader");
    const requests: Buffer[] = [];
    const note = async (what: string): Promise<void> => {
      const request = await leader.proxy.nextRequest(what);
      requests.push(request);
    };
    leader.proxy.duplicate({ matching: "EVALSHA" });
    const taken = note('"state":"held"');
    const first = await scene.lead(leader);
    await taken;
    await scene.until("renewals", () => leader.extensions()[4]);
    expect(first.isCurrent).toBe(true);
    const released = note('"state":"released"');
    await first.resign();
    await released;
    const second = await scene.lead(leader);
    await scene.nextRenewal(leader);
    const resend = async (): Promise<void> => {
      const before = scene.records().length;
      await Promise.all(requests.map(async (request) => leader.proxy.resend(request)));
      stage.fault(requests.length);
      const fresh = scene.records().slice(before);
      const tokens = fresh.map(({ record }) => (typeof record === "string" ? 0 : record.token));
      expect(tokens.filter((token) => token !== second.token)).toEqual([]);
    };
    await resend();
    await scene.nextRenewal(leader);
    expect(second.isCurrent).toBe(true);
    expect(leader.all("uncertain")).toEqual([]);
    await second.resign();
    await resend();
    await pause(100);
    const last = scene.records().at(-1)?.record;
    expect(last).toMatchObject({ state: "released", token: second.token });
    expect(leader.all("lost").map(({ reason }) => reason)).toEqual(["resigned", "resigned"]);
    stage.fault(leader.proxy.faults.duplicate);
  },
});
