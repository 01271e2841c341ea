/** The route that a service has for probes: over whichever framework, with whatever in front of it, and what it never does. */

import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import { type HttpBindings, serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { type Context, Hono } from "hono";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createError } from "../../../src/errors/index.js";
import { type HttpVerification, httpVerification } from "../../../src/fence/http/index.js";
import { memoryGuard, type ValueGuard } from "../../../src/fence/memory/index.js";
import { encodeSent } from "../../../src/fence/remote/sent.js";
import {
  type FenceVerification,
  type ProbedLedger,
  verifyHttpFence,
} from "../../../src/fence/verify/index.js";
import { freePort } from "../../servers/port.js";
import { describeWithServer } from "../../servers/with-server.js";
import { postgresScope } from "../postgres/scope.js";
import { type Broken, broken, sound, wrongIn } from "../remote/broken.js";
import { fence } from "../scene.js";
import { HttpServer } from "./scene.js";

const namespace = "tenure-fence-verify";
const outside = { value: null as unknown };

function inMemory(resource: string): ValueGuard<unknown> {
  return memoryGuard<unknown>({ resource, initial: null });
}

/** Listeners of `node:http` that take turns, as processes behind a balancer do. */
function inTurn(...listeners: readonly RequestListener[]): RequestListener {
  let turn = 0;
  return (request, response) => listeners[(turn += 1) % listeners.length]?.(request, response);
}

function listenerOf<T>(open: (resource: string) => ProbedLedger<T>, wrong: Broken = sound, past?: T) {
  return httpVerification<T>((resource) => {
    const ledger = open(resource);
    return { ...ledger, ...wrong(ledger, past as T) };
  }).node({ onError: () => {} });
}

