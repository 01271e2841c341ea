/** `verifyFence` over HTTP: a sound service passes, and one with a check removed is found out by the probe that shows it. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpGuard, httpService } from "../../../src/fence/http/index.js";
import { memoryGuard, type ValueTransaction } from "../../../src/fence/memory/index.js";
import { type FenceVerification, verifyFence } from "../../../src/fence/verify/index.js";
import { type Broken, broken, outcomes, sound } from "../remote/broken.js";
import { HttpServer } from "./scene.js";

type Value = ValueTransaction<unknown>;
describe("verifyFence over HTTP", () => {
  let server: HttpServer;
  let listener: Parameters<typeof HttpServer.open>[0] = () => {};
  beforeAll(async () => {
    server = await HttpServer.open((request, response) => listener(request, response));
  });
  afterAll(async () => server.close());

  async function verify(wrong: Broken = sound): Promise<FenceVerification> {
    const pauses: (() => Promise<void>)[] = [];
    return verifyFence(
      (resource) => {
        const ledger = memoryGuard<unknown>({ resource, initial: null });
        const service = httpService<Value>({ ...ledger, ...wrong(ledger, { value: null }) });
        const route = service.node(
          async (_, { body }) => {
            const { result, pause } = body as { readonly result: string; readonly pause: number };
            await pauses[pause]?.();
            return { body: result };
          },
          { onError: () => {} },
        );
        listener = route;
        const { inspect, operator } = ledger;
        return { ...httpGuard({ url: server.url, resource }), inspect, operator };
      },
      {
        patienceMs: 500,
        async write(handle, { result, options, pause = async () => {} }) {
          const headers = { "content-type": "application/json" };
          const body = JSON.stringify({ result, pause: pauses.push(pause) - 1 });
          return (await handle.fetch("", { method: "POST", headers, body, ...options })).json();
        },
      },
    );
  }

  it("finds nothing at a sound service, and leaves nothing there", async () => {
    const found = await verify();
    expect(found.probes.map(({ id, outcome }) => [id, outcome])).toEqual(
      found.probes.map(({ id }) => [id, "passed"]),
    );
    expect([found.kind, found.sound, found.left]).toEqual(["http", true, []]);
  });

  it.each(broken)("finds out a service that %s", async (_, wrong, shown) => {
    const found = await verify(wrong);
    expect(found.sound).toBe(false);
    expect(outcomes(found)).toMatchObject(shown);
  });
});
