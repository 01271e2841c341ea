/**
 * What a server says of itself when a connection begins, and what follows for the promises.
 *
 * Refused: a replica, a server older than 6.0, a member of a cluster. Advisory: what may lose an
 * acknowledged write behind the elections' backs. A warning: what costs availability alone.
 * A restart is not among the advisory ones, whatever is persisted: the epoch shows it, and what
 * was written before it is not trusted until it has been waited out.
 */

import { createError, type TenureError } from "../../errors/index.js";
import type { StoreFinding } from "../../lease/store.js";

export interface Inspection {
  readonly runId: string;
  readonly findings: readonly StoreFinding[];
}

/** `savePoints`: the server's `save`, undefined where it is not told. @throws what makes the server unusable. */
export function inspect(info: string, savePoints: string | undefined): Inspection {
  const field = (name: string) => new RegExp(`^${name}:([^\\r\\n]*)`, "m").exec(info)?.[1];
  const refusal = refuse(field);
  if (refusal !== undefined) throw refusal;
  const findings = [
    evicts(field),
    forgets(field, savePoints),
    replicas(Number(field("connected_slaves") ?? "0")),
  ];
  return {
    runId: field("run_id") ?? "",
    findings: findings.filter((finding) => finding !== undefined),
  };
}

type Field = (name: string) => string | undefined;

function refuse(field: Field): TenureError | undefined {
  const version = field("redis_version") ?? "";
  if (field("role") !== undefined && field("role") !== "master") {
    return createError("STORE_READ_ONLY", "this Redis server is a replica; connect to its primary");
  }
  if (Number.parseInt(version, 10) < 6) {
    return createError("STORE_UNSUPPORTED", `Redis ${version} is too old: elections need 6.0 or later`);
  }
  if (field("cluster_enabled") === "1") {
    return createError(
      "STORE_UNSUPPORTED",
      "this Redis server is a member of a cluster; elections need a single server",
    );
  }
  return undefined;
}

function evicts(field: Field): StoreFinding | undefined {
  const policy = field("maxmemory_policy") ?? "noeviction";
  if (!policy.startsWith("allkeys-") || field("maxmemory") === "0") return undefined;
  const message = `the server's maxmemory-policy ${policy} may evict a held lease; use noeviction or volatile-*`;
  return { code: "REDIS_EVICTION", message, advisory: true };
}

function forgets(field: Field, savePoints: string | undefined): StoreFinding | undefined {
  if (field("aof_enabled") === "1" || savePoints !== "") return undefined;
  const message =
    "the server persists nothing: a restart ends every term, and nobody leads until maxTtlMs has passed";
  return { code: "REDIS_NOT_PERSISTENT", message, advisory: false };
}

export function replicas(count: number): StoreFinding | undefined {
  if (count === 0) return undefined;
  const message = `the server has ${count} ${count === 1 ? "replica" : "replicas"}: a failover may lose acknowledged writes`;
  return { code: "REDIS_REPLICAS", message, advisory: true };
}
