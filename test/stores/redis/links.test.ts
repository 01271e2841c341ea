/** What becomes of calls when the network or the server fails: no answer, late answers, another connection. */

import { expect, test } from "vitest";
import type { Store } from "../../../src/lease/store.js";
import { resp } from "../../servers/framing.js";
import { startProxy, type TcpProxy } from "../../servers/proxy.js";
import { describeWithServer } from "../../servers/with-server.js";
import { call, key, onServer, present, put, record, type Scene } from "./scene.js";

interface Wired extends Scene {
  readonly proxy: TcpProxy;
  /** An object behind the proxy, connected already. */
  readonly wired: Store;
}

/** A silent link is given up after two thirds of `maxTtlMs`. */
async function onWire(body: (scene: Wired) => Promise<void>, maxTtlMs = 15_000): Promise<void> {
  await onServer(async (scene) => {
    const { server } = scene;
    const proxy = await startProxy({
      to: server.port,
      framing: resp,
      urlAt: (port) => server.urlAt(port),
    });
    try {
      const wired = scene.store({ maxTtlMs }, proxy.url);
      await wired.read(key, call());
      await body({ ...scene, proxy, wired });
    } finally {
      await proxy.close();
    }
  });
}

describeWithServer("redis", "links of a redis store", () => {
  test("when a connection goes dead without a word, a call in time is made over another one", async () =>
    onWire(async ({ proxy, wired }) => {
      // The request vanishes, and whatever follows it on this connection.
      const dead = proxy.drop("to-server", { times: 1 });
      const lost = wired.write(key, record({ instance: "lost" }), undefined, call({ timeoutMs: 50 }));
      const outcome = lost.catch((cause: unknown) => cause);
      await answers(wired);
      await put(wired, { instance: "next" });
      expect(proxy.connectionCount).toBeGreaterThanOrEqual(2);
      expect((await present(wired)).body).toMatchObject({ instance: "next" });
      expect(dead.count).toBe(1);
      await wired[Symbol.asyncDispose]();
      expect(await outcome).toMatchObject({ code: "STORE_CLOSED" });
    }));

  test("when an answer comes after its timeout, over a connection that was replaced, the write still learns of it", async () =>
    onWire(async ({ proxy, wired }) => {
      const held = proxy.hold("to-client", { times: 1 });
      const late = wired.write(key, record({ instance: "late" }), undefined, call({ timeoutMs: 50 }));
      late.catch(() => {});
      await proxy.held();
      // A call after the timeout goes over another connection, and is answered.
      await answers(wired);
      expect((await present(wired)).body).toMatchObject({ instance: "late" });
      await held.end();
      expect(await late).toMatchObject({ kind: "written" });
    }));

  test("when the server is frozen, calls give up with the connection, and the first after it thaws is answered", async () =>
    onWire(async ({ server, wired }) => {
      const version = await put(wired);
      await server.freeze();
      const patience = { timeoutMs: 50 };
      // What is read late is worth nothing; what was written late may be the proof of a lease, for a whole belief.
      await expect(wired.read(key, call(patience))).rejects.toMatchObject({ code: "STORE_TIMEOUT" });
      await expect(wired.write(key, record({ seq: 2 }), version, call(patience))).rejects.toMatchObject({
        code: "STORE_UNREACHABLE",
      });
      server.thaw();
      expect((await present(wired)).body).toMatchObject({ instance: "a" });
    }, 1_000));

  test("when the server is killed with a write on its way, the write rejects as unknown and is not sent again", async () =>
    onWire(async ({ server, proxy, wired }) => {
      const held = proxy.hold("to-server", { times: 1 });
      const lost = wired.write(key, record(), undefined, call()).catch((cause: unknown) => cause);
      await proxy.held();
      await server.kill();
      await server.restart({ data: "none" });
      await held.end();
      expect(await lost).toMatchObject({ code: "STORE_UNREACHABLE", outcome: "unknown" });
      expect(await wired.read(key, call())).toBeUndefined();
    }));

  test("when the connection is reset, the next call connects again by itself", async () =>
    onWire(async ({ proxy, wired }) => {
      const version = await put(wired);
      proxy.cut();
      await expect(wired.read(key, call())).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
      await proxy.heal();
      await put(wired, { seq: 2 }, version);
    }));

  test("a call that is aborted while there is no connection is never sent", async () =>
    onWire(async ({ proxy, wired, store }) => {
      proxy.cut();
      await wired.read(key, call()).catch(() => {});
      const controller = new AbortController();
      const unwanted = wired.write(key, record(), undefined, call({ signal: controller.signal }));
      controller.abort(new Error("not any more"));
      await proxy.heal();
      await expect(unwanted).rejects.toMatchObject({ message: "not any more" });
      expect(await store().read(key, call())).toBeUndefined();
    }));

  test("many calls of one turn that find no connection share one", async () =>
    onServer(async ({ server, store }) => {
      const many = store();
      const before = await connections(server);
      await Promise.all(Array.from({ length: 50 }, async () => many.read(key, call())));
      expect((await connections(server)) - before).toBe(1);
    }));

  test("disposing closes every connection of ours", async () =>
    onWire(async ({ proxy, wired }) => {
      wired.watch?.([key], () => {}, new AbortController().signal);
      await expect.poll(() => proxy.openCount, { timeout: 5_000, interval: 10 }).toBe(2);
      await wired[Symbol.asyncDispose]();
      await expect.poll(() => proxy.openCount, { timeout: 5_000, interval: 10 }).toBe(0);
    }));
});

/** Until calls are answered again, over whatever connection. */
async function answers(store: Store): Promise<void> {
  const ask = async () =>
    store.read(key, call()).then(
      () => true,
      () => false,
    );
  await expect.poll(ask, { timeout: 10_000, interval: 10 }).toBe(true);
}

async function connections(server: Scene["server"]): Promise<number> {
  return Number((await server.info("stats"))["total_connections_received"]);
}
