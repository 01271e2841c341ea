/** Probes find each check that the script of the Redis guard may lack, and nothing where it lacks none. */

import { afterAll, beforeAll, expect, it } from "vitest";
import type { IoredisClient, RedisClient } from "../../../src/fence/redis/index.js";
import { claimScript, lookScript, readScript, writeScript } from "../../../src/fence/redis/script.js";
import { type FenceVerification, verifyFence } from "../../../src/fence/verify/index.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type ClientName, clientNames, connect, type Connected } from "../../stores/redis/clients.js";
import { fence } from "../scene.js";
import { refusedWith, Scene } from "./scene.js";

let server: RedisServer;
const connected = new Map<ClientName, Connected>();

async function clientOf(name: ClientName): Promise<RedisClient> {
  const found = connected.get(name) ?? (await connect(name, server.url));
  connected.set(name, found);
  return found.client;
}

const scripts = [claimScript, readScript, lookScript, writeScript];

/** A client whose server runs scripts that say `instead` where ours say `check`. */
async function without(check: string, instead: string): Promise<RedisClient> {
  const client = (await clientOf("ioredis-6")) as IoredisClient;
  return {
    status: client.status,
    duplicate: () => client.duplicate(),
    async call(command, ...args) {
      const { source } = scripts.find(({ sha }) => sha === args[0]) ?? {};
      if (source === undefined) return client.call(command, ...args);
      return client.call("EVAL", source.replace(check, instead), ...args.slice(1));
    },
  };
}

/** What of it is not as it must be. */
function wrong({ probes }: FenceVerification): Readonly<Record<string, string>> {
  return Object.fromEntries(
    probes.filter(({ outcome }) => outcome !== "passed").map(({ id, outcome }) => [id, outcome]),
  );
}

describeWithServer("redis", "probes of the Redis guard", () => {
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    for (const { close } of connected.values()) close();
    await server.stop();
  });

  it.each(clientNames)("through %s: a sound guard passes every one, and no key is left", async (name) => {
    const scene = new Scene(server, await clientOf(name));
    const key = scene.key("ledger");
    const mine = await scene.guard({ resource: "ledger" }).claim(fence());
    await mine.transaction((tx) => tx.set(key, "mine"));
    const before = await scene.keys();
    const found = await verifyFence((resource) => scene.guard({ resource, rememberOperations: 4 }));
    expect(wrong(found)).toEqual({});
    expect(found).toMatchObject({ kind: "redis", sound: true, left: [] });
    expect((await scene.keys()).toSorted()).toEqual(before.toSorted());
    expect(await mine.read([key])).toEqual(["mine"]);
  });

  it("strict order, too; and a server that refuses everybody is no finding but an error", async () => {
    const scene = new Scene(server, await clientOf("ioredis-6"));
    const found = await verifyFence((resource) => scene.guard({ resource, order: "strict" }));
    expect(found.sound).toBe(true);
    expect(found.probes.find(({ id }) => id === "reordered-write")?.found).toContain("SEQUENCE_GAP");
    await server.command("REPLICAOF", "127.0.0.1", "1");
    const refused = await refusedWith(verifyFence((resource) => scene.guard({ resource })));
    await server.command("REPLICAOF", "NO", "ONE");
    expect(refused).toMatchObject({ code: "GUARD_FAILED" });
  });

  it.each<[what: string, check: string, instead: string, found: Readonly<Record<string, string>>]>([
    [
      "a lower token",
      "if tonumber(token) < watermark then",
      "if false then",
      { "lower-claim": "accepted", "lower-write": "accepted", "delayed-write": "accepted" },
    ],
    [
      "an equal token of another owner",
      "if tonumber(token) == watermark and owner ~= fields[4] then",
      "if false then",
      { "equal-claim": "accepted", "equal-write": "accepted" },
    ],
    ["another lineage", "if fields[2] ~= lineage then", "if false then", { "foreign-claim": "accepted" }],
    [
      "a missing claim",
      "if not has or tonumber(token) > watermark or fields[7] ~= server then",
      "if false then",
      { "unclaimed-write": "accepted" },
    ],
    [
      "a number that is taken by another write",
      "if same.opId ~= opId then return {'refused', 'SEQUENCE_REUSED'} end",
      "",
      { "reused-number": "accepted" },
    ],
    [
      "a write that was applied",
      "local found = redis.call('HMGET', row, slot, 'op:' .. opId)",
      "local found = {false, false}",
      { "duplicate-write": "accepted", "reused-number": "accepted", "reordered-write": "accepted" },
    ],
    [
      "numbers below the highest",
      "if number <= seq - windowSize then",
      "if number <= seq then",
      { "reordered-write": "failed" },
    ],
    [
      "the claim that is made",
      "begin(server, ARGV[4]",
      "if not has then return {'claimed', '0', ARGV[4], unpack(facts)} end begin(server, ARGV[4]",
      { "leader-writes": "failed" },
    ],
  ])("find a script that does not look at %s", async (_, check, instead, expected) => {
    expect(scripts.some(({ source }) => source.includes(check))).toBe(true);
    const client = await without(check, instead);
    const scene = new Scene(server, client);
    const found = await verifyFence((resource) => scene.guard({ resource }));
    expect(found.sound).toBe(false);
    expect(wrong(found)).toMatchObject(expected);
  });
});
