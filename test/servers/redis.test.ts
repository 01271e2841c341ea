/** What the harness does to a real redis-server: its process, its data, its clock. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { type RedisOptions, type RedisServer, startRedis } from "./redis.js";
import { RespClient } from "./resp-client.js";
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

function stateOf(pid: number): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
}

function folders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("tenure-redis-"));
}

/** Resolves after so many turns of the event loop, in each of which I/O is looked at. */
async function turns(count: number): Promise<string> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return "turned";
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
    const stranger = await RespClient.connect(server.port);
    await expect(stranger.command("PING")).rejects.toMatchObject({ code: "NOAUTH" });
    stranger.close();
  });

  test("when its configuration is refused, starting fails with what it said, and leaves nothing", async () => {
    const before = folders();
    await expect(startRedis({ config: { "no-such": "1" } })).rejects.toThrow(
      /ended before it was ready.*no-such/s,
    );
    expect(folders()).toEqual(before);
  });

  test("when another server has its port, a restart fails instead of talking to that one", async () => {
    const server = await start();
    await server.kill();
    const usurper = createServer().listen(server.port, "127.0.0.1");
    await once(usurper, "listening");
    await expect(server.restart({ data: "none" })).rejects.toThrow("Address already in use");
    usurper.close();
    await server.restart({ data: "none" });
    expect(await server.command("PING")).toBe("PONG");
  });

  test("it counts what others asked, by name and in all, and not what the harness asked", async () => {
    const server = await start({ password: "pass" });
    const client = await server.connect();
    await client.command("SET", "key", "1");
    await client.command("EVAL", "return redis.call('GET', 'key')", 0);
    await client.command("CONFIG", "GET", "save");
    await server.command("SET", "key", "2");
    expect(await server.commandCount("set")).toBe(1);
    expect(await server.commandCount("config|get")).toBe(1);
    expect(await server.commandCount("del")).toBe(0);
    // AUTH, SET, EVAL, the GET of the script, CONFIG GET.
    expect(await server.commandCount()).toBe(5);
    expect(await server.commandCount()).toBe(5);
    expect(await server.info("persistence")).toMatchObject({ aof_enabled: "0", loading: "0" });
    client.close();
  });

  test("frozen, it accepts connections and answers nothing; thawed, it answers all", async () => {
    const server = await start();
    const client = await server.connect();
    await server.freeze();
    const asked = client.command("PING");
    const fresh = await server.connect();
    const also = fresh.command("PING");
    expect(stateOf(server.pid)).toBe("T");
    expect(await Promise.race([asked, also, turns(50)])).toBe("turned");
    server.thaw();
    expect(await Promise.all([asked, also])).toEqual(["PONG", "PONG"]);
    for (const one of [client, fresh]) one.close();
  });

  test("frozen, it can be killed, and stopped", async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const pids = [one.pid, other.pid];
    await Promise.all([one.freeze(), other.freeze()]);
    await Promise.all([one.kill(), other.stop()]);
    expect(pids.filter(runs)).toEqual([]);
    expect(() => one.thaw()).toThrow("does not run");
  });

  test("killed without persistence and restarted with what it kept, it is empty, on the same port", async () => {
    const server = await start();
    const { pid, port } = server;
    await server.command("SET", "key", "1");
    const asked = server.command("BLPOP", "nothing", 0);
    await Promise.all([server.kill(), expect(asked).rejects.toThrow(/ECONNRESET|closed/)]);
    await expect(server.command("PING")).rejects.toThrow("does not run");
    await server.restart({ data: "kept" });
    expect(server.pid).not.toBe(pid);
    expect(server.port).toBe(port);
    expect(await server.command("GET", "key")).toBeNull();
  });

  test("killed with an append-only file, it keeps what it acknowledged", async () => {
    const server = await start({ config: { appendonly: "yes", appendfsync: "always" } });
    await server.command("SET", "key", "1");
    await server.restart({ data: "kept" });
    expect(await server.command("GET", "key")).toBe("1");
    await server.restart({ data: "none" });
    expect(await server.command("GET", "key")).toBeNull();
  });

  test("asked to end, it writes what its configuration says", async () => {
    const server = await start({ config: { save: ["3600 1", "60 1000"] } });
    await server.command("SET", "key", "1");
    await server.freeze();
    await server.shutDown();
    expect(server.isRunning).toBe(false);
    await server.restart({ data: "kept" });
    expect(await server.command("GET", "key")).toBe("1");
  });

  test.each([["no"], ["yes"]])(
    "with appendonly %s, a snapshot brings old data back, here and elsewhere",
    async (appendonly) => {
      const server = await start({ config: { appendonly } });
      await server.command("SET", "key", "old");
      const snapshot = await server.snapshot();
      await server.command("SET", "key", "new");
      expect(await server.command("GET", "key")).toBe("new");
      const copy = await start({ config: { appendonly }, data: snapshot });
      expect(await copy.command("GET", "key")).toBe("old");
      await server.restart({ data: "kept" });
      expect(await server.command("GET", "key")).toBe(appendonly === "yes" ? "new" : null);
      await server.restart({ data: snapshot });
      expect(await server.command("GET", "key")).toBe("old");
      await expect(
        startRedis({ config: { appendonly: appendonly === "yes" ? "no" : "yes" }, data: snapshot }),
      ).rejects.toThrow("would start empty");
    },
  );
});

