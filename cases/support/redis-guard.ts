/** A Redis server of a case's own, with a guarded resource on it. */

import { Scene } from "../../test/fence/redis/scene.js";
import { type RedisOptions, type RedisServer, startRedis } from "../../test/servers/redis.js";
import { connect, type ClientName } from "../../test/stores/redis/clients.js";
import type { RedisClient } from "../../src/fence/redis/index.js";
import type { Stage } from "./stage.js";

export interface GuardedRedis extends Scene {
  readonly server: RedisServer;
  /** One more client, closed with the case. */
  client(name: ClientName, url?: string): Promise<RedisClient>;
}

export async function guardedRedisFor(stage: Stage, options: RedisOptions = {}): Promise<GuardedRedis> {
  const server = await startRedis(options);
  stage.cleanUps.push(async () => server.stop());
  const client = async (name: ClientName, url: string = server.url) => {
    const { client: made, close } = await connect(name, url);
    stage.cleanUps.push(close);
    return made;
  };
  return Object.assign(new Scene(server, await client("ioredis-6")), { client });
}
