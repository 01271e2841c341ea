import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { longestBeliefMs, markerKey, recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { RedisScene } from "./support/redis.js";
import type { Stage } from "./support/stage.js";

/** What the operator does to the server, by the code that the leader is told. */
const refusals: readonly (readonly [code: string, command: readonly string[]])[] = [
  ["STORE_DENIED", ["ACL", "SETUSER", "default", "-evalsha", "-eval"]],
  ["STORE_FULL", ["CONFIG", "SET", "maxmemory", "1"]],
  ["STORE_READ_ONLY", ["CONFIG", "SET", "min-replicas-to-write", "1"]],
  ["STORE_READ_ONLY", ["REPLICAOF", "127.0.0.1", "1"]],
  ["STORE_MISMATCH", ["SET", markerKey, "somebody else's"]],
  ["RECORD_UNREADABLE", ["SET", recordKey, "garbage"]],
  ["STORE_UNREACHABLE", ["kill"]],
  ["STORE_TIMEOUT", ["freeze"]],
];

async function refuse({ server }: RedisScene, command: readonly string[]): Promise<unknown> {
  if (command[0] === "kill") return server.kill();
  if (command[0] === "freeze") return server.freeze();
  return server.command(...command);
}

async function lead(stage: Stage, code: string, command: readonly string[]): Promise<void> {
  const scene = await redisScene(stage, { recordsJudged: false });
  const leader = await scene.candidate(`under ${command.join(" ")}`);
  await scene.lead(leader);
  await scene.nextRenewal(leader);
  const from = nowMs();
  await refuse(scene, command);
  const lost = await scene.first(leader, "lost", from);
  expect(lost.reason, leader.node).toBe("deadline");
  const { until } = leader.extensions().at(-1) ?? { until: 0 };
  expect(lost.at - (lost.lateByMs ?? 0), leader.node).toBeLessThan(until + 20);
  const causes = leader.all("renewFailed", from).map(({ cause }) => (cause as { code?: string }).code);
  expect(causes, leader.node).toContain(code);
  expect(longestBeliefMs(leader)).toBeLessThanOrEqual(scene.ttlMs / 1.5);
  stage.fault();
}

export const caseB70OnRedis = defineCase({
  id: "B70-redis",
  fault: "renewing fails with every error that a server has",
  mustHold:
    "the deadline decides, whatever the error, and the end of the term is told, with the error by its name",
  injected:
    "no permission, no memory, no replica where one is wanted, made a replica, a foreign marker, garbage, killed, frozen; a server and a leader each",
  mutants: ["03-whole-ttl", "04-one-error-loses"],
  faultCount: 8,
  async run(stage) {
    await Promise.all(refusals.map(async ([code, command]) => lead(stage, code, command)));
  },
});
