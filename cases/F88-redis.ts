import { expect } from "vitest";
import type { Sequence } from "../src/fence/fence.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedRedisFor } from "./support/redis-guard.js";
import { defineCase } from "./support/case.js";

export const caseF88OnRedis = defineCase({
  id: "F88-redis",
  fault: "the second write reaches the server before the first",
  mustHold: "strict order refuses it until the first has come; any order applies both, each once",
  injected: "the two are sent in the wrong order, and then once more, under the numbers that they had",
  mutants: ["redis-guard-strict-gap", "redis-guard-window-of-one"],
  faultCount: 2,
  async run(stage) {
    const scene = await guardedRedisFor(stage);
    for (const order of ["strict", "any"] as const) {
      const guard = scene.guard({ resource: order, order });
      // As of two processes of one leader, neither of which knows the other's number: only the server knows both.
      const send = async (seq: number) => {
        const sequence = () => numbering(order, seq);
        const handle = await guard.claim({ fence: fence(), sequence });
        const [keys, args] = [[order], [String(seq)]];
        return handle.script("redis.call('RPUSH', KEYS[1], ARGV[1])", { keys, args });
      };
      stage.fault();
      if (order === "strict") {
        expect(await refusedWith(send(2))).toMatchObject({ code: "SEQUENCE_GAP", expected: 1 });
        for (const seq of [1, 2, 1, 2]) await send(seq);
        expect(await scene.server.command("LRANGE", order, "0", "-1")).toEqual(["1", "2"]);
      } else {
        for (const seq of [2, 1, 2, 1]) await send(seq);
        expect(await scene.server.command("LRANGE", order, "0", "-1")).toEqual(["2", "1"]);
      }
    }
  },
});

/** Gives one number, whatever was used before. */
function numbering(resource: string, seq: number): Sequence {
  const attempt = { resource, seq, opId: `write ${seq}` };
  return { resource, next: () => attempt, holds: () => true, commit() {}, giveBack() {}, resume() {} };
}
