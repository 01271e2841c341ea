/** The keys of guards on a Redis server. */

import { redisGuard } from "../../fence/redis/index.js";
import { type ClientModule, openClient } from "../../fence/redis/opened.js";
import { type FencedResource, lookAtServer } from "../../fence/redis/overview.js";
import { verifyFence } from "../../fence/verify/index.js";
import { importFirst } from "./client.js";
import type { GuardPlace, PlaceOptions, SeenResource } from "./place.js";

const patienceMs = 5_000;

export async function openRedis(
  url: string,
  { prefix = "tenure", environment }: PlaceOptions,
): Promise<GuardPlace> {
  const packages = ["ioredis", "iovalkey", "redis"] as const;
  const { module } = await importFirst<ClientModule>(packages, "a guard on Redis");
  const whole = withPassword(url, environment["REDISCLI_AUTH"]);
  const { client, close } = await openClient(module, whole, patienceMs);
  const guard = (resource: string) => redisGuard(client, { resource, prefix });
  return {
    holds: "keys",
    async look(resource) {
      const { resources, acts } = await lookAtServer(client, prefix, resource);
      return { resources: resources.map(seenOf), acts };
    },
    operator: (resource) => guard(resource).operator,
    verify: async () => verifyFence(guard),
    close: async () => close(),
  };
}

/** Where the URL has none: as redis-cli takes it. */
function withPassword(text: string, password: string | undefined): string {
  const url = new URL(text);
  if (password === undefined || url.password !== "") return text;
  url.password = encodeURIComponent(password);
  return url.href;
}

function seenOf({ resource, problem, rows }: FencedResource): SeenResource {
  return { name: resource, version: null, problem, rows };
}
