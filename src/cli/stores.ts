/**
 * Opens the store that the settings name.
 *
 * Must not choose a store by itself: candidates with different stores each elect a
 * leader of their own, which is the failure this package is there to prevent.
 */

import { encodeName } from "../base/names.js";
import { createError, TenureError } from "../errors/index.js";
import type { Store } from "../lease/store.js";
import { fileStore } from "../stores/file/index.js";
import { readMaxTtlMs as readFileMaxTtlMs } from "../stores/file/marked.js";
import { memoryStore } from "../stores/memory/index.js";
import { redisStore } from "../stores/redis/index.js";
import { readMaxTtlMs as readRedisMaxTtlMs } from "../stores/redis/marked.js";
import { formatDuration } from "./duration.js";
import type { Settings } from "./settings.js";
import { parseStoreUrl, type RedisUrl, type StoreUrl } from "./store-url.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage-error.js";

export interface OpenStore {
  readonly store: Store;
  /** For people and for JSON: without a password. */
  readonly url: string;
  /** How far its elections reach, for people. */
  readonly reach: string;
  /** How long the first leader of all is waited for, where nobody has stood yet and the store cannot prove that. */
  readonly firstWaitMs: number | undefined;
}

const reaches = {
  process: "this process only",
  host: "this host only",
  network: "all hosts that reach it",
};
const usualMaxTtlMs = 15_000;
/** For a server that is there but does not answer; one that refuses connections is told of at once. */
const patienceMs = 3_000;

const noStore = `no store. There is no default, since candidates with different stores each elect a leader of their own.
Name one in one of three ways; URL is file:PATH for the processes of this host, redis://HOST:PORT for all hosts that
reach the server, or memory: to try a command line:
  --store URL         an option
  TENURE_STORE=URL    the environment; a URL with a password belongs here
  "store": "URL"      in ./tenure.config.json, or in the file that --config names`;

/** `use`: `stand` makes what is missing; `look` finds a store that is there. */
export async function openStore(
  settings: Settings,
  { environment, directory }: Terminal,
  use: "stand" | "look",
): Promise<OpenStore> {
  const { store: text, namespace, local, ttlMs } = settings;
  if (text === undefined) throw usageError(noStore);
  const url = parseStoreUrl(text, directory);
  const { shown } = url;
  if (url.kind !== "redis" && !local && (environment["KUBERNETES_SERVICE_HOST"] ?? "") !== "") {
    const advice =
      "each pod would elect itself. Use a store on the network, or --local if one pod is all there is";
    throw usageError(
      `${shown} reaches ${reaches[url.kind === "file" ? "host" : "process"]}, and this is Kubernetes: ${advice}`,
    );
  }
  if (url.kind === "memory" && use === "look") {
    throw usageError("memory: ends with the process that made it, so there is nothing of others to look at");
  }
  const marked = await markedMaxTtlMs(url, namespace);
  if (use === "look" && marked === undefined) throw createError("STORE_UNREACHABLE", missing(url, namespace));
  const maxTtlMs = url.maxTtlMs ?? marked ?? Math.max(usualMaxTtlMs, use === "stand" ? ttlMs : 0);
  if (use === "stand" && ttlMs > maxTtlMs) {
    throw usageError(
      `ttl ${formatDuration(ttlMs)}: the store ${shown} is for at most ${formatDuration(maxTtlMs)}`,
    );
  }
  const store = create(url, maxTtlMs);
  const firstWaitMs = marked === undefined && !store.capabilities.provesAbsence ? maxTtlMs : undefined;
  return { store, url: shown, reach: reaches[store.scope], firstWaitMs };
}

/** What the store was made with; undefined where nobody has stood yet. */
async function markedMaxTtlMs(url: StoreUrl, namespace: string): Promise<number | undefined> {
  if (url.kind === "memory") return undefined;
  if (url.kind === "file") return readFileMaxTtlMs(url.path);
  return readMarker(url, namespace);
}

/** The same on a server; rejects soon, naming it, when it cannot be reached. */
export async function readMarker(
  url: Pick<RedisUrl, "url" | "prefix" | "shown">,
  namespace: string,
): Promise<number | undefined> {
  const place = { namespace: encodeName(namespace), timeoutMs: patienceMs };
  try {
    return await readRedisMaxTtlMs(
      url.url,
      url.prefix === undefined ? place : { ...place, prefix: url.prefix },
    );
  } catch (cause) {
    throw TenureError.is(cause) ? onServer(cause, url) : cause;
  }
}

/** A driver does not name its server, since it is handed clients. Here there is a URL to tell. */
function onServer(cause: TenureError, { shown }: Pick<StoreUrl, "shown">): TenureError {
  return createError(cause.code, `${shown}: ${cause.message.slice(cause.code.length + 2)}`, { cause });
}

function missing(url: StoreUrl, namespace: string): string {
  if (url.kind !== "redis") return `there is no store in ${url.shown.slice(5)}; nobody has stood there yet`;
  return `there is no store for namespace ${namespace} on ${url.shown}; nobody has stood there yet`;
}

function create(url: StoreUrl, maxTtlMs: number): Store {
  if (url.kind === "memory") return memoryStore({ maxTtlMs });
  if (url.kind === "file") return fileStore(url.path, { maxTtlMs });
  return redisStore(url.url, url.prefix === undefined ? { maxTtlMs } : { maxTtlMs, prefix: url.prefix });
}
