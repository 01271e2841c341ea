import { expect } from "vitest";
import { createElection } from "../src/create-election.js";
import { redisStore } from "../src/stores/redis/index.js";
import { startRedis } from "../test/servers/redis.js";
import { type RedisScene, redisScene } from "./support/redis.js";
import { recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

/** What one try at that address comes to. */
async function outcomeAt(stage: Stage, url: string, signal?: AbortSignal): Promise<string> {
  const store = redisStore(url, { maxTtlMs: 3_000 });
  const election = createElection({ name: "job", store });
  stage.cleanUps.push(async () => {
    await election.stop();
    await store[Symbol.asyncDispose]();
  });
  stage.fault();
  return election.tryCampaign(signal === undefined ? {} : { signal }).then(
    ({ kind }) => kind,
    (cause: { code?: string; message: string }) => cause.code ?? cause.message,
  );
}

async function seqOf({ server }: RedisScene): Promise<number> {
  const [record = ""] = String(await server.command("GET", recordKey)).split("\n");
  return (JSON.parse(record) as { readonly seq: number }).seq;
}

export const caseB41OnRedis = defineCase({
  id: "B41-redis",
  fault:
    "a try ends because another holds the lease, because the server is down, silent, a replica or full, refuses the password, or by signal",
  mustHold:
    "each has an outcome of its own: the first is a value and no error, the others have different codes",
  injected:
    "a holder; a port where nobody listens; a wrong password; REPLICAOF; maxmemory; a frozen server; an aborted signal",
  mutants: ["redis-denied-untold", "redis-replica-connects", "02-held-without-evidence"],
  faultCount: 7,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    const servers = await Promise.all([
      startRedis({ password: "right" }),
      startRedis({ config: { replicaof: `127.0.0.1 ${scene.server.port}` } }),
      startRedis({ config: { maxmemory: "1" } }),
      startRedis(),
      startRedis(),
    ]);
    stage.cleanUps.push(async () => Promise.all(servers.map(async (server) => server.stop())));
    const [guarded, replica, full, frozen, down] = servers;
    const holder = await scene.candidate("holder");
    await scene.lead(holder);
    await scene.nextRenewal(holder);
    await frozen.freeze();
    await down.kill();
    const abort = new AbortController();
    const aborted = outcomeAt(stage, scene.server.url, abort.signal);
    abort.abort({ message: "aborted" });
    const before = await seqOf(scene);
    const held = outcomeAt(stage, scene.server.url).then(async (kind) => {
      // Not before the holder has shown life.
      expect(await seqOf(scene)).toBeGreaterThan(before);
      return kind;
    });
    const outcomes = await Promise.all([
      aborted,
      held,
      outcomeAt(stage, `redis://:wrong@127.0.0.1:${guarded.port}`),
      outcomeAt(stage, replica.url),
      outcomeAt(stage, full.url),
      outcomeAt(stage, frozen.url),
      outcomeAt(stage, down.url),
    ]);
    frozen.thaw();
    expect(outcomes).toEqual([
      "aborted",
      "held",
      "STORE_DENIED",
      "STORE_READ_ONLY",
      "STORE_FULL",
      expect.stringMatching(/^STORE_(TIMEOUT|UNREACHABLE)$/),
      "STORE_UNREACHABLE",
    ]);
  },
});
