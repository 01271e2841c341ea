/** `tenure fence` on a Redis server: the same verbs, through whichever client is installed. */

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { root } from "../architecture/files.js";
import { Scene } from "../fence/redis/scene.js";
import { fence } from "../fence/scene.js";
import { type RedisServer, startRedis } from "../servers/redis.js";
import { describeWithServer } from "../servers/with-server.js";
import { type Connected, connect } from "../stores/redis/clients.js";
import { startProgram } from "../support/program.js";
import { object, reason, row, run } from "./fencing.js";
import { createPlace } from "./tenure.js";

vi.setConfig({ testTimeout: 120_000 });

const named = ["--resource", "ledger", "--election", "invoices"];
const leads = ["evalsha", "eval", "info", "hmget", "hget", "hset", "hdel", "hincrby", "exists", "get", "set"];
const more = [
  "del",
  "dump",
  "restore",
  "pttl",
  "sadd",
  "rpush",
  "llen",
  "lpop",
  "smembers",
  "hgetall",
  "srem",
];
const acts = ["lrange", "lpush", "ltrim", "lindex", "smembers", "hgetall", "srem", "hmget", "exists", "hset"];
const undone = ["del", "dump", "restore", "pttl", "evalsha", "eval", "info"];

let server: RedisServer;
let connected: Connected;

/** A user of these rights; answers its URL. */
async function user(name: string, commands: readonly string[], keys: readonly string[]): Promise<string> {
  const rights = [...keys, "-@all", ...commands.map((command) => `+${command}`)];
  await server.command("ACL", "SETUSER", name, "reset", "on", ">secret", ...rights);
  return server.url.replace("redis://", `redis://${name}:secret@`);
}

