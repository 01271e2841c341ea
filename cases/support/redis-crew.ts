/** Candidates that are processes of their own, each behind a proxy of its own before one Redis server. */

import type { KeptWrite, Member, SeatOptions } from "../../test/processes/crew.js";
import type { TcpProxy } from "../../test/servers/proxy.js";
import { crewFor, inStep, type Pair } from "./crew.js";
import { redisScene, type RedisScene } from "./redis.js";
import type { Stage } from "./stage.js";

export interface RedisPair extends Pair {
  readonly scene: RedisScene;
  /** Between the leader and the server. */
  readonly proxy: TcpProxy;
}

/** As `pairFor`, on a Redis server of their own. */
export async function redisPairFor(
  stage: Stage,
  defaults: SeatOptions & { readonly ttlMs: number },
): Promise<RedisPair> {
  const { ttlMs } = defaults;
  const scene = await redisScene(stage, { ttlMs });
  const kept = (): readonly KeptWrite[] =>
    scene.records().map(({ record, mtimeMs }) => ({ body: record, modifiedMs: mtimeMs }));
  const crew = await crewFor(stage, defaults, kept);
  const proxies = new Map<Member, TcpProxy>();
  for (const node of ["a", "b"]) {
    const proxy = await scene.server.proxy();
    stage.cleanUps.push(async () => proxy.close());
    proxies.set(crew.start(node, { url: proxy.url }), proxy);
  }
  const pair = await inStep(crew, [...proxies.keys()]);
  const proxy = proxies.get(pair.leader);
  if (proxy === undefined) throw new Error("the leader has no proxy");
  return { ...pair, scene, proxy };
}
