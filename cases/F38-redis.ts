import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { nowMs, redisScene } from "./support/redis.js";
import { beside, overwrite, recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF38OnRedis = defineCase({
  id: "F38-redis",
  fault:
    "an operator writes a text, a list, or the record of a later release where the lease was; before that, a field of a later release",
  mustHold:
    "nobody writes over it, the leader leads until its deadline, whoever asks is told which of the two it is, and the field is kept",
  injected: "SET and RPUSH at the key, while a leader renews and a follower looks",
  mutants: ["redis-another-type-absent", "13-unknown-dropped"],
  faultCount: 4,
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const { leader, follower, leadership } = await scene.pair();
    const store = beside(stage, scene);
    await overwrite(store, (record) => ({ ...record, writer: "v2", nonce: "v2", unknown: { zone: "eu" } }));
    stage.fault();
    for (let count = 0; count < 3; count += 1) await scene.nextRenewal(leader);
    expect((await stored(store)).unknown).toEqual({ zone: "eu" });
    const damaged = async (...command: readonly string[]) => {
      await scene.server.command("MULTI");
      await scene.server.command("DEL", recordKey);
      await scene.server.command(...command);
      await scene.server.command("EXEC");
      stage.fault();
    };
    const text = async () => JSON.stringify(await scene.server.command("DUMP", recordKey));
    const outcome = async (node: string) =>
      (await scene.candidate(node)).election.tryCampaign().catch((cause: unknown) => cause);
    await damaged("RPUSH", recordKey, "some", "list");
    const [damagedAt, list] = [nowMs(), await text()];
    const lost = await scene.first(leader, "lost", damagedAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    expect(await outcome("visitor of a list")).toMatchObject({ code: "RECORD_UNREADABLE" });
    await scene.first(leader, "released", damagedAt);
    expect(await text()).toBe(list);
    for (const [value, code] of [
      ["garbage", "RECORD_UNREADABLE"],
      ['{"v":99,"instance":"later"}', "RECORD_NEWER"],
    ] as const) {
      await damaged("SET", recordKey, value);
      expect(await outcome(`visitor of ${value}`)).toMatchObject({ code });
      expect(await scene.server.command("GET", recordKey)).toBe(value);
    }
    expect(follower.all("elected")).toEqual([]);
  },
});