describeWithServer("redis", "fence on a Redis server", () => {
  beforeAll(async () => {
    server = await startRedis();
    connected = await connect("ioredis-6", server.url);
  });
  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  it("users with the rights that the page names lead, look, verify and act; who leads sees no acts and does none", async () => {
    const place = createPlace();
    const scene = new Scene(server, connected.client);
    const at = (url: string) => `${url}?prefix=${scene.prefix}`;
    const [fenced, done] = [`~${scene.prefix}:fence:*`, `~${scene.prefix}:fence-acts:*`];
    const leader = at(await user("leader", [...leads, ...more], [fenced, `~${scene.prefix}:data:*`]));
    const operator = at(await user("operator", [...acts, ...undone], [fenced, done]));
    const looker = at(
      await user("looker", ["smembers", "hgetall", "lrange", "evalsha", "eval", "info"], [fenced, done]),
    );
    const guard = scene.guard({ resource: "ledger" });
    const handle = await guard.claim(fence());
    await handle.transaction((tx) => tx.set(scene.key("ledger"), "written"));

    const found = await object(place, 0, "verify", leader);
    expect(found).toMatchObject({ sound: true, guard: { holds: "keys", kind: "redis" } });
    expect(found["probes"]).toHaveLength(11);
    const ledger = {
      name: "ledger",
      version: null,
      problem: null,
      rows: [{ ...row, watermark: 7, seq: 1, inForce: true }],
    };
    expect(await object(place, 0, "status", leader)).toMatchObject({ resources: [ledger], acts: null });
    expect((await run(place, 0, "status", leader)).out).toMatch(
      /^redis:\/\/leader:\*\*\*@127.*\?prefix=scene\d+ \(keys\)\nledger\n {2}invoices .* 7 of a, 1 writes, .*\nacts of operators cannot be seen: .*/,
    );
    const options = [...named, ...reason, "--yes"];
    const adopt = ["--lineage", "default/raft", ...options];
    await run(place, 122, "adopt", leader, ...adopt, "--from", "default/lease@7");
    expect((await run(place, 64, "reset", looker, ...options, "--forget")).err).toContain(
      "there stands default/lease@7, of a",
    );
    const late = await run(place, 123, "adopt", operator, ...adopt, "--from", "default/lease@8");
    expect(late.err).toContain("there stands default/lease@7, of a");
    await object(place, 0, "adopt", operator, ...adopt, "--from", "default/lease@7");
    expect((await run(place, 0, "status", looker)).out).toContain(
      ", 0 writes, default/raft; nobody writes until it is claimed again\n",
    );
    await object(place, 0, "reset", operator, ...options, "--forget", "--from", "default/raft@7");
    expect(await object(place, 0, "status", looker)).toMatchObject({
      resources: [],
      acts: [
        { kind: "reset", resource: "ledger", by: "kim", after: null },
        { kind: "adopt", resource: "ledger", before: { lineage: "default/lease", watermark: 7 } },
      ],
    });
    expect((await object(place, 0, "status", looker, "--resource", "other"))["acts"]).toEqual([]);
  });

  it("shows what it cannot read as such, and what only other prefixes have not at all", async () => {
    const place = createPlace();
    const scene = new Scene(server, connected.client);
    await scene.guard({ resource: "old" }).claim(fence());
    await scene.guard({ resource: "new" }).claim(fence({ token: 8 }));
    for (const key of await scene.keys())
      if ((await server.command("HGET", key, "watermark").catch(() => null)) === "8")
        await server.command("HSET", key, "v", "2");
    const url = `${server.url}?prefix=${scene.prefix}`;
    expect(await object(place, 0, "status", url)).toMatchObject({
      resources: [
        { name: "new", problem: "newer", rows: [] },
        { name: "old", problem: null, rows: [{ watermark: 7 }] },
      ],
    });
    expect((await run(place, 0, "status", `${server.url}?prefix=another`)).out).toContain(
      "nothing was claimed",
    );
  });

  it("takes the client that is installed, says what to install where none is, and the password from REDISCLI_AUTH", async () => {
    const place = createPlace();
    cpSync(join(root, "dist"), join(place.directory, "dist"), { recursive: true });
    writeFileSync(join(place.directory, "package.json"), '{ "type": "module" }');
    const locked = await startRedis({ password: "secret" });
    onTestFinished(async () => locked.stop());
    const status = async (env: Record<string, string> = {}) =>
      startProgram(["dist/cli/main.js", "fence", "status", `redis://127.0.0.1:${locked.port}`], {
        cwd: place.directory,
        env: { PATH: process.env["PATH"] ?? "", ...env },
      }).ended;
    const none = await status();
    expect(none).toMatchObject({ code: 122, stdout: "" });
    expect(none.stderr).toContain("npm install ioredis (or iovalkey, or redis)");
    const modules = join(place.directory, "node_modules");
    for (const name of ["ioredis", "iovalkey", "redis"]) {
      mkdirSync(modules);
      symlinkSync(join(root, "node_modules", name), join(modules, name));
      expect(await status(), name).toMatchObject({ code: 122, stdout: "" });
      const found = await status({ REDISCLI_AUTH: "secret" });
      expect(found, name).toMatchObject({ code: 0, stderr: "" });
      rmSync(modules, { recursive: true });
    }
  });

  it("what is no server, or cannot be reached, is named without its password", async () => {
    const place = createPlace();
    const refused = await run(place, 122, "verify", "rediss://u:secret@127.0.0.1:1");
    expect(refused.err).toMatch(/GUARD_FAILED: the server cannot be reached: .*ECONNREFUSED/);
    for (const [url, said] of [
      ["redis://u:s%ecret@127.0.0.1:1", "percent-encoded"],
      ["redis://:secret@127.0.0.1:1/tables", "its path is the number of a database"],
      ["redis://:secret@127.0.0.1:1?maxTtl=3s", "the one parameter is ?prefix=TEXT"],
      ["redis://:secret@127.0.0.1:1?prefix=a/b", "?prefix= takes 1 to 64 of"],
      ["etcd://:secret@127.0.0.1:1", "redis://HOST:PORT, nats://"],
    ] as const) {
      const { err } = await run(place, 64, "status", url);
      expect(err).toContain(said);
      expect(err + refused.err).not.toContain("ecret");
    }
  });
});
