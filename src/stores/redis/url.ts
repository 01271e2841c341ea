/**
 * A store by URL: a client of whichever package is installed, made with the safe options.
 *
 * Nothing is imported before the first operation. The URL may carry a password, so no
 * message shows it.
 */

import { createError } from "../../errors/index.js";
import type { Opening, Recipe } from "../../redis/connection.js";
import { ioredisRecipe } from "../../redis/ioredis.js";
import { nodeRedisRecipe } from "../../redis/node-redis.js";

type Module = Readonly<Record<string, unknown>>;
type Constructor = new (url: string, options: object) => unknown;

/** In the order in which they are tried. The names are variables so that no compiler looks for the packages. */
const packages: readonly (readonly [name: string, recipe: (module: Module, url: string) => Recipe])[] = [
  [
    "ioredis",
    (module, url) => ioredisRecipe((options) => new (module["Redis"] as Constructor)(url, options)),
  ],
  [
    "iovalkey",
    (module, url) => ioredisRecipe((options) => new (module["Redis"] as Constructor)(url, options)),
  ],
  [
    "redis",
    (module, url) => {
      const create = module["createClient"] as (options: object) => unknown;
      return nodeRedisRecipe((options) => create({ url, ...options }));
    },
  ],
];

/** @throws INVALID_OPTION when it is no URL of Redis. */
export function urlRecipe(url: string): Recipe {
  checkUrl(url);
  let found: Promise<Recipe> | undefined;
  return (connectTimeoutMs, ended): Opening => {
    found ??= findPackage(url);
    let opening: Opening | undefined;
    let unwanted = false;
    return {
      ready: found.then((recipe) => {
        if (unwanted) throw createError("STORE_UNREACHABLE", "the connection was given up");
        opening = recipe(connectTimeoutMs, ended);
        return opening.ready;
      }),
      destroy() {
        unwanted = true;
        opening?.destroy();
      },
    };
  };
}

function checkUrl(url: string): void {
  const wanted = "client must be a URL such as redis://host:6379/0 or rediss://host:6380";
  let protocol: string;
  try {
    ({ protocol } = new URL(url));
  } catch {
    throw createError("INVALID_OPTION", `${wanted}; this text is no URL`, { base: TypeError });
  }
  if (protocol !== "redis:" && protocol !== "rediss:") {
    throw createError("INVALID_OPTION", `${wanted}; its protocol is ${protocol}`, { base: TypeError });
  }
}

async function findPackage(url: string): Promise<Recipe> {
  for (const [name, recipe] of packages) {
    try {
      return recipe((await import(name)) as Module, url);
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    }
  }
  const advice = "npm install ioredis (or iovalkey, or redis)";
  throw createError("STORE_UNSUPPORTED", `a store by URL needs a Redis client: ${advice}`);
}
