/**
 * Where a run holds its election: in its own directory, or in a namespace of its own on a server.
 *
 * Promise: nothing on the server is touched but what the run made there, and `clear` removes it.
 */

import { freshId } from "../../base/random.js";
import { leaseKey } from "../../lease/lease.js";
import type { Store } from "../../lease/store.js";
import { fileStore } from "../../stores/file/index.js";
import { redisStore } from "../../stores/redis/index.js";
import { removeNamespace } from "../../stores/redis/removal.js";
import type { RedisUrl } from "../store-url.js";
import { readMarker } from "../stores.js";
import { electionName, ttlMs } from "./settings.js";

export type Site =
  | { readonly kind: "directory"; readonly namespace: string }
  | {
      readonly kind: "server";
      readonly namespace: string;
      /** May hold a password: it is handed to processes by their environment, and written nowhere. */
      readonly url: string;
      readonly prefix?: string;
      /** For people. */
      readonly shown: string;
    };

/** What the plan says of it: all that judging needs, and no password. */
export interface ToldSite {
  readonly kind: Site["kind"];
  readonly namespace: string;
  /** For people; null for a directory. */
  readonly url: string | null;
}

export function siteOf(store: RedisUrl | undefined): Site {
  if (store === undefined) return { kind: "directory", namespace: "default" };
  const { url, prefix, shown } = store;
  const namespace = `demo-${freshId().slice(0, 13)}`;
  return { kind: "server", namespace, url, shown, ...(prefix === undefined ? {} : { prefix }) };
}

export function told(site: Site): ToldSite {
  return { kind: site.kind, namespace: site.namespace, url: site.kind === "server" ? site.shown : null };
}

/** Where the record of the election lies in the store. */
export function storeKey({ namespace }: Pick<Site, "namespace">): string {
  return leaseKey(namespace, electionName);
}

/** `directory`: of a site that is one; there every record is kept, for the verdict. Touches nothing before the first operation. */
export function openStore(site: Site, directory: string): Store {
  if (site.kind === "directory") {
    return fileStore(directory, { maxTtlMs: ttlMs, keepVersions: Number.POSITIVE_INFINITY });
  }
  const { url, prefix } = site;
  return redisStore(url, { maxTtlMs: ttlMs, ...(prefix === undefined ? {} : { prefix }) });
}

/** @throws what keeps a server from being used; nothing was made there then. */
export async function reach(site: Site): Promise<void> {
  if (site.kind === "server") await readMarker(site, site.namespace);
}

/** A directory goes with the rest of the run. */
export async function clear(site: Site): Promise<void> {
  if (site.kind === "directory") return;
  const { url, prefix } = site;
  const place = { keys: [storeKey(site)], timeoutMs: 2_000 };
  await removeNamespace(url, prefix === undefined ? place : { ...place, prefix });
}
