/** `verifyFence` over HTTP: a sound service passes, and one with a check removed is found out by the probe that shows it. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpGuard, httpService } from "../../../src/fence/http/index.js";
import type { ReceivingGuard } from "../../../src/fence/index.js";
import { memoryGuard, type ValueTransaction } from "../../../src/fence/memory/index.js";
import { type FenceVerification, verifyFence } from "../../../src/fence/verify/index.js";
import { HttpServer } from "./scene.js";

type Value = ValueTransaction<unknown>;
type Broken = (guard: ReceivingGuard<unknown, Value>) => Partial<ReceivingGuard<unknown, Value>>;

/** What a service may get wrong, and the probes that must say so. */
const broken: readonly (readonly [what: string, wrong: Broken, shown: Readonly<Record<string, string>>])[] = [
  [
    "grants whatever is claimed",
    (guard) => ({
      claim: async (claimant) =>
        guard.claim(claimant).catch(() => {
          if ("fence" in claimant) claimant.sequence?.("numbers of nobody");
        }),
    }),
    { "lower-claim": "accepted", "equal-claim": "accepted", "foreign-claim": "accepted" },
  ],
  [
    "does whatever is asked",
    ({ receive }) => ({
      receive: {
        ...receive,
        write: async (_, body) => ({ kind: "applied", result: await body({ value: null }) }),
      },
    }),
    { "lower-write": "accepted", "unclaimed-write": "accepted", "reused-number": "accepted" },
  ],
  [
    "claims by the way",
    (guard) => ({
      receive: {
        ...guard.receive,
        async write(sent, body) {
          await guard.claim(sent.fence).catch(() => {});
          return guard.receive.write(sent, body);
        },
      },
    }),
    { "unclaimed-write": "accepted" },
  ],
  [
    "checks, and then does it",
    ({ receive }) => ({
      receive: {
        ...receive,
        async write(sent, body) {
          const checked = await receive.read(sent.fence, () => {});
          if (checked.kind === "refused") return checked;
          return { kind: "applied", result: await body({ value: null }) };
        },
      },
    }),
    { "delayed-write": "accepted", "reused-number": "accepted", "duplicate-write": "accepted" },
  ],
  [
    "knows operations by their number alone",
    ({ receive }) => ({
      receive: {
        ...receive,
        async write(sent, body) {
          const answer = await receive.write(sent, body);
          const reused = answer.kind === "refused" && answer.refusal.code === "SEQUENCE_REUSED";
          const known = { opId: sent.opId, returned: true, result: '"of another"' };
          return reused ? { kind: "duplicate", bySeq: true, known } : answer;
        },
      },
    }),
    { "reused-number": "accepted" },
  ],
];

describe("verifyFence over HTTP", () => {
  let server: HttpServer;
  let listener: Parameters<typeof HttpServer.open>[0] = () => {};
  beforeAll(async () => {
    server = await HttpServer.open((request, response) => listener(request, response));
  });
  afterAll(async () => server.close());

  async function verify(wrong: Broken = () => ({})): Promise<FenceVerification> {
    const pauses: (() => Promise<void>)[] = [];
    return verifyFence(
      (resource) => {
        const ledger = memoryGuard<unknown>({ resource, initial: null });
        const service = httpService<Value>({ ...ledger, ...wrong(ledger) });
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
    expect(Object.fromEntries(found.probes.map(({ id, outcome }) => [id, outcome]))).toMatchObject(shown);
  });
});
