import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { nextRenewal, untilMet, wake } from "./support/crew.js";
import { redisCrewFor } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;

/** A laptop that is closed: all processes and the server stop, and go on three ttls later. */
async function standBy(stage: Stage): Promise<boolean> {
  const { crew, scene } = await redisCrewFor(stage, { ttlMs });
  const members = ["a", "b", "c"].map((node) => crew.start(node));
  const elected = await crew.first("elected");
  const leader = members.find(({ node }) => node === elected.node);
  if (leader === undefined) throw new Error("nobody leads");
  await Promise.all(members.filter((one) => one !== leader).map(async (one) => one.first("follows")));
  await nextRenewal(leader);
  for (const one of members) one.signal("SIGSTOP");
  await scene.server.freeze();
  if (leader.told.some(({ event, at }) => event === "lost" && at > elected.at)) return false;
  await pause(ttlMs * 3);
  scene.server.thaw();
  for (const one of members) if (one !== leader) one.signal("SIGCONT");
  const woke = await wake(stage, leader, ttlMs * 3);
  // The first that runs, before any timer or answer.
  expect(woke).toMatchObject({ current: false, token: elected.token });
  expect(await leader.first("lost", elected.at)).toMatchObject({ reason: "deadline", token: elected.token });
  const next = await crew.first("elected", woke.at);
  expect(next.token).toBeGreaterThan(elected.token ?? Number.POSITIVE_INFINITY);
  // Nothing was thrown that ends a process.
  expect(members.map(({ exit }) => exit)).toEqual([undefined, undefined, undefined]);
  return true;
}

export const caseB06OnRedis = defineCase({
  id: "B06-redis",
  fault: "a machine with all candidates and the server wakes from standby",
  mustHold:
    "the first look of who led finds itself not current, before any timer; one leads again under a higher token, and no process ends",
  injected: "SIGSTOP to three processes and their Redis server for three ttls of 2 s, then SIGCONT to all",
  mutants: ["03-cached-belief"],
  alone: true,
  async run(stage) {
    await untilMet(async () => standBy(stage));
  },
});
