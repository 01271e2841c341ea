/** Values of a case in messages of a NATS server of its own: the last message of a subject holds the value. */

import { connected, Scene } from "../../test/fence/queue/scene.js";
import { startNats } from "../../test/servers/nats.js";
import { type Keeping, type KeptGuard, Unanswered } from "./keeping.js";

export async function inNats(): Promise<Keeping> {
  const server = await startNats();
  const client = await connected(server.url);
  const scene = new Scene(server, client);
  const unanswered = new Unanswered();
  return {
    values: (resource, initial) => valueIn(scene, unanswered, resource, initial),
    idle: async () => unanswered.idle(),
    async close() {
      await client.connection.close();
      await server.stop();
    },
  };
}

function valueIn<V>(scene: Scene, unanswered: Unanswered, resource: string, initial: V): KeptGuard<V> {
  const guard = scene.guard({ resource, order: "any" });
  const load = async () => {
    const last = (await scene.content(resource)).at(-1);
    return last === undefined ? initial : (JSON.parse(last) as V);
  };
  return {
    kind: guard.kind,
    resource,
    operator: guard.operator,
    async claim(...claiming) {
      const handle = await unanswered.until(guard.claim(...claiming));
      return {
        resource,
        fence: handle.fence,
        read: load,
        async transaction<R>(body: (transaction: { value: V }) => R | Promise<R>, options = {}) {
          const returned: R[] = [];
          const payload = async () => {
            const transaction = { value: await load() };
            returned.push(await body(transaction));
            return JSON.stringify(transaction.value);
          };
          await unanswered.until(handle.publish(payload, options));
          return returned.at(-1) as R;
        },
      };
    },
    inspect: async () => ({ value: await load(), rows: (await guard.inspect()).rows }),
  };
}
