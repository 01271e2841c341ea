/** A database, a cache and a queue for a case, on servers of its own. */

import { SeveralScene, type Servers } from "../../test/fence/several/scene.js";
import { startNats } from "../../test/servers/nats.js";
import { startPostgres } from "../../test/servers/postgres.js";
import { startRedis } from "../../test/servers/redis.js";
import type { Stage } from "./stage.js";

async function startAll(): Promise<Servers> {
  const [postgres, redis, nats] = await Promise.all([startPostgres(), startRedis(), startNats()]);
  return { postgres, redis, nats };
}

/** Closed with the stage, its servers too. */
export async function severalSceneFor(stage: Stage): Promise<SeveralScene> {
  const servers = await startAll();
  const scene = await SeveralScene.open(servers);
  stage.cleanUps.push(async () => {
    await scene.close();
    await Promise.all(Object.values(servers).map(async (server: Servers[keyof Servers]) => server.stop()));
  });
  return scene;
}
