/** Values of a case under keys of a Redis server of its own, through ioredis. */

import { Scene } from "../../test/fence/redis/scene.js";
import { startRedis } from "../../test/servers/redis.js";
import { connect } from "../../test/stores/redis/clients.js";
import { type Keeping, type KeptGuard, Unanswered } from "./keeping.js";

export async function inRedis(): Promise<Keeping> {
  const server = await startRedis();
  const { client, close } = await connect("ioredis-6", server.url);
  const scene = new Scene(server, client);
  const unanswered = new Unanswered();
  return {
    values: (resource, initial) => valueIn(scene, unanswered, resource, initial),
    idle: async () => unanswered.idle(),
    async close() {
      close();
      await server.stop();
    },
  };
}

function valueIn<V>(scene: Scene, unanswered: Unanswered, resource: string, initial: V): KeptGuard<V> {
  // Two writes of one term would each read what the other has not written yet.
  const guard = scene.guard({ resource, concurrency: 1 });
  const key = scene.key(resource);
  const valueOf = (text: unknown) => (typeof text === "string" ? (JSON.parse(text) as V) : initial);
  const { kind, operator } = guard;
  return {
    kind,
    resource,
    operator,
    async claim(...claiming) {
      const handle = await unanswered.until(guard.claim(...claiming));
      return {
        resource,
        fence: handle.fence,
        read: async () => valueOf((await unanswered.until(handle.read([key])))[0]),
        transaction: async (body, options) => {
          const written = handle.transaction(async (tx) => {
            const transaction = { value: valueOf(await tx.get(key)) };
            const result = await body(transaction);
            tx.set(key, JSON.stringify(transaction.value));
            return result;
          }, options);
          return unanswered.until(written);
        },
      };
    },
    inspect: async () => ({
      value: valueOf(await scene.server.command("GET", key)),
      rows: await guard.inspect(),
    }),
  };
}
