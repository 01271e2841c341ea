/**
 * What lies under keys of a Redis server, behind a guard: values and scripts that a later leader's claim excludes.
 *
 * Promise: P2 for everything that is written through the handle. Each write is judged and done in
 * one script, all of it or nothing, and is refused after a claim above it. A server that was
 * restarted or promoted may have forgotten claims, so it serves nobody until it is claimed again.
 * Assumption: one server, which does not evict what fences the resource (`noeviction` or
 * `volatile-*`). Advisory, and said in `findings`: a server with replicas loses in a failover
 * what it had acknowledged, claims among it, and a former leader that claims again before its
 * successor does is served until then. Non-promise: commands past the handle, and that data is
 * on disk when a write is answered.
 */

import { realClock } from "../../base/real-clock.js";
import { createError } from "../../errors/index.js";
import { type RedisClient, sharedConnection } from "../../redis/client.js";
import type { Fence } from "../fence.js";
import type { Guard } from "../guard.js";
import type { FenceOperator } from "../operator.js";
import { type WriteOptions, type Writer, writerFor } from "../writer.js";
import { type Claimed, claimRedis } from "./claim.js";
import type { RedisTransaction } from "./draft.js";
import type { RedisFinding } from "./findings.js";
import { inspectRedis, type RedisElectionRow } from "./looking.js";
import { redisOperator } from "./operator.js";
import { type RedisGuardOptions, resolveRedisGuardOptions } from "./options.js";
import { type RedisScriptOptions, runOwnScript } from "./own-script.js";
import type { RedisResource } from "./resource.js";
import { lookAt } from "./sending.js";
import { Server } from "./server.js";
import { writeRedis } from "./transaction.js";

/** Writes for one term, over the client that was handed in. */
export interface RedisHandle {
  readonly resource: string;
  readonly fence: Fence;
  /** What the claim found that weakens the promise; empty where nothing does. */
  readonly findings: readonly RedisFinding[];
  /**
   * The texts under `keys`, all of one moment, null where there is none; if this term may still use the resource.
   * Rejects with STALE or the like otherwise, and with GUARD_FAILED.
   */
  read(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /**
   * Reads and changes keys. All changes are made in one step, if nothing that the body read has been changed under this
   * guard meanwhile; else `body` is called again, so it should do nothing else. It is not called for a write that was
   * applied before, whose result is answered instead.
   *
   * Resolves with what `body` returned, JSON of at most 4 KiB or nothing. Rejects with what `body` throws, with STALE,
   * CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when the term is over for this resource, with GUARD_FAILED when nothing
   * was applied, with GUARD_UNCONFIRMED and the `attempt` to hand back when it may have been.
   */
  transaction<R = void>(
    body: (transaction: RedisTransaction) => R | Promise<R>,
    options?: WriteOptions,
  ): Promise<R>;
  /**
   * Runs the Lua script `text` in the same step as the check. When it fails, what it did to `keys` is undone. Resolves
   * with what it returned, passed through JSON: nothing for nil, null for false. Rejects as `transaction` does.
   */
  script(text: string, options?: RedisScriptOptions): Promise<unknown>;
}

export interface RedisGuard extends Guard<RedisHandle> {
  /** What fences the resource, for those who only look: not fenced. Rejects with GUARD_FAILED. */
  inspect(): Promise<readonly RedisElectionRow[]>;
  /** For people, not for leaders. */
  readonly operator: FenceOperator;
}

/** `client`: of ioredis 5 or 6, iovalkey, node-redis 5 or 6; used as it is, and never closed. */
export function redisGuard(client: RedisClient, options: RedisGuardOptions): RedisGuard {
  const resolved = resolveRedisGuardOptions(options);
  // Not shown: it may carry a password.
  if (typeof client === "string")
    throw createError("INVALID_OPTION", "client must be a connected client: a guard opens none by URL", {
      base: TypeError,
    });
  const site = { server: new Server(sharedConnection(client), realClock), options: resolved };
  const { resource, order, concurrency } = resolved;
  return {
    kind: "redis",
    resource,
    async claim(claimant, claimOptions = {}) {
      const claimed = await claimRedis(site, claimant, claimOptions);
      // The row's own: two servers may hold a resource of one name.
      const numbering = `redis/${claimed.generation}`;
      const writer = writerFor(claimed.claimant, claimed.seq, { resource, numbering, order, concurrency });
      return createHandle(site, claimed, writer);
    },
    inspect: async () => inspectRedis(site),
    operator: redisOperator(site),
  };
}

function createHandle(site: RedisResource, claimed: Claimed, writer: Writer): RedisHandle {
  return {
    resource: site.options.resource,
    fence: writer.fence,
    findings: claimed.findings,
    read: async (keys) => (await lookAt({ site, term: claimed, writer }, keys)).values,
    transaction: async (body, options = {}) => writeRedis(site, claimed, writer, options, body),
    script: async (text, options = {}) => runOwnScript(site, claimed, writer, text, options),
  };
}
