import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedRedisFor } from "./support/redis-guard.js";
import { defineCase } from "./support/case.js";

/** Not the claim: what puts something behind the list. */
const isWrite = (message: Buffer): boolean => message.includes("once\r\n");

export const caseF87OnRedis = defineCase({
  id: "F87-redis",
  fault:
    "the network breaks off at a write: before the server has it, and after the server has carried it out",
  mustHold:
    "the error carries the attempt; handed back it is applied once, and answered with what the first send returned",
  injected: "a proxy resets the connection at the write, with the request delivered and without",
  mutants: ["redis-guard-lost-is-definite", "redis-guard-duplicate-applied", "redis-guard-result-unkept"],
  faultCount: 4,
  async run(stage) {
    const scene = await guardedRedisFor(stage);
    for (const name of ["ioredis-6", "node-redis-6"] as const) {
      for (const delivered of [false, true]) {
        const proxy = await scene.server.proxy();
        stage.cleanUps.push(async () => proxy.close());
        const key = `${name}-${delivered}`;
        const handle = await scene
          .guard({ resource: key, timeoutMs: 1_000 }, await scene.client(name, proxy.url))
          .claim(fence());
        const text = "return redis.call('RPUSH', KEYS[1], ARGV[1])";
        const write = { keys: [key], args: ["once"] };
        // Known to the server, so that one message carries it.
        await handle.script(text, { ...write, args: ["first"] });
        proxy.resetEvery(1, { of: "requests", delivered, matching: isWrite });
        const error = await refusedWith(handle.script(text, write));
        stage.fault();
        if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
        await proxy.heal();
        const { attempt } = error;
        expect(await settled(async () => handle.script(text, { ...write, attempt }))).toBe(2);
        expect(await scene.server.command("LRANGE", key, "0", "-1")).toEqual(["first", "once"]);
      }
    }
  },
});

/** The client takes its time to connect again, and until then nobody knows more than before. */
async function settled(send: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
    }
  }
}
