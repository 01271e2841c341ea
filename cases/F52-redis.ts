import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

const largest = 2 ** 52;

export const caseF52OnRedis = defineCase({
  id: "F52-redis",
  fault: "a token has more digits than Lua prints",
  mustHold: "it comes back digit by digit, the next one is higher by one, and above 2^52 nobody is elected",
  injected:
    "a leader is told of watermarks from 10^14 to the largest token; the server's text is read without the driver",
  mutants: ["redis-token-through-lua"],
  faultCount: 4,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 1_000 });
    const text = async () => String(await scene.server.command("GET", recordKey));
    for (const watermark of [10 ** 14 + 1, 10 ** 15 + 7, 2 ** 51 - 1, largest - 2]) {
      const leader = await scene.candidate(`after ${watermark}`);
      const first = await scene.lead(leader);
      first.outpaced(watermark);
      await first.resign();
      const leadership = await scene.lead(leader);
      expect(leadership.token).toBe(watermark + 1);
      await scene.nextRenewal(leader);
      expect(await text()).toContain(`"token":${watermark + 1},`);
      await leadership.resign();
      const next = await scene.candidate(`behind ${watermark}`);
      const follows = await scene.lead(next);
      expect(follows.token).toBe(watermark + 2);
      await follows.resign();
      stage.fault();
    }
    const beyond = await scene.candidate("beyond");
    await expect(beyond.election.tryCampaign()).rejects.toMatchObject({ code: "TOKEN_EXHAUSTED" });
  },
});
