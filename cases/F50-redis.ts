import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { untilMet } from "./support/crew.js";
import { defineCase } from "./support/case.js";

/** Runs for so many ms, and for that long nobody else is served. */
const hog = `
local function now() local time = redis.call('TIME') return time[1] * 1000 + time[2] / 1000 end
local start = now()
repeat until now() - start >= tonumber(ARGV[1])
return 'done'`;

export const caseF50OnRedis = defineCase({
  id: "F50-redis",
  fault: "somebody else's script keeps the server busy for two fifths of a ttl",
  mustHold: "the leader says uncertain, and leads on in the same term once the server answers again",
  injected:
    "a script that runs for 2/5 of a ttl, right after a renewal: first the server is silent, then it answers BUSY",
  mutants: ["04-one-error-loses"],
  faultCount: 2,
  // The script takes a whole processor.
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage, {
      ttlMs: 6_000,
      server: { config: { "busy-reply-threshold": "1600" } },
    });
    await scene.pair();
    const blocker = await scene.server.connect();
    stage.cleanUps.push(() => blocker.close());
    await untilMet(async () => {
      const leader = await scene.until("a leader", () =>
        scene.actors.find(({ election }) => election.leadership !== undefined),
      );
      await scene.nextRenewal(leader);
      const from = nowMs();
      const { leadership } = leader.election;
      expect(await blocker.command("EVAL", hog, "0", String((scene.ttlMs * 2) / 5))).toBe("done");
      // A busy machine made a longer script of it. The belief lasts 2/3 of a ttl, and a renewal that met BUSY is sent
      // again within 1/10.
      if (nowMs() - from > scene.ttlMs * 0.48) return false;
      await scene.first(leader, "confirmed", from);
      expect(leadership?.isCurrent).toBe(true);
      expect(leader.all("lost", from)).toEqual([]);
      // A server that gets little of a busy machine says BUSY late, and then only once.
      const failed = leader.all("renewFailed", from).length;
      if (failed < 2) return false;
      stage.fault(failed);
      return true;
    });
  },
});
