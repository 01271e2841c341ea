/**
 * Stores by URL: `file:PATH` and `memory:`, each with `?maxTtl=DURATION`.
 *
 * Must not choose a store by itself: candidates with different stores each elect a
 * leader of their own, which is the failure this package is there to prevent.
 */

import { resolve } from "node:path";
import type { Store } from "../lease/store.js";
import { longestTtlMs, shortestTtlMs } from "../lease/store.js";
import { fileStore } from "../stores/file/index.js";
import { readMaxTtlMs } from "../stores/file/marked.js";
import { memoryStore } from "../stores/memory/index.js";
import { createError } from "../errors/index.js";
import { checkedDuration, formatDuration } from "./duration.js";
import type { Settings } from "./settings.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage-error.js";

export interface OpenStore {
  readonly store: Store;
  readonly url: string;
  /** How far its elections reach, for people. */
  readonly reach: string;
}

interface StoreUrl {
  readonly kind: "file" | "memory";
  /** Absolute; empty for memory. */
  readonly path: string;
  readonly maxTtlMs: number | undefined;
}

const reaches = {
  process: "this process only",
  host: "this host only",
  network: "all hosts that reach it",
};
const usualMaxTtlMs = 15_000;

const noStore = `no store. There is no default, since candidates with different stores each elect a leader of their own.
Name one in one of three ways:
  --store file:PATH         an option; the directory elects among the processes of this host
  TENURE_STORE=file:PATH    the environment
  "store": "file:PATH"      in ./tenure.config.json, or in the file that --config names`;

/** `use`: `stand` makes what is missing; `look` finds a store that is there. */
export async function openStore(
  { store: text, local, ttlMs }: Settings,
  { environment, directory }: Terminal,
  use: "stand" | "look",
): Promise<OpenStore> {
  if (text === undefined) throw usageError(noStore);
  const url = parseStoreUrl(text, directory);
  if (!local && (environment["KUBERNETES_SERVICE_HOST"] ?? "") !== "") {
    const advice =
      "each pod would elect itself. Use a store on the network, or --local if one pod is all there is";
    throw usageError(
      `${text} reaches ${reaches[url.kind === "file" ? "host" : "process"]}, and this is Kubernetes: ${advice}`,
    );
  }
  if (url.kind === "memory" && use === "look") {
    throw usageError("memory: ends with the process that made it, so there is nothing of others to look at");
  }
  const marked = url.kind === "file" ? await readMaxTtlMs(url.path) : undefined;
  if (use === "look" && marked === undefined) {
    throw createError("STORE_UNREACHABLE", `there is no store in ${url.path}; nobody has stood there yet`);
  }
  const maxTtlMs = url.maxTtlMs ?? marked ?? Math.max(usualMaxTtlMs, use === "stand" ? ttlMs : 0);
  if (use === "stand" && ttlMs > maxTtlMs) {
    throw usageError(
      `ttl ${formatDuration(ttlMs)}: the store ${text} is for at most ${formatDuration(maxTtlMs)}`,
    );
  }
  const store = url.kind === "file" ? fileStore(url.path, { maxTtlMs }) : memoryStore({ maxTtlMs });
  return { store, url: url.kind === "file" ? `file:${url.path}` : "memory:", reach: reaches[store.scope] };
}

/** @throws a usage error that says which stores there are. */
function parseStoreUrl(text: string, directory: string): StoreUrl {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+-]*):(.*)$/.exec(text) ?? [];
  const [path, query] = split(rest);
  if (scheme === "memory" && path === "")
    return { kind: "memory", path: "", maxTtlMs: maxTtlOf(text, query) };
  if (scheme === "file" && path !== "") {
    const plain = path.startsWith("///") ? path.slice(2) : path;
    if (plain.startsWith("//"))
      throw usageError(`store ${JSON.stringify(text)}: a file store has no host; write file:PATH`);
    return { kind: "file", path: resolve(directory, plain), maxTtlMs: maxTtlOf(text, query) };
  }
  const advice = scheme === undefined ? `; did you mean file:${text}?` : "";
  throw usageError(
    `store ${JSON.stringify(redacted(text))}: this release has file:PATH and memory:${advice}`,
  );
}

function split(rest: string): readonly [string, string?] {
  const at = rest.indexOf("?");
  return at < 0 ? [rest] : [rest.slice(0, at), rest.slice(at + 1)];
}

function maxTtlOf(text: string, query: string | undefined): number | undefined {
  if (query === undefined) return undefined;
  const [, value] = /^maxTtl=([^&]*)$/.exec(query) ?? [];
  if (value === undefined)
    throw usageError(`store ${JSON.stringify(text)}: the one parameter is ?maxTtl=DURATION`);
  return checkedDuration("maxTtl", value, { min: shortestTtlMs, max: longestTtlMs });
}

/** Without the password that a URL may carry. */
export function redacted(url: string): string {
  return url.replace(/^([a-z][a-z0-9+-]*:\/\/[^:/@]*):[^@/]*@/, "$1:***@");
}
