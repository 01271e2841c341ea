import { expect } from "vitest";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedRedisFor } from "./support/redis-guard.js";
import { defineCase } from "./support/case.js";

export const caseF89OnRedis = defineCase({
  id: "F89-redis",
  fault: "a zombie and its successor carry one and the same token, as after a store that lost a grant",
  mustHold: "whoever claims first owns the token; the other one is told of the conflict and writes nothing",
  injected: "two owners claim a resource on a Redis server under one token, through clients of two kinds",
  mutants: ["redis-guard-equal-from-anyone"],
  async run(stage) {
    const scene = await guardedRedisFor(stage);
    const first = await scene.guard({ resource: "account" }).claim(fence({ token: 7, owner: "a" }));
    const other = scene.guard({ resource: "account" }, await scene.client("node-redis-6"));
    stage.fault();
    const told: number[] = [];
    const twin = { fence: fence({ token: 7, owner: "b" }), outpaced: (at: number) => void told.push(at) };
    expect(await refusedWith(other.claim(twin))).toMatchObject({
      code: "CONFLICT",
      watermark: 7,
      owner: "a",
    });
    expect(told).toEqual([7]);
    await first.transaction((tx) => tx.set("k", "first"));
    const raised = await other.claim(fence({ token: 8, owner: "b" }));
    expect(await refusedWith(first.transaction((tx) => tx.set("k", "late")))).toMatchObject({
      code: "STALE",
    });
    await raised.transaction((tx) => tx.set("l", "raised"));
    expect(await scene.server.command("MGET", "k", "l")).toEqual(["first", "raised"]);
  },
});
