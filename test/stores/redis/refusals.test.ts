/** Clients, options and servers that a store refuses, each by the name of what is missing. */

import { inspect } from "node:util";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { describe, expect, it, test } from "vitest";
import { type RedisClient, redisStore } from "../../../src/stores/redis/index.js";
import { TenureError } from "../../../src/errors/index.js";
import { startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { call, key, onServer, put, record } from "./scene.js";

/** What the store says to it. */
function refusal(client: unknown, options: object = {}): Error {
  try {
    redisStore(client as RedisClient, options);
  } catch (cause) {
    if (TenureError.is(cause, "INVALID_OPTION")) return cause;
    throw cause;
  }
  throw new Error("it was accepted");
}

describe("what is handed in", () => {
  const wrong: readonly (readonly [what: string, client: unknown, why: RegExp])[] = [
    ["nothing", undefined, /it is undefined/],
    ["null", null, /it is null/],
    ["a number", 6379, /it is number/],
    ["an object without methods", {}, /it has no sendCommand\(\)/],
    ["a client that cannot be duplicated", { call() {}, status: "ready" }, /it has no duplicate\(\)/],
    ["a text that is no URL", "localhost:6379", /its protocol is localhost:|no URL/],
    ["a URL of another kind", "http://127.0.0.1/", /its protocol is http:/],
  ];
  for (const [what, client, why] of wrong) {
    it(`${what} is refused`, () => {
      expect(refusal(client).message).toMatch(why);
    });
  }

  it("a URL that cannot be parsed is refused without showing the password in it", () => {
    const { message } = refusal("redis://:s3cret@host:port");
    expect(message).toMatch(/this text is no URL/);
    expect(message).not.toMatch(/s3cret/);
  });

  it("a client of node-redis that was not connected is refused", () => {
    expect(refusal(createClient()).message).toMatch(/it is not open: await connect\(\) first/);
  });

  it("a client of ioredis that waits for its first command is refused", () => {
    expect(refusal(new Redis({ lazyConnect: true })).message).toMatch(/not connected \(status "wait"\)/);
  });

  it("a client of ioredis that was closed is refused", async () => {
    const client = new Redis({ lazyConnect: true, retryStrategy: () => null });
    client.on("error", () => {});
    const ended = new Promise((resolve) => client.once("end", resolve));
    client.connect(() => {}).catch(() => {});
    client.disconnect();
    await ended;
    expect(refusal(client).message).toMatch(/it is closed \(status "end"\)/);
  });

  it("clients of a cluster are refused", () => {
    const cluster = new Cluster([{ host: "127.0.0.1", port: 1 }], { lazyConnect: true });
    expect(refusal(cluster).message).toMatch(/cluster client/);
    expect(refusal(createCluster({ rootNodes: [{ url: "redis://127.0.0.1:1" }] })).message).toMatch(
      /cluster client/,
    );
  });

  const options: readonly (readonly [string, object, RegExp])[] = [
    ["an unknown option", { ttl: 5 }, /unknown option "ttl"/],
    ["a prefix with a space", { prefix: "a b" }, /prefix must be 1 to 64 characters/],
    ["a tombstone of a second", { tombstoneMs: 1_000 }, /tombstoneMs must be .* from 60000/],
    ["a maxTtlMs of zero", { maxTtlMs: 0 }, /maxTtlMs must be/],
    ["a connection of another kind", { connection: "lent" }, /connection must be "own" or "shared"/],
    ["a shared connection by URL", { connection: "shared" }, /no client to share/],
  ];
  for (const [what, given, why] of options) {
    it(`${what} is refused`, () => expect(refusal("redis://127.0.0.1:1", given).message).toMatch(why));
  }
});

describeWithServer("redis", "a server", () => {
  test("nobody listens there: calls fail at once and say so", async () => {
    const server = await startRedis();
    const { url } = server;
    await server.stop();
    await using store = redisStore(url);
    await expect(store.read(key, call())).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
      message: expect.stringContaining("ECONNREFUSED") as string,
    });
  });

  test("it is a replica: refused by name, for reads as for writes", async () =>
    onServer(async ({ server: primary }) =>
      onServer(
        async ({ store }) => {
          const replica = store();
          const message = expect.stringContaining("is a replica") as string;
          await expect(replica.read(key, call())).rejects.toMatchObject({ code: "STORE_READ_ONLY", message });
          await expect(replica.write(key, record(), undefined, call())).rejects.toMatchObject({
            code: "STORE_READ_ONLY",
          });
        },
        { config: { replicaof: `127.0.0.1 ${primary.port}` } },
      ),
    ));

  test("it becomes a replica under a connection: the next read is refused, although it would be answered", async () =>
    onServer(async ({ server: primary }) =>
      onServer(async ({ server, store }) => {
        const holder = store();
        await put(holder);
        await server.command("REPLICAOF", "127.0.0.1", String(primary.port));
        await expect(holder.read(key, call())).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
      }),
    ));

  test("it is a member of a cluster: refused by name", async () =>
    onServer(
      async ({ store }) => {
        const message = expect.stringContaining("member of a cluster") as string;
        await expect(store().read(key, call())).rejects.toMatchObject({ code: "STORE_UNSUPPORTED", message });
      },
      { config: { "cluster-enabled": "yes" } },
    ));

  test("the password is wrong: denied, and no message shows one", async () =>
    onServer(
      async ({ server, store }) => {
        const url = `redis://:gue55@127.0.0.1:${server.port}`;
        const error: unknown = await store({}, url)
          .read(key, call())
          .catch((cause: unknown) => cause);
        expect(error).toMatchObject({ code: "STORE_DENIED" });
        expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/gue55|right/);
      },
      { password: "right" },
    ));

  test("the user may not run scripts: denied", async () =>
    onServer(async ({ server, store }) => {
      await server.command("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-eval", "-evalsha");
      const denied = store({}, `redis://poor:pw@127.0.0.1:${server.port}`);
      await expect(denied.read(key, call())).rejects.toMatchObject({ code: "STORE_DENIED" });
    }));

  test("a candidate with the permissions of docs/stores/redis.md, and no more, can do everything", async () =>
    onServer(async ({ server, store }) => {
      const commands =
        "+info +evalsha +eval +get +getrange +set +strlen +time +publish +subscribe +unsubscribe +client|setname +select +hello +auth +ping";
      await server.command(
        "ACL",
        "SETUSER",
        "candidate",
        "on",
        ">pw",
        "~tenure:*",
        "&tenure:*",
        "-@all",
        ...commands.split(" "),
      );
      const candidate = store({}, `redis://candidate:pw@127.0.0.1:${server.port}`);
      const woken = new Promise<string>((resolve) =>
        candidate.watch?.([key], resolve, new AbortController().signal),
      );
      const version = await put(candidate);
      await put(candidate, { state: "released", seq: 2 }, version);
      expect(await woken).toBe(key);
    }));

  test("it is out of memory: the write is refused as full, and nothing is written", async () =>
    onServer(async ({ server, store }) => {
      const holder = store();
      const version = await put(holder);
      await server.command("CONFIG", "SET", "maxmemory", "1");
      await expect(holder.write(key, record({ seq: 2 }), version, call())).rejects.toMatchObject({
        code: "STORE_FULL",
      });
      await server.command("CONFIG", "SET", "maxmemory", "0");
      await put(holder, { seq: 2 }, version);
    }));

  test("its scripts were flushed: the next call sends the script again", async () =>
    onServer(async ({ server, store }) => {
      const holder = store();
      const version = await put(holder);
      await server.command("SCRIPT", "FLUSH");
      await put(holder, { seq: 2 }, version);
    }));

  test("the record's key holds a list: it reads as unreadable and is never written over", async () =>
    onServer(async ({ server, store }) => {
      await server.command("RPUSH", "tenure:{default}:job", "x");
      const holder = store();
      const stored = await holder.read(key, call());
      expect(stored?.body).toBe("unreadable");
      expect((await holder.write(key, record(), stored?.version, call())).kind).toBe("conflict");
      expect((await holder.write(key, record(), undefined, call())).kind).toBe("conflict");
      expect(await server.command("TYPE", "tenure:{default}:job")).toBe("list");
    }));
});