async function hear(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

describe("the route for probes", () => {
  let server: HttpServer;
  let listener: RequestListener = () => {};
  beforeAll(async () => {
    server = await HttpServer.open((request, response) => listener(request, response));
  });
  afterAll(async () => server.close());

  async function verify(through: RequestListener): Promise<FenceVerification> {
    listener = through;
    return verifyHttpFence({ url: `${server.url}?key=secret`, patienceMs: 300 });
  }

  it("of a sound service passes all twelve, and leaves nothing there", async () => {
    const ledger = inMemory(namespace);
    const begun = performance.now();
    const found = await verify(listenerOf(() => ledger));
    // The write that stands still was told to go on: left alone, it takes 15 s.
    expect(performance.now() - begun).toBeLessThan(12_000);
    expect(wrongIn(found)).toEqual({});
    expect(found.probes).toHaveLength(12);
    expect(found).toMatchObject({ kind: "http", resource: namespace, sound: true, left: [] });
    expect((await ledger.inspect()).rows).toEqual([]);
  });

  it.each(broken)("of a service that %s says so", async (_, wrong, shown) => {
    const found = await verify(listenerOf(inMemory, wrong, outside));
    expect(found.sound).toBe(false);
    expect(wrongIn(found)).toMatchObject(shown);
  });

  it("behind something that answers what shows no fence says so", async () => {
    const route = httpVerification(inMemory);
    const lax = async (...[request, response]: Parameters<RequestListener>) => {
      const { method = "", headers } = request;
      const body = JSON.parse((await hear(request)) || "null") as { result?: string } | null;
      const shown = headers["tenure-fence"] as string | undefined;
      if (shown === undefined && body?.result !== undefined) return response.end("done");
      const answer = await route.receive({ method, fence: shown, request, body });
      if (answer.kind === "failure") return response.writeHead(500).end();
      return response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    const found = await verify((...exchange) => void lax(...exchange));
    expect(wrongIn(found)).toEqual({ "unfenced-write": "accepted" });
  });

  it("of two processes with a guard in memory each, which do not know each other's claims, says so", async () => {
    const found = await verify(inTurn(listenerOf(inMemory), listenerOf(inMemory)));
    expect(found.sound).toBe(false);
  });

  it("of a service whose transactions take no promises leaves out the write that stands still", async () => {
    const synchronous: Broken = ({ receive }) => ({
      receive: {
        ...receive,
        async write(sent, body) {
          return receive.write(sent, (client) => {
            const result = body(client);
            if (!(result instanceof Promise)) return result;
            throw createError("INVALID_OPTION", "body must return before anything is awaited");
          });
        },
      },
    });
    const found = await verify(listenerOf(inMemory, synchronous));
    expect(wrongIn(found)).toEqual({ "delayed-write": "skipped" });
    expect(found.sound).toBe(true);
  });

  describeWithServer("postgres", "of two processes that share a PostgreSQL database", () => {
    const scope = postgresScope();

    it("passes all twelve: the claim waits for the write that stands still", async () => {
      await scope.inScene(async (scene) => {
        const process = () => listenerOf((resource) => scene.guard(scene.pool(), { resource }));
        const found = await verify(inTurn(process(), process()));
        expect(wrongIn(found)).toEqual({});
        expect(found.probes.at(-1)?.found).toBe("the claim waited");
        expect((await scene.admin.query(`SELECT * FROM ${scene.tables.fence}`)).rows).toEqual([]);
      });
    });

    it.each(broken.filter(([what]) => /^(?:claims|checks)/.test(what)))(
      "says so where they have something wrong: it %s",
      async (_, wrong, shown) => {
        await scope.inScene(async (scene) => {
          const pool = scene.pool();
          const past = pool as unknown as pg.PoolClient;
          const process = () => listenerOf((resource) => scene.guard(pool, { resource }), wrong, past);
          expect(wrongIn(await verify(inTurn(process(), process())))).toMatchObject(shown);
        });
      },
    );
  });

  describe("that is not to be had is no finding but an error", () => {
    it.each<[what: string, through: RequestListener, said: RegExp]>([
      [
        "a path without one",
        (_, response) => void response.writeHead(404).end(),
        /^GUARD_FAILED: \S+\/ledger is no route of httpVerification, or it fails: status 404$/,
      ],
      [
        "a route that answers everything",
        (_, response) => void response.writeHead(200).end("<html>"),
        /status 200, and no answer of one$/,
      ],
      [
        "a request without credentials",
        (_, response) => void response.writeHead(401).end(),
        /or it fails: status 401$/,
      ],
    ])("%s", async (_, through, said) => {
      const verifying = verify(through);
      await expect(verifying).rejects.toMatchObject({ code: "GUARD_FAILED" });
      await expect(verifying).rejects.toThrow(said);
    });

    it("a proxy that drops the fence, or the verdict", async () => {
      const route = listenerOf(inMemory);
      const dropped = verify((request, response) => {
        delete request.headers["tenure-fence"];
        route(request, response);
      });
      await expect(dropped).rejects.toThrow(
        /has no verdict: it did not arrive as it was sent; .* have to pass every proxy$/,
      );
      const unheard = verify((request, response) => {
        const writeHead = response.writeHead.bind(response);
        const drop = (status: number, headers: Record<string, string>) =>
          writeHead(status, { ...headers, "tenure-verdict": "" });
        route(request, Object.assign(response, { writeHead: drop }));
      });
      await expect(unheard).rejects.toThrow(/has no verdict: status 204/);
    });

    it("a server that is away, and what is no URL", async () => {
      const url = `http://127.0.0.1:${await freePort()}/x?key=secret`;
      await expect(verifyHttpFence({ url })).rejects.toThrow(
        /^GUARD_FAILED: \S+\/x cannot be reached: .*REFUSED/,
      );
      await expect(verifyHttpFence({ url: "http://u:secret@h/" })).rejects.toThrow(
        "without user and password",
      );
      await expect(verifyHttpFence({ url: "secret" })).rejects.toThrow(
        /^INVALID_OPTION: url must be an http or https URL/,
      );
      await expect(verifyHttpFence({ url, patienceMs: 6_000 })).rejects.toThrow("patienceMs must be");
    });
  });
});

const mounts: Readonly<
  Record<string, (route: HttpVerification) => Promise<[url: string, close: () => unknown]>>
> = {
  async "Express 5"(route) {
    const server = express().post("/verify", express.json(), route.express()).listen(0, "127.0.0.1");
    await once(server, "listening");
    return [`http://127.0.0.1:${(server.address() as { port: number }).port}/verify`, () => server.close()];
  },
  async "Fastify 5"(route) {
    const app = fastify();
    app.post("/verify", route.fastify());
    return [`${await app.listen({ host: "127.0.0.1", port: 0 })}/verify`, async () => app.close()];
  },
  async "Hono 4"(route) {
    const app = new Hono<{ Bindings: HttpBindings }>();
    const respond = route.hono();
    app.post("/verify", async (context: Context) => respond(context));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    return [`http://127.0.0.1:${(server.address() as { port: number }).port}/verify`, () => server.close()];
  },
};

describe.each(Object.entries(mounts))("the route for probes under %s", (_, mount) => {
  it("passes all twelve", async () => {
    const [url, close] = await mount(httpVerification(inMemory));
    const found = await verifyHttpFence({ url, patienceMs: 300 });
    await close();
    expect(wrongIn(found)).toEqual({});
    expect(found.probes).toHaveLength(12);
  });
});

describe("the route for probes never", () => {
  const post = { method: "POST", request: undefined };
  const own = fence({ namespace, election: "run/delayed" });
  const claim = {
    ...post,
    fence: encodeSent({ kind: "claim", resource: namespace, fence: own }),
    body: undefined,
  };
  const write = (seq: number, forMs: number) => ({
    ...post,
    fence: encodeSent({ kind: "write", resource: namespace, fence: own, seq, opId: `op-${seq}` }),
    body: { result: "done", stand: { write: `write-${seq}`, forMs } },
  });

  it("takes fences or removes rows of others", async () => {
    const ledger = inMemory(namespace);
    await ledger.claim(fence());
    const route = httpVerification(() => ledger);
    const before = await ledger.inspect();
    const foreign = encodeSent({ kind: "claim", resource: namespace, fence: fence({ token: 8 }) });
    expect(await route.receive({ ...claim, fence: foreign })).toMatchObject({ status: 400 });
    const other = encodeSent({ kind: "claim", resource: "ledger", fence: own });
    expect(await route.receive({ ...claim, fence: other })).toMatchObject({ status: 400 });
    const ask = async (body: object) => route.receive({ ...post, fence: undefined, body: { v: 1, ...body } });
    await ask({ probe: "sweep", election: "invoices" });
    expect(await ask({ probe: "rows" })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"rows":[]') as string,
    });
    expect(await ledger.inspect()).toEqual(before);
  });

  it("lets a write stand longer than it says, nor more than sixteen, nor for longer than 15 s", async () => {
    const route = httpVerification(inMemory);
    await route.receive(claim);
    expect(await route.receive(write(1, 20))).toMatchObject({ status: 200 });
    expect(await route.receive(write(2, 15_001))).toMatchObject({ status: 400 });
    const standing = Array.from({ length: 16 }, async (_, index) => route.receive(write(index + 3, 50)));
    expect(await route.receive(write(19, 50))).toMatchObject({ status: 503 });
    for (const answer of await Promise.all(standing)) expect(answer).toMatchObject({ status: 200 });
  });
});
