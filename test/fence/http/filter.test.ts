/** The filter in front of each framework, and bodies that `node:http` does not take. */

import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { httpFilter, httpGuard, httpService } from "../../../src/fence/http/index.js";
import { memoryGuard } from "../../../src/fence/memory/index.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { HttpServer } from "./scene.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Whatever listens, closed after the test; answers its URL. */
async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  if (!server.listening) await once(server, "listening");
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/legacy`;
}

function filter(): ReturnType<typeof httpFilter> {
  return httpFilter(memoryGuard({ resource: "legacy", initial: null }));
}

/** A route that knows nothing of fences, behind a filter. */
const frameworks: Readonly<Record<string, (done: () => void) => Promise<string>>> = {
  async "Express 5"(done) {
    const app = express();
    app.use("/legacy", filter().express());
    app.post("/legacy", (_, response) => {
      done();
      response.json({ done: true });
    });
    return listening(app.listen(0, "127.0.0.1"));
  },
  async "Fastify 5"(done) {
    const app = fastify({ forceCloseConnections: true });
    app.addHook("preHandler", filter().fastify());
    app.post("/legacy", () => {
      done();
      return { done: true };
    });
    closing.push(async () => app.close());
    return `${await app.listen({ port: 0, host: "127.0.0.1" })}/legacy`;
  },
  async "Hono 4"(done) {
    const app = new Hono();
    app.use("/legacy", filter().hono());
    app.post("/legacy", (context) => {
      done();
      return context.json({ done: true });
    });
    return listening(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as never);
  },
};

describe("a filter", () => {
  it.each(Object.entries(frameworks))("of %s keeps a late request from the handler", async (_, open) => {
    let count = 0;
    const url = await open(() => void (count += 1));
    const site = httpGuard({ url, resource: "legacy", advisory: true });
    const old = await site.claim(fence());
    const response = await old.fetch("", { method: "POST" });
    expect([old.advisory, response.status, await response.json()]).toEqual([true, 200, { done: true }]);
    await site.claim(fence({ token: 8, owner: "b" }));
    expect(await rejection(old.fetch("", { method: "POST" }))).toMatchObject({ code: "STALE", watermark: 8 });
    const bare = await fetch(url, { method: "POST" });
    await bare.body?.cancel();
    expect([bare.status, count]).toEqual([428, 1]);
  });
});

describe("a listener of node:http", () => {
  it("applies nothing of a body that is too large, or no JSON though it says so", async () => {
    const ledger = memoryGuard<number>({ resource: "ledger", initial: 0 });
    const failures: unknown[] = [];
    const service = httpService(ledger, { maxBodyBytes: 16 });
    const listener = service.node((tx) => void (tx.value += 1), {
      onError: (error) => void failures.push(error),
    });
    const server = await HttpServer.open(listener);
    closing.push(async () => server.close());
    const handle = await httpGuard({ url: server.url, resource: "ledger" }).claim(fence());
    const json = { "content-type": "application/json" };
    const send = async (body: string, headers: Record<string, string> = {}) =>
      (await handle.fetch("", { method: "POST", body, headers })).status;
    expect(await send("x".repeat(17))).toBe(413);
    expect(await send("x".repeat(4_194_304))).toBe(413);
    expect(await send("{", json)).toBe(400);
    expect((await ledger.inspect()).value).toBe(0);
    expect(await send("x".repeat(16))).toBe(204);
    expect(await send("null", json)).toBe(204);
    expect((await ledger.inspect()).value).toBe(2);
    expect(failures).toEqual([]);
  });

  it("tells of a caller who goes away in the middle of a body, and applies nothing", async () => {
    const ledger = memoryGuard<number>({ resource: "ledger", initial: 0 });
    let tell = (_: unknown) => {};
    const told = new Promise<unknown>((resolve) => (tell = resolve));
    const listener = httpService(ledger).node((tx) => void (tx.value += 1), { onError: tell });
    const server = createServer(listener).listen(0, "127.0.0.1");
    const caller = request(await listening(server), { method: "POST" });
    caller.on("error", () => {});
    const arrived = once(server, "request");
    caller.write("half");
    await arrived;
    caller.destroy();
    expect(await told).toMatchObject({ code: "ECONNRESET" });
    expect((await ledger.inspect()).value).toBe(0);
  });

  it("needs to know whom to tell of errors", () => {
    const service = httpService(memoryGuard({ resource: "ledger", initial: 0 }));
    expect(() => service.node(() => {}, {} as never)).toThrowError(/onError must be a function/);
  });
});
