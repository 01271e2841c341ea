/** Each verb of the proxy between the harness's own client and a real redis-server. */
import { createConnection } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { TcpProxy } from "./proxy.js";
import { type RedisServer, startRedis } from "./redis.js";
import type { RespClient } from "./resp-client.js";
import { describeWithServer } from "./with-server.js";

let server: RedisServer;
let proxy: TcpProxy;
let client: RespClient;
const others: RespClient[] = [];

async function another(): Promise<RespClient> {
  const other = await server.connect(proxy.port);
  others.push(other);
  return other;
}

/** Whether the promise is still open when the server has answered somebody else's question, twice round the loop. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let round = 0; round < 5; round += 1) await server.command("PING");
  return !settled;
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `answered ${String(value)}`,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

describeWithServer("redis", "a proxy before Redis", () => {
  beforeAll(async () => {
    server = await startRedis({ password: "pass" });
  });
  afterAll(async () => {
    await server.stop();
  });
  beforeEach(async () => {
    await server.command("FLUSHALL");
    proxy = await server.proxy();
    client = await server.connect(proxy.port);
  });
  afterEach(async () => {
    await proxy.close();
    for (const one of [client, ...others.splice(0)]) one.close();
  });

  test("without a fault, requests and replies of any size pass, and are counted", async () => {
    const big = "x".repeat(3_000_000);
    expect(await client.command("SET", "big", big)).toBe("OK");
    expect(await client.command("GET", "big")).toBe(big);
    expect(await Promise.all(["a", "b", "c"].map((text) => client.command("ECHO", text)))).toEqual([
      "a",
      "b",
      "c",
    ]);
    // With the password.
    expect(proxy.requestCount).toBe(6);
    expect(proxy.connectionCount).toBe(1);
    expect(proxy.url).toBe(`redis://:pass@127.0.0.1:${proxy.port}`);
    expect(Object.values(proxy.faults).every((count) => count === 0)).toBe(true);
  });

  test("when the client ends, the server sees the end, and the other way round", async () => {
    const id = await client.command("CLIENT", "ID");
    client.close();
    await client.closed;
    while (String(await server.command("CLIENT", "LIST", "ID", Number(id))) !== "")
      await server.command("PING");
    const other = await another();
    await server.command("CLIENT", "KILL", "ID", Number(await other.command("CLIENT", "ID")));
    expect((await other.closed).message).toBe("the connection is closed");
    while (proxy.openCount > 0) await server.command("PING");
  });

  test("delayed each way, a reply takes the sum, and the order of requests stays", async () => {
    const fault = proxy.delay({ toServerMs: 60, toClientMs: 40, matching: "ECHO" });
    const from = performance.now();
    const replies: string[] = [];
    const asked = ["ECHO", "PING"].map(async (name) => {
      await client.command(name, "x");
      replies.push(name);
    });
    await Promise.all(asked);
    expect(performance.now() - from).toBeGreaterThanOrEqual(100);
    expect(replies).toEqual(["ECHO", "PING"]);
    expect(proxy.faults.delay).toBe(2);
    const late = proxy.delay({ toServerMs: 60_000 });
    const last = client.command("ECHO", "at once");
    expect(await isOpen(last)).toBe(true);
    await late.end();
    expect(await last).toBe("at once");
    await fault.end();
  });

  test("when requests are dropped, the server does not see them, and the connection is reset at the end", async () => {
    const fault = proxy.drop("to-server", { matching: "lost", times: 1 });
    await client.command("SET", "key", "kept");
    const lost = client.command("SET", "key", "lost");
    const after = client.command("SET", "key", "behind it");
    expect(await isOpen(Promise.race([lost, after]))).toBe(true);
    const other = await another();
    expect(await other.command("GET", "key")).toBe("kept");
    expect(fault.count).toBe(1);
    await proxy.heal();
    expect(await Promise.all([failure(lost), failure(after)])).toEqual(["ECONNRESET", "ECONNRESET"]);
    expect(await (await another()).command("GET", "key")).toBe("kept");
    expect(await other.command("PING")).toBe("PONG");
  });

  test("when replies are dropped, the server has done what was asked", async () => {
    proxy.drop("to-client");
    const passed = proxy.nextRequest("done");
    const lost = client.command("SET", "key", "done");
    await passed;
    expect(await isOpen(lost)).toBe(true);
    expect(await server.command("GET", "key")).toBe("done");
    await proxy.heal();
    expect(await failure(lost)).toBe("ECONNRESET");
    expect(proxy.faults.drop).toBe(1);
  });

  test("half-open, nothing passes and nobody is told; what lost nothing goes on afterwards", async () => {
    const idle = await another();
    proxy.halfOpen();
    const asked = client.command("SET", "key", "1");
    const fresh = server.connect(proxy.port);
    expect(await isOpen(Promise.race([asked, fresh]))).toBe(true);
    expect(await server.command("GET", "key")).toBeNull();
    // The request, the connection and its password.
    while (proxy.faults["half-open"] < 3) await server.command("PING");
    await proxy.heal();
    expect(await Promise.all([failure(asked), failure(fresh)])).toEqual(["ECONNRESET", "ECONNRESET"]);
    expect(await idle.command("PING")).toBe("PONG");
    expect(await (await another()).command("PING")).toBe("PONG");
    expect(proxy.faults["half-open"]).toBe(3);
  });

  test("half-open, a server that is gone says nothing to its client", async () => {
    const id = Number(await client.command("CLIENT", "ID"));
    const fault = proxy.halfOpen();
    await server.command("CLIENT", "KILL", "ID", id);
    expect(await isOpen(client.closed)).toBe(true);
    await fault.end();
    expect((await client.closed).message).toMatch("ECONNRESET");
  });

  test("unanswered, a connect stays open until it is healed", async () => {
    await proxy.unanswered();
    const asked = client.command("PING");
    const fresh = another();
    const socket = createConnection({ port: proxy.port, host: "127.0.0.1" });
    expect(await isOpen(Promise.race([asked, fresh]))).toBe(true);
    expect(socket.connecting).toBe(true);
    socket.destroy();
    expect(proxy.connectionCount).toBe(1);
    await proxy.heal();
    expect(await failure(asked)).toBe("ECONNRESET");
    // The kernel of the client tries again by itself, within a second.
    expect(await failure(fresh.then((other) => other.command("PING")))).toMatch(
      /^(answered PONG|ECONNRESET)$/,
    );
    expect(await (await another()).command("PING")).toBe("PONG");
    expect(proxy.faults.unanswered).toBe(2);
  });

  test.each([
    ["refused", "ECONNREFUSED"],
    ["reset", "ECONNRESET"],
  ] as const)("cut, what stands is reset and what is new is %s", async (connects, code) => {
    const asked = client.command("BLPOP", "nothing", 0);
    await proxy.nextRequest();
    const fault = proxy.cut({ connects });
    expect(await failure(asked)).toBe("ECONNRESET");
    expect(await failure(another())).toBe(code);
    expect(fault.count).toBe(connects === "refused" ? 1 : 2);
    await fault.end();
    expect(await (await another()).command("PING")).toBe("PONG");
  });

  test("duplicated, a request is done twice and answered once", async () => {
    proxy.duplicate({ times: 1, matching: "INCR" });
    const twice = proxy.duplicated();
    expect(await client.command("INCR", "count")).toBe(1);
    expect((await twice).toString()).toContain("INCR");
    expect(await client.command("INCR", "count")).toBe(3);
    expect(await client.command("GET", "count")).toBe("3");
    expect(proxy.faults.duplicate).toBe(1);
  });

  test("a request that was seen can be sent again at any time", async () => {
    const seen = proxy.nextRequest("SET");
    await client.command("SET", "key", "old");
    await client.command("SET", "key", "new");
    expect((await proxy.resend(await seen)).toString()).toBe("+OK\r\n");
    expect(await client.command("GET", "key")).toBe("old");
  });

  test("when a reply is held, its request is done, later replies wait behind it, and all come in order", async () => {
    const fault = proxy.hold("to-client", { times: 1 });
    const [first, second] = [client.command("SET", "key", "1"), client.command("GET", "key")];
    expect((await proxy.held()).toString()).toContain("SET");
    expect(await isOpen(Promise.race([first, second]))).toBe(true);
    expect(await server.command("GET", "key")).toBe("1");
    expect((await proxy.held("key")).toString()).toContain("SET");
    proxy.release();
    expect(await Promise.all([first, second])).toEqual(["OK", "1"]);
    expect(await client.command("PING")).toBe("PONG");
    expect(fault.count).toBe(1);
  });

  test("when a request is held and its client gives up, it arrives late all the same", async () => {
    proxy.hold("to-server", { matching: "late" });
    const given = client.command("SET", "key", "late");
    await proxy.held();
    client.close();
    expect(await failure(given)).toBe("the connection is closed");
    await server.command("SET", "key", "newer");
    const arrived = proxy.nextRequest("late");
    await proxy.heal();
    await arrived;
    while ((await server.command("GET", "key")) !== "late") await server.command("PING");
    expect(proxy.faults.hold).toBe(1);
  });

  test.each([
    [false, "1"],
    [true, "2"],
  ])(
    "when each second request is reset, delivered: %s, the server has %s of two",
    async (delivered, expected) => {
      proxy.resetEvery(2, { of: "requests", delivered, matching: "INCR" });
      await client.command("INCR", "count");
      await client.command("PING");
      expect(await failure(client.command("INCR", "count"))).toBe("ECONNRESET");
      expect(await server.command("GET", "count")).toBe(expected);
      expect(proxy.faults.reset).toBe(1);
    },
  );

  test("when each second connection is reset, the others are not", async () => {
    proxy.resetEvery(2, { of: "connections" });
    const outcomes: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      outcomes.push(await failure(another().then((other) => other.command("PING"))));
    }
    expect(outcomes).toEqual(["answered PONG", "ECONNRESET", "answered PONG", "ECONNRESET"]);
    expect(proxy.faults.reset).toBe(2);
  });

  test.each(["cut", "half-open"] as const)(
    "flapping by %s, it goes up and down until healed",
    async (how) => {
      const fault = proxy.flap({ downMs: 20, upMs: 20, how });
      while (fault.count < 3) await failure(another().then((other) => other.command("PING")));
      await proxy.heal();
      const { count } = fault;
      expect(await (await another()).command("PING")).toBe("PONG");
      expect(fault.count).toBe(count);
      expect(proxy.faults[how]).toBeGreaterThan(0);
    },
  );

  test("two proxies before one server fail apart", async () => {
    const second = await server.proxy();
    const other = await server.connect(second.port);
    proxy.cut();
    await client.closed;
    expect(await other.command("PING")).toBe("PONG");
    other.close();
    await second.close();
  });

  test("when the server is frozen and thawed, requests wait and are answered; killed, the client is reset", async () => {
    await server.freeze();
    const asked = client.command("ECHO", "patience");
    const fresh = another();
    await proxy.nextRequest("AUTH");
    server.thaw();
    expect(await asked).toBe("patience");
    expect(await (await fresh).command("PING")).toBe("PONG");
    await server.kill();
    expect((await client.closed).message).toMatch(/ECONNRESET|closed/);
    await server.restart({ data: "none" });
    expect(await (await another()).command("PING")).toBe("PONG");
  });

  test("when it is closed, who waits for something is told", async () => {
    const waiting = proxy.nextRequest();
    await proxy.close();
    await expect(waiting).rejects.toThrow("the proxy was closed");
    await expect(proxy.held()).rejects.toThrow("the proxy was closed");
  });
});
