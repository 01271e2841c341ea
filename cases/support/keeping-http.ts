/** Values of a case in a service over HTTP of its own, which is played in virtual time. */

import { httpGuard, httpService } from "../../src/fence/http/index.js";
import { memoryGuard, type ValueTransaction } from "../../src/fence/memory/index.js";
import { HttpServer } from "../../test/fence/http/scene.js";
import { type Keeping, type KeptGuard, Unanswered } from "./keeping.js";

/** What a leader wants to be done, which does not go over the wire. */
type Body = (tx: ValueTransaction<unknown>) => unknown;

export async function inHttp(): Promise<Keeping> {
  const unanswered = new Unanswered();
  const servers: HttpServer[] = [];
  const open: Keeping["values"] = (resource, initial) => {
    const kept = valueIn(unanswered, resource, initial);
    kept.server.then((server) => servers.push(server)).catch(() => {});
    return kept.guard;
  };
  return {
    values: open,
    idle: async () => unanswered.idle(),
    close: async () => void (await Promise.all(servers.map(async (server) => server.close()))),
  };
}

function valueIn<V>(
  unanswered: Unanswered,
  resource: string,
  initial: V,
): { readonly server: Promise<HttpServer>; readonly guard: KeptGuard<V> } {
  const kept = memoryGuard<V>({ resource, initial });
  const bodies: Body[] = [];
  const thrown: unknown[] = [];
  const listener = httpService(kept).node(
    async (tx, { body, request }) => {
      if (request.method === "GET") return { body: tx.value };
      const wanted = bodies[Number(body)];
      const result = await wanted?.(tx);
      return result === undefined ? undefined : { body: result };
    },
    { onError: (error) => void thrown.push(error) },
  );
  const server = HttpServer.open(listener);
  const site = server.then(({ url }) => httpGuard({ url, resource, concurrency: 1 }));
  const answered = async (response: Response): Promise<unknown> => {
    if (response.status >= 400) throw thrown.pop();
    return response.status === 204 ? undefined : response.json();
  };
  const guard: KeptGuard<V> = {
    kind: "http",
    resource,
    operator: kept.operator,
    inspect: async () => kept.inspect(),
    async claim(...claiming) {
      const handle = await unanswered.until(site.then(async (opened) => opened.claim(...claiming)));
      const send = async (init: Parameters<typeof handle.fetch>[1]) =>
        unanswered.until(handle.fetch("", init).then(answered));
      return {
        resource,
        fence: handle.fence,
        read: async () => (await send({})) as V,
        transaction: async <R>(body: (tx: ValueTransaction<V>) => R | Promise<R>, options = {}) => {
          const index = bodies.push(body as Body) - 1;
          return (await send({ method: "POST", body: String(index), ...options })) as R;
        },
      };
    },
  };
  return { server, guard };
}
