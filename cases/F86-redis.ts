import { expect } from "vitest";
import type { RedisHandle } from "../src/fence/redis/index.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedRedisFor } from "./support/redis-guard.js";
import { defineCase } from "./support/case.js";

export const caseF86OnRedis = defineCase({
  id: "F86-redis",
  fault: "the server comes back with what it had, then as it was before a claim, then with nothing",
  mustHold: "nobody writes before a claim, neither the rightful holder nor who was claimed over",
  injected:
    "kill -9 and a start with the same data; with a copy from before the successor's claim; with none",
  mutants: ["redis-guard-implicit-claim", "redis-guard-trusts-a-restart"],
  faultCount: 3,
  async run(stage) {
    const scene = await guardedRedisFor(stage, { config: { appendonly: "yes" } });
    const { server } = scene;
    const guard = scene.guard({ resource: "account" });
    const successor = fence({ token: 8, owner: "b" });
    const write = async (by: RedisHandle, value: string) => by.transaction((tx) => tx.set("k", value));
    const former = await guard.claim(fence());
    const before = await server.snapshot();
    const handle = await guard.claim(successor);
    await write(handle, "1");
    await server.restart({ data: "kept" });
    stage.fault();
    expect(await refusedWith(write(handle, "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
    expect(await refusedWith(write(former, "stale"))).toMatchObject({ code: "STALE", watermark: 8 });
    await write(await guard.claim(successor), "2");
    expect(await server.command("GET", "k")).toBe("2");
    await server.restart({ data: before });
    stage.fault();
    expect(await refusedWith(write(former, "stale"))).toMatchObject({ code: "CLAIM_MISSING" });
    await server.restart({ data: "none" });
    stage.fault();
    expect(await refusedWith(write(handle, "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
    expect(await server.command("GET", "k")).toBeNull();
    await write(await guard.claim(successor), "3");
    expect(await server.command("GET", "k")).toBe("3");
  },
});