describeWithServer(["redis", "libfaketime"], "the clock of a Redis of the harness", () => {
  /** How far it is ahead, and by how much the answer may be off. */
  const ahead = async (server: RedisServer): Promise<{ readonly ms: number; readonly byMs: number }> => {
    const before = Date.now();
    const wall = await server.wall();
    return { ms: wall - before, byMs: Date.now() - before + 25 };
  };
  const expectAhead = async (server: RedisServer, ms: number): Promise<void> => {
    const seen = await ahead(server);
    expect(Math.abs(seen.ms - ms)).toBeLessThan(seen.byMs);
    expect(Math.abs(server.clock.offsetMs - ms)).toBeLessThan(seen.byMs);
  };

  test("it jumps both ways while the server runs, and keys with a ttl follow", async () => {
    const server = await start({ clock: true });
    await expectAhead(server, 0);
    await server.command("SET", "key", "1", "PX", 10_000);
    server.clock.jump(-60_000);
    await expectAhead(server, -60_000);
    expect(Number(await server.command("PTTL", "key"))).toBeGreaterThan(69_000);
    server.clock.jump(69_000);
    await expectAhead(server, 9_000);
    expect(Number(await server.command("PTTL", "key"))).toBeLessThanOrEqual(1_000);
    server.clock.jump(2_000);
    expect(await server.command("GET", "key")).toBeNull();
    server.clock.heal();
    await expectAhead(server, 0);
  });

  test("it runs at another rate from now on, without a jump, and goes on after a restart", async () => {
    const server = await start({ clock: true });
    await server.command("SET", "key", "1", "PX", 60_000);
    const before = await server.wall();
    server.clock.rate(20);
    const from = Date.now();
    const begun = await server.wall();
    // Twenty milliseconds for each of ours, and for each by which the start of the library was misjudged.
    expect(begun - before).toBeGreaterThan(-100);
    expect(begun - before).toBeLessThan(100 + 20 * (Date.now() - from + 1));
    while ((await server.wall()) - begun < 5_000);
    const passedMs = Date.now() - from;
    expect(passedMs).toBeGreaterThanOrEqual(240);
    expect(passedMs).toBeLessThan(2_500);
    expect(Number(await server.command("PTTL", "key"))).toBeLessThan(55_300);
    server.clock.rate(1);
    const { offsetMs } = server.clock;
    expect(offsetMs).toBeGreaterThan(4_300);
    await expectAhead(server, offsetMs);
    await server.restart({ data: "none" });
    await expectAhead(server, offsetMs);
    expect(() => server.clock.rate(0)).toThrow("stands still");
  });

  test("it is the clock of one server only, and leaves nothing when that is killed", async () => {
    const [one, other] = await Promise.all([start({ clock: true }), start({ clock: true })]);
    one.clock.jump(3_600_000);
    await expectAhead(one, 3_600_000);
    await expectAhead(other, 0);
    const { pid } = one;
    await one.kill();
    expect(readdirSync("/dev/shm").filter((name) => name.endsWith(`_${pid}`))).toEqual([]);
    const plain = await start();
    expect(() => plain.clock).toThrow("clock: true");
  });
});
