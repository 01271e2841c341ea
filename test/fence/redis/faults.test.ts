/** What a Redis server does to a guarded resource: it forgets, falls back, is full, is a replica, says nothing. */

import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { IoredisClient, RedisClient, RedisHandle } from "../../../src/fence/redis/index.js";
import { TenureError } from "../../../src/errors/index.js";
import { rowId } from "../../../src/fence/keys.js";
import { rowKey } from "../../../src/fence/redis/resource.js";
import { type RedisOptions, type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type Connected, connect } from "../../stores/redis/clients.js";
import { fence } from "../scene.js";
import { refusedWith, Scene, switchable } from "./scene.js";

const resource = "cache";
const older = fence({ token: 7, owner: "a" });
const newer = fence({ token: 8, owner: "b" });

async function put(handle: RedisHandle, key: string, value: string): Promise<void> {
  await handle.transaction((tx) => tx.set(key, value));
}

describeWithServer("redis", "the Redis guard under faults", () => {
  const closing: (() => unknown)[] = [];
  async function opened(options: RedisOptions = {}): Promise<Scene> {
    const server = await startRedis(options);
    closing.push(async () => server.stop());
    return new Scene(server, await connected(server));
  }
  async function connected({ url }: RedisServer): Promise<RedisClient> {
    const { client, close } = await connect("ioredis-6", url);
    closing.push(close);
    return client;
  }
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  it("when the server was restarted with all that it had, nobody writes before a claim", async () => {
    const scene = await opened({ config: { appendonly: "yes" } });
    const guard = scene.guard({ resource });
    const [former, handle] = [await guard.claim(older), await guard.claim(newer)];
    await put(handle, "k", "1");
    await scene.server.restart({ data: "kept" });
    expect(await refusedWith(put(former, "k", "stale"))).toMatchObject({ code: "STALE", watermark: 8 });
    expect(await refusedWith(put(handle, "k", "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
    await put(await guard.claim(newer), "k", "2");
    expect(await scene.server.command("GET", "k")).toBe("2");
  });

  it("when the server came back as it was before a claim, who was claimed over does not write by that", async () => {
    const scene = await opened({ config: { appendonly: "yes" } });
    const guard = scene.guard({ resource });
    const former = await guard.claim(older);
    await put(former, "k", "1");
    const before = await scene.server.snapshot();
    await guard.claim(newer);
    await scene.server.restart({ data: before });
    expect(await refusedWith(put(former, "k", "stale"))).toMatchObject({ code: "CLAIM_MISSING" });
    expect(await refusedWith(former.read(["k"]))).toMatchObject({ code: "CLAIM_MISSING" });
    await put(await guard.claim(newer), "k", "2");
    expect(await refusedWith(put(former, "k", "stale"))).toMatchObject({ code: "STALE" });
    expect(await scene.server.command("GET", "k")).toBe("2");
  });

  it("when a replica that missed a claim is promoted, who was claimed over does not write by that", async () => {
    const primary = await opened({ config: { "repl-diskless-sync-delay": "0" } });
    const { client, to } = switchable((await connected(primary.server)) as IoredisClient);
    const guard = primary.guard({ resource }, client);
    expect((await guard.claim(older)).findings).toEqual([]);
    // Whatever it is told to allow: what is written to a replica is lost.
    const config = { replicaof: `127.0.0.1 ${primary.server.port}`, "replica-read-only": "no" };
    const replica = await startRedis({ config });
    closing.push(async () => replica.stop());
    const link = async () => (await replica.info("replication"))["master_link_status"];
    await expect.poll(link, { timeout: 10_000 }).toBe("up");
    const former = await guard.claim(older);
    expect(former.findings).toMatchObject([{ code: "REDIS_REPLICAS" }]);
    // `WAIT` waits for what its own connection has written, and so for all before it.
    await primary.server.command("SET", "k", "0");
    await primary.server.command("WAIT", "1", "0");
    const there = primary.guard({ resource }, await connected(replica));
    expect(await refusedWith(there.claim(newer))).toMatchObject({ code: "GUARD_FAILED" });
    // The failover comes first, and what the old primary still acknowledges is lost: the successor's claim.
    await replica.command("REPLICAOF", "NO", "ONE");
    await primary.guard({ resource }).claim(newer);
    await primary.server.kill();
    to((await connected(replica)) as IoredisClient);
    expect(await refusedWith(put(former, "k", "stale"))).toMatchObject({ code: "CLAIM_MISSING" });
    await put(await there.claim(newer), "k", "1");
    expect(await refusedWith(put(former, "k", "stale"))).toMatchObject({ code: "STALE" });
    expect(await replica.command("GET", "k")).toBe("1");
  });

  it("when the memory is full, claims and writes fail and leave nothing, and deletions go through", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource, rememberOperations: 4 });
    const handle = await guard.claim(older);
    await put(handle, "k", "1");
    await scene.server.command("CONFIG", "SET", "maxmemory", "1");
    expect(await refusedWith(put(handle, "k", "2"))).toMatchObject({
      code: "GUARD_FAILED",
      outcome: "definite",
    });
    expect(await refusedWith(guard.claim(newer))).toMatchObject({ code: "GUARD_FAILED" });
    await handle.transaction((tx) => tx.delete("k"));
    await scene.server.command("CONFIG", "SET", "maxmemory", "0");
    await put(handle, "l", "3");
    expect(await scene.server.command("MGET", "k", "l")).toEqual([null, "3"]);
  });

  it("when a server may evict what fences the resource, the claim says so", async () => {
    const scene = await opened({ config: { maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" } });
    const { findings } = await scene.guard({ resource }).claim(older);
    expect(findings).toMatchObject([{ code: "REDIS_EVICTION" }]);
  });

  it("when the server stands still, the write is unconfirmed, and is applied once when it is handed back", async () => {
    const scene = await opened();
    const handle = await scene.guard({ resource, timeoutMs: 1_000 }).claim(older);
    const body = { text: "redis.call('RPUSH', KEYS[1], 'once') return 1", options: { keys: ["k"] } };
    await scene.server.freeze();
    const error = await refusedWith(handle.script(body.text, body.options));
    scene.server.thaw();
    expect(error).toMatchObject({ code: "GUARD_UNCONFIRMED", outcome: "unknown" });
    if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
    const { attempt } = error;
    // Whether the first send has come by now or comes after this one, they are one write.
    expect(await handle.script(body.text, { ...body.options, attempt })).toBe(1);
    expect(await scene.server.command("LRANGE", "k", "0", "-1")).toEqual(["once"]);
  });

  it("when the key of its row holds something else, nothing is written over", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    await guard.claim(older);
    const key = rowKey(scene, rowId(resource, older));
    await scene.server.command("HSET", key, "v", "2");
    const from = { lineage: older.lineage, watermark: 7 };
    const order = { election: "invoices", from, watermark: 1, by: "kim", reason: "unreadable" };
    const codes = async () => {
      const works = [guard.claim(newer), guard.inspect(), guard.operator.reset(order)];
      return new Set((await Promise.all(works.map(refusedWith))).map(({ code }) => code));
    };
    expect(await codes()).toEqual(new Set(["GUARD_ROW_UNREADABLE"]));
    await scene.server.command("SET", key, "somebody's");
    expect(await codes()).toEqual(new Set(["GUARD_FAILED"]));
    expect(await scene.server.command("GET", key)).toBe("somebody's");
  });
});

describeWithServer("redis", "a write to a Redis guard is whole", () => {
  let server: RedisServer;
  let connected: Connected;
  let scene: Scene;
  let handle: RedisHandle;
  beforeAll(async () => {
    server = await startRedis();
    connected = await connect("ioredis-6", server.url);
    scene = new Scene(server, connected.client);
    handle = await scene.guard({ resource }).claim(older);
  });
  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  it("when a script fails half-way, its keys are as they were, with what was left of their time", async () => {
    await server.command("SET", "value", "before", "PX", "60000");
    await server.command("RPUSH", "list", "a", "b");
    const text = `
      redis.call('SET', KEYS[1], 'after')
      redis.call('LPOP', KEYS[2])
      redis.call('SET', KEYS[3], 'new')
      return redis.call('INCR', KEYS[2])`;
    const keys = ["value", "list", "absent"];
    const error = await refusedWith(handle.script(text, { keys }));
    expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
    expect(error.message).toContain("WRONGTYPE");
    expect(await server.command("MGET", "value", "absent")).toEqual(["before", null]);
    expect(await server.command("LRANGE", "list", "0", "-1")).toEqual(["a", "b"]);
    expect(Number(await server.command("PTTL", "value"))).toBeGreaterThan(50_000);
    expect(await handle.script("return redis.call('LPOP', KEYS[1])", { keys: ["list"] })).toBe("a");
  });

  it("when a client may not write to one of the keys, none is changed", async () => {
    await server.command(...["ACL", "SETUSER", "limited", "on", ">secret", "+@all", "~*", "-del"]);
    await server.command("MSET", "x", "1", "y", "1");
    const url = server.url.replace("redis://", "redis://limited:secret@");
    const limited = await connect("ioredis-6", url);
    const own = await scene.guard({ resource }, limited.client).claim(older);
    const error = await refusedWith(
      own.transaction((tx) => {
        tx.set("x", "2");
        tx.delete("y");
      }),
    );
    limited.close();
    expect(error).toMatchObject({ code: "GUARD_FAILED" });
    expect(error.message).toContain("can't run this command");
    expect(await server.command("MGET", "x", "y")).toEqual(["1", "1"]);
  });

  it("when a write was done and its operation cannot be remembered, its outcome is unknown, and the number is known", async () => {
    await server.command(...["ACL", "SETUSER", "forgetful", "on", ">secret", "+@all", "~*", "-rpush"]);
    const url = server.url.replace("redis://", "redis://forgetful:secret@");
    const forgetful = await connect("ioredis-6", url);
    const own = await scene
      .guard({ resource: "forgetful", rememberOperations: 1 }, forgetful.client)
      .claim(older);
    const script = "return redis.call('INCR', KEYS[1])";
    const error = await refusedWith(own.script(script, { keys: ["forgotten"] }));
    if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
    expect(await own.script(script, { keys: ["forgotten"], attempt: error.attempt })).toBe(1);
    forgetful.close();
    expect(await server.command("GET", "forgotten")).toBe("1");
  });

  it("who may not put back what it has copied gets no claim", async () => {
    await server.command(...["ACL", "SETUSER", "careless", "on", ">secret", "+@all", "~*", "-restore"]);
    const careless = await connect("ioredis-6", server.url.replace("redis://", "redis://careless:secret@"));
    const error = await refusedWith(scene.guard({ resource }, careless.client).claim(older));
    careless.close();
    expect(error).toMatchObject({ code: "GUARD_FAILED" });
    expect(error.message).not.toContain("secret");
  });

  it("the commands that the documentation names are enough", async () => {
    const commands = [
      "hmget",
      "hget",
      "hset",
      "hdel",
      "hincrby",
      "exists",
      "info",
      "dump",
      "restore",
      "pttl",
    ];
    const more = ["del", "get", "set", "sadd", "evalsha", "eval", "rpush", "llen", "lpop"];
    const allowed = [...commands, ...more].map((name) => `+${name}`);
    await server.command(...["ACL", "SETUSER", "least", "on", ">secret", "-@all", "~*", ...allowed]);
    const least = await connect("node-redis-6", server.url.replace("redis://", "redis://least:secret@"));
    const own = await scene.guard({ resource: "least", rememberOperations: 1 }, least.client).claim(older);
    for (const opId of ["one", "two", "three"]) {
      await own.transaction(async (tx) => tx.set("least", `${await tx.get("least")} ${opId}`), { opId });
    }
    await own.transaction((tx) => {
      tx.delete("least");
      tx.set("other", "1");
    });
    expect(await own.read(["least", "other"])).toEqual([null, "1"]);
    least.close();
  });

  it("values are text or bytes, and stay for as long as they are told to", async () => {
    const bytes = Uint8Array.of(0, 255, 13, 10, 128);
    await handle.transaction((tx) => {
      tx.set("bytes", bytes, { ttlMs: 60_000 });
      tx.set("text", "ä\0ö");
      bytes.fill(1);
    });
    expect(await server.command("STRLEN", "bytes")).toBe(5);
    expect(Number(await server.command("PTTL", "bytes"))).toBeGreaterThan(50_000);
    expect(await server.command("PTTL", "text")).toBe(-1);
    expect(await handle.read(["text", "nothing"])).toEqual(["ä\0ö", null]);
  });

  it("a body reads what it has set, and is asked again when what it read has been changed", async () => {
    await put(handle, "counter", "0");
    const seen: (string | null)[] = [];
    const increment = async () =>
      handle.transaction(async (tx) => {
        tx.set("counter", String(Number(await tx.get("counter")) + 1));
        seen.push(await tx.get("counter"));
      });
    await Promise.all(Array.from({ length: 12 }, increment));
    expect(await server.command("GET", "counter")).toBe("12");
    expect(seen.length).toBeGreaterThan(12);
    await handle.transaction(async (tx) => {
      tx.delete("counter");
      expect(await tx.get("counter")).toBeNull();
    });
  });

  it("what a script returns comes back as JSON, also the second time", async () => {
    const table = "return {1, 'two', {three = 3.5}}";
    const returned: readonly (readonly [text: string, value: unknown])[] = [
      [table, [1, "two", { three: 3.5 }]],
      ["return nil", undefined],
      ["return false", null],
      ["return redis.status_reply('FINE')", "FINE"],
      ["return ARGV[1] .. #KEYS", "x0"],
    ];
    for (const [index, [text, value]] of returned.entries()) {
      const options = { args: ["x"], opId: `returned-${index}` };
      expect(await handle.script(text, options), text).toEqual(value);
      expect(await handle.script(text, options), `again ${text}`).toEqual(value);
    }
    const large = handle.script("return string.rep('x', 5000)");
    expect(await refusedWith(large)).toMatchObject({ code: "RESULT_TOO_LARGE" });
  });

  it("what cannot be right is refused before anything is sent", async () => {
    const bad: readonly (readonly [what: string, work: () => Promise<unknown>])[] = [
      ["key", async () => put(handle, "", "1")],
      ["key", async () => put(handle, `${scene.prefix}:fence:x`, "1")],
      ["key", async () => put(handle, `${scene.prefix}:fence-acts:x`, "1")],
      ["value", async () => handle.transaction((tx) => tx.set("k", 5 as never))],
      ["ttlMs", async () => handle.transaction((tx) => tx.set("k", "1", { ttlMs: 0 }))],
      ["text", async () => handle.script("")],
      ["args", async () => handle.script("return 1", { args: [1 as never] })],
      ["order", async () => scene.guard({ resource, order: "loose" as never })],
      ["client", async () => scene.guard({ resource }, "redis://:secret@127.0.0.1" as never)],
      ["prefix", async () => scene.guard({ resource, prefix: "a b" })],
      ["timeoutMs", async () => scene.guard({ resource, timeoutMs: 1 })],
      ["rememberOperations", async () => scene.guard({ resource, rememberOperations: -1 })],
    ];
    for (const [option, work] of bad) {
      const error = await refusedWith(work());
      expect(error, option).toMatchObject({ code: "INVALID_OPTION" });
      expect(error.message).toContain(option);
      expect(error.message).not.toContain("secret");
    }
  });
});
