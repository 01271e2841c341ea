/** What the harness does to a real redis-server: its process, its data, its clock. */
import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { type RedisOptions, type RedisServer, startRedis } from "./redis.js";
import { describeWithServer } from "./with-server.js";

const started: RedisServer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

async function start(options?: RedisOptions): Promise<RedisServer> {
  const server = await startRedis(options);
  started.push(server);
  return server;
}

function runs(pid: number): boolean {
  return listProcesses().some((listed) => listed.pid === pid);
}

describeWithServer("redis", "a Redis of the harness", () => {
  test("when two are started, each has its own process, port and data", async () => {
    const [one, other] = await Promise.all([start(), start()]);
    await one.command("SET", "key", "one");
    expect(await other.command("GET", "key")).toBeNull();
    expect(one.pid).not.toBe(other.pid);
    expect(one.port).not.toBe(other.port);
    expect(listProcesses().find(({ pid }) => pid === one.pid)?.command).toMatch(/redis-server 127\.0\.0\.1:/);
    expect(one.url).toBe(`redis://127.0.0.1:${one.port}`);
  });

  test("when it is stopped, its process and its folder are gone", async () => {
    const server = await start();
    const { pid } = server;
    const [, folder = ""] = (await server.command("CONFIG", "GET", "dir")) as readonly string[];
    expect(runs(pid)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    await server.stop();
    expect(runs(pid)).toBe(false);
    expect(() => readdirSync(folder)).toThrow("ENOENT");
  });

  test("when it has a password, a client without it is refused, and its address carries it", async () => {
    const server = await start({ password: "s€cret" });
    expect(server.url).toBe(`redis://:s%E2%82%ACcret@127.0.0.1:${server.port}`);
    expect(await server.command("PING")).toBe("PONG");
  });
});

