/** The service of each framework, over real connections: claims, writes, errors, and who gets to know of them. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type HttpBindings, serve } from "@hono/node-server";
import express, { type NextFunction, type Request, type Response as ExpressResponse } from "express";
import fastify, { type FastifyRequest } from "fastify";
import { type Context, Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpHandle, httpGuard, httpService } from "../../../src/fence/http/index.js";
import { memoryGuard, type ValueGuard, type ValueTransaction } from "../../../src/fence/memory/index.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";

type Entries = readonly string[];
type Ledger = ValueGuard<Entries>;

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Told of what went wrong, by the framework's own means. */
type Told = (error: unknown) => void;

function ledger(): Ledger {
  return memoryGuard<Entries>({ resource: "ledger", initial: [] });
}

interface Body {
  readonly text: string;
}

/** What the routes of all frameworks do. */
function enter(tx: ValueTransaction<Entries>, body: unknown) {
  const { text } = body as Body;
  tx.value = [...tx.value, text];
  if (text === "refused") return { status: 422, body: { why: "not that one" } };
  if (text === "broken") throw new Error("the handler is broken");
  if (text === "silent") return undefined;
  return {
    status: 201,
    headers: { Location: `/entries/${tx.value.length}` },
    body: { number: tx.value.length },
  };
}

const frameworks: Readonly<Record<string, (guard: Ledger, told: Told) => Promise<Served>>> = {
  async "node:http"(guard, onError) {
    const service = httpService(guard);
    const entries = service.node(
      (tx, { body, request }) => (request.method === "GET" ? { body: tx.value } : enter(tx, body)),
      { onError },
    );
    const server = createServer(entries);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/entries`,
      async close() {
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
    };
  },

  async "Express 5"(guard, told) {
    const service = httpService(guard);
    const app = express();
    app.post(
      "/entries",
      express.json(),
      service.express((tx, { request }: { request: Request }) => enter(tx, request.body)),
    );
    app.get(
      "/entries",
      service.express((tx) => ({ body: tx.value })),
    );
    app.use((error: unknown, _: Request, response: ExpressResponse, __: NextFunction) => {
      told(error);
      response.status(500).send("sorry");
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/entries`,
      async close() {
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
    };
  },

  async "Fastify 5"(guard, told) {
    const service = httpService(guard);
    const app = fastify({ forceCloseConnections: true });
    app.post(
      "/entries",
      service.fastify((tx, { request }: { request: FastifyRequest }) => enter(tx, request.body)),
    );
    app.get(
      "/entries",
      service.fastify((tx) => ({ body: tx.value })),
    );
    app.setErrorHandler(async (error, _, reply) => {
      told(error);
      await reply.code(500).send("sorry");
    });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    return { url: `${url}/entries`, close: async () => app.close() };
  },

  async "Hono 4"(guard, told) {
    const service = httpService(guard);
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.post(
      "/entries",
      service.hono((tx, { body }: { request: Context; body: unknown }) => enter(tx, body)),
    );
    app.get(
      "/entries",
      service.hono((tx) => ({ body: tx.value })),
    );
    app.onError((error, context) => {
      told(error);
      return context.text("sorry", 500);
    });
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/entries`,
      async close() {
        server.close();
        if ("closeAllConnections" in server) server.closeAllConnections();
        await once(server, "close");
      },
    };
  },
};

async function post(handle: HttpHandle, text: string, init: object = {}): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return handle.fetch("", { method: "POST", headers, body: JSON.stringify({ text }), ...init });
}

for (const [name, open] of Object.entries(frameworks)) {
  describe(`a service of ${name}`, () => {
    const told: unknown[] = [];
    let guard: Ledger;
    let served: Served;
    beforeAll(async () => {
      guard = ledger();
      served = await open(guard, (error) => void told.push(error));
    });
    afterAll(async () => served.close());

    const claim = async (token: number) =>
      httpGuard({ url: served.url, resource: "ledger" }).claim(fence({ token, owner: `owner of ${token}` }));
    const content = async () => (await guard.inspect()).value;

    it("applies a write once and answers it again with status, headers and body of the first time", async () => {
      const handle = await claim(7);
      const first = await post(handle, "one", { opId: "one" });
      expect([first.status, first.headers.get("location"), await first.json()]).toEqual([
        201,
        "/entries/1",
        { number: 1 },
      ]);
      expect(first.headers.get("cache-control")).toBe("no-store");
      const again = await post(handle, "another", { opId: "one" });
      expect([again.status, again.headers.get("location"), await again.json()]).toEqual([
        201,
        "/entries/1",
        { number: 1 },
      ]);
      const silent = await post(handle, "silent");
      expect([silent.status, await silent.text()]).toEqual([204, ""]);
      expect(await (await handle.fetch("")).json()).toEqual(["one", "silent"]);
    });

    it("undoes what a reply from 400 on comes with, and hands it to the caller", async () => {
      const handle = await claim(8);
      const before = await content();
      const refused = await post(handle, "refused", { opId: "tried" });
      expect([refused.status, await refused.json()]).toEqual([422, { why: "not that one" }]);
      expect(await content()).toEqual(before);
      expect((await post(handle, "taken", { opId: "tried" })).status).toBe(201);
      expect(await content()).toEqual([...before, "taken"]);
    });

    it("undoes what a handler that throws did, and tells the service's own means and not the caller", async () => {
      const handle = await claim(9);
      const before = await content();
      told.length = 0;
      const broken = await post(handle, "broken");
      expect(broken.status).toBe(500);
      expect(await broken.text()).not.toContain("the handler is broken");
      expect(told).toMatchObject([{ message: "the handler is broken" }]);
      expect(await content()).toEqual(before);
      expect((await post(handle, "next")).status).toBe(201);
    });

    it("refuses writes and reads after a successor's claim, and tells the term", async () => {
      const outpaced: number[] = [];
      const site = httpGuard({ url: served.url, resource: "ledger" });
      const old = await site.claim({
        fence: fence({ token: 10, owner: "owner of 10" }),
        outpaced: (watermark) => void outpaced.push(watermark),
      });
      const before = await content();
      await claim(11);
      const stale = { code: "STALE", watermark: 11, owner: "owner of 11" };
      expect(await rejection(post(old, "late"))).toMatchObject(stale);
      expect(await rejection(old.fetch(""))).toMatchObject(stale);
      expect(outpaced).toEqual([11, 11]);
      expect(await content()).toEqual(before);
    });

    it("lets nobody in without a fence, and says so as a problem", async () => {
      const before = await content();
      const headers = { "content-type": "application/json" };
      const bare = await fetch(served.url, { method: "POST", headers, body: '{"text":"bare"}' });
      expect(bare.status).toBe(428);
      expect(bare.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(await bare.json()).toMatchObject({ status: 428, code: "INVALID_OPTION" });
      for (const bad of ["{}", '{"v":2}', "x".repeat(5_000)]) {
        const sent = await fetch(served.url, {
          method: "POST",
          headers: { ...headers, "tenure-fence": bad },
          body: "{}",
        });
        expect(sent.status).toBe(400);
        await sent.body?.cancel();
      }
      expect(await content()).toEqual(before);
    });
  });
}
