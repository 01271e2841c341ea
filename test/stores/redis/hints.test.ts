/** Wakes by publish and subscribe: what wakes, whom, and what happens when the connection is gone. */

import { expect, test } from "vitest";
import type { Store } from "../../../src/lease/store.js";
import { describeWithServer } from "../../servers/with-server.js";
import { call, key, onServer, put, record, type Scene } from "./scene.js";

/** Collects the wakes of a store object from when it listens, which is told by a first wake. */
async function listen(store: Store, keys: readonly string[] = [key]) {
  const heard: string[] = [];
  const controller = new AbortController();
  store.watch?.(keys, (woken) => heard.push(woken), controller.signal);
  await expect.poll(() => heard.toSorted(), patience).toEqual(keys);
  heard.length = 0;
  return { heard, stop: () => controller.abort() };
}

const patience = { timeout: 10_000, interval: 5 };

async function subscribers(server: Scene["server"]): Promise<number> {
  const reply = await server.command("PUBSUB", "NUMSUB", "tenure:{default}");
  return Number((reply as readonly unknown[])[1]);
}

describeWithServer("redis", "hints of a redis store", () => {
  test("news wakes those who listen to that name, in other processes too, and renewals wake nobody", async () =>
    onServer(async ({ store }) => {
      const [writer, reader] = [store(), store()];
      const { heard } = await listen(reader);
      let version = await put(writer);
      await expect.poll(() => heard.length, patience).toBe(1);
      for (let seq = 2; seq < 12; seq += 1) version = await put(writer, { seq }, version);
      await writer.write("default/other", record(), undefined, call());
      version = await put(writer, { seq: 12, state: "draining" }, version);
      await put(writer, { seq: 13, state: "released" }, version);
      await expect.poll(() => heard.length, patience).toBe(3);
      expect(new Set(heard)).toEqual(new Set([key]));
    }));

  test("a request and a bid are news", async () =>
    onServer(async ({ store }) => {
      const [writer, reader] = [store(), store()];
      let version = await put(writer);
      const { heard } = await listen(reader);
      const request = { id: "r", verb: "transfer", by: "x" } as const;
      version = await put(writer, { request }, version);
      await put(writer, { request, bid: { instance: "b", node: "b", requestId: "r" } }, version);
      await expect.poll(() => heard.length, patience).toBe(2);
    }));

  test("when the connection of the hints is killed, it comes back, and all are woken for what they missed", async () =>
    onServer(async ({ server, store }) => {
      const [writer, reader] = [store(), store()];
      const { heard } = await listen(reader, [key, "default/second"]);
      await server.command("CLIENT", "KILL", "TYPE", "pubsub");
      await expect.poll(() => heard.toSorted(), patience).toEqual([key, "default/second"]);
      await put(writer);
      await expect.poll(() => heard.length, patience).toBe(3);
    }));

  test("when the last one stops listening, the connection goes", async () =>
    onServer(async ({ server, store }) => {
      const { stop } = await listen(store());
      stop();
      await expect.poll(async () => subscribers(server), patience).toBe(0);
    }));

  test("a listener that throws leaves the others awake", async () =>
    onServer(async ({ store }) => {
      const [writer, reader] = [store(), store()];
      const angry = () => {
        throw new Error("mine");
      };
      reader.watch?.([key], angry, new AbortController().signal);
      const { heard } = await listen(reader);
      await put(writer);
      await expect.poll(() => heard.length, patience).toBe(1);
    }));

  test("over a shared connection nobody is woken, and the store says so", async () =>
    onServer(async ({ server }) => {
      const { Redis } = await import("ioredis");
      const { redisStore } = await import("../../../src/stores/redis/index.js");
      const client = new Redis(server.url);
      await using store = redisStore(client, { connection: "shared", maxTtlMs: 1_000 });
      expect(store.capabilities.notifies).toBe(false);
      const version = await put(store);
      await put(store, { seq: 2 }, version);
      expect(await subscribers(server)).toBe(0);
      await store[Symbol.asyncDispose]();
      expect(await client.ping()).toBe("PONG");
      client.disconnect();
    }));
});
