/** What fences all resources of a server, and what operators did to them, for those who only look. */

import { realClock } from "../../base/real-clock.js";
import { type RedisClient, sharedConnection } from "../../redis/client.js";
import { type FenceAct, keptActs } from "../acts.js";
import type { GuardRow } from "../row.js";
import { lookAtActs, lookAtNames, lookAtRow } from "./looking.js";
import { resolveRedisGuardOptions } from "./options.js";
import { type RedisResource, resourcesKey, rowsKey } from "./resource.js";
import { Server } from "./server.js";

export interface FencedResource {
  readonly resource: string;
  /** Why some of it cannot be shown; null where all can. */
  readonly problem: "newer" | "unreadable" | null;
  readonly rows: readonly (Pick<GuardRow, "lineage" | "watermark" | "owner" | "seq"> & {
    readonly namespace: string;
    readonly election: string;
    readonly inForce: boolean;
  })[];
}

export interface FencedServer {
  readonly resources: readonly FencedResource[];
  /** The latest first; a text says why they cannot be seen. */
  readonly acts: readonly (FenceAct & { readonly resource: string })[] | string;
}

/** Of one resource, or of all of this prefix. Throws GUARD_FAILED. */
export async function lookAtServer(
  client: RedisClient,
  prefix: string,
  resource: string | undefined,
): Promise<FencedServer> {
  const server = new Server(sharedConnection(client), realClock);
  const siteOf = (name: string): RedisResource => ({
    server,
    options: resolveRedisGuardOptions({ resource: name, prefix }),
  });
  const names =
    resource === undefined ? await lookAtNames(siteOf("the server"), resourcesKey({ prefix })) : [resource];
  const found: FencedResource[] = [];
  for (const name of names) found.push(await lookAtResource(siteOf(name)));
  const resources = found.filter(({ problem, rows }) => problem !== null || rows.length > 0);
  return { resources, acts: await actsOf(names.map(siteOf)) };
}

async function lookAtResource(site: RedisResource): Promise<FencedResource> {
  let problem: FencedResource["problem"] = null;
  const rows: FencedResource["rows"][number][] = [];
  for (const id of await lookAtNames(site, rowsKey(site.options))) {
    const kept = await lookAtRow(site, id);
    if (typeof kept === "string") problem = kept;
    if (kept === undefined || typeof kept === "string") continue;
    const { namespace, election, row, inForce } = kept;
    const { lineage, watermark, owner, seq } = row;
    rows.push({ namespace, election, lineage, watermark, owner, seq, inForce });
  }
  return { resource: site.options.resource, problem, rows };
}

/** On its own: a role that leads need not see what operators did. */
async function actsOf(sites: readonly RedisResource[]): Promise<FencedServer["acts"]> {
  const all: (FenceAct & { readonly resource: string })[] = [];
  try {
    for (const site of sites) {
      const { resource } = site.options;
      all.push(...(await lookAtActs(site)).map((act) => ({ ...act, resource })));
    }
  } catch (cause) {
    return cause instanceof Error ? cause.message : "no error was given";
  }
  return all.toSorted((a, b) => b.at - a.at).slice(0, keptActs);
}
