/**
 * The Redis guard through ioredis: a transaction against `MULTI`, the same commands and `EXEC`, and a script against the
 * same script, on one connection to a server of its own, with an append-only file that is flushed at each write and not.
 */

import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { redisGuard } from "tenure/fence/redis";
import { loadServers } from "../../test/servers/load.mjs";
import { cpuOfTree } from "./cpu.mjs";
import { measureGuard, together } from "./measure.mjs";
import { openTerms } from "./terms.mjs";

const targetPercent = 10;
const value = "x".repeat(100);
const bump = `
redis.call("INCR", KEYS[1])
return redis.call("INCRBY", KEYS[2], ARGV[1])`;
const sha = createHash("sha1").update(bump).digest("hex");

/** @typedef {import("tenure/fence/redis").RedisHandle} Handle */

/**
 * Writers have keys of their own.
 *
 * @param {number} writer
 * @returns {[balance: string, total: string]}
 */
const keysOf = (writer) => [`bench:balance:${writer}`, `bench:total:${writer}`];

/**
 * @param {number} writer
 * @returns {[string, string]}
 */
const counters = (writer) => [`bench:counter:${writer}`, `bench:sum:${writer}`];

/** @type {Readonly<Record<string, { readonly bare: (client: Redis, writer: number) => Promise<unknown>, readonly guarded: (handle: Handle, writer: number) => Promise<unknown> }>>} */
const kinds = {
  "transaction of one key": {
    bare: (client, writer) => client.multi().set(keysOf(writer)[0], value).exec(),
    guarded: (handle, writer) => handle.transaction((tx) => tx.set(keysOf(writer)[0], value)),
  },
  "transaction of two keys": {
    bare: (client, writer) => {
      const [balance, total] = keysOf(writer);
      return client.multi().set(balance, value).set(total, value).exec();
    },
    guarded: (handle, writer) =>
      handle.transaction((tx) => {
        for (const key of keysOf(writer)) tx.set(key, value);
      }),
  },
  script: {
    bare: (client, writer) => client.evalsha(sha, 2, ...counters(writer), 1),
    guarded: (handle, writer) => handle.script(bump, { keys: counters(writer), args: ["1"] }),
  },
};

/** @type {import("../run.mjs").Measure} */
export async function measureRedisGuard({ plan, session, say }) {
  const server = await (await loadServers()).startRedis({ config: { appendonly: "yes" } });
  const serverCpuUs = () => cpuOfTree(server.pid);
  const client = new Redis(server.url);
  const measured = [];
  try {
    await client.script("LOAD", bump);
    for (const sync of ["always", "no"]) {
      await server.command("CONFIG", "SET", "appendfsync", sync);
      for (const [what, { bare, guarded }] of Object.entries(kinds)) {
        const name = `redis, sync ${sync}, ${what}`;
        say(name);
        const { handle, claim } = await openTerms(redisGuard(client, { resource: name }));
        const contest = {
          ...{ name, targetPercent, many: true, serverCpuUs, claim },
          bare: (/** @type {number} */ writer) => bare(client, writer),
          guarded: (/** @type {number} */ writer) => guarded(handle(), writer),
        };
        measured.push(await measureGuard(contest, plan.guards, session.pause));
      }
    }
    return together(measured);
  } finally {
    client.disconnect();
    await server.stop();
  }
}
