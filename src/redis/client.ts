/**
 * The clients that may be handed in, by what they can do and not by what they are called.
 *
 * Two families: ioredis and iovalkey, which have `call`; node-redis, which has `sendCommand`.
 * `call` is looked for first, since ioredis has another method of the name `sendCommand`.
 * No client is imported here: whoever uses one has it.
 */

import { createError, type TenureError } from "../errors/index.js";
import { ioredisRecipe } from "./ioredis.js";
import { nodeRedisRecipe } from "./node-redis.js";
import type { Argument, Connection, Recipe } from "./connection.js";

/** What is asked of ioredis 5 and 6, and iovalkey. */
export interface IoredisClient {
  readonly status: string;
  call(command: string, ...args: Argument[]): Promise<unknown>;
  duplicate(override?: object): unknown;
}

/** What is asked of node-redis 5 and 6. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  sendCommand(args: readonly Argument[]): Promise<unknown>;
  duplicate(overrides?: object): unknown;
}

/** What may be handed in; the store looks at what it can do. */
export type RedisClient = IoredisClient | NodeRedisClient;

const wanted = "a client of ioredis 5 or 6, iovalkey, or node-redis 5 or 6, or a URL redis:// or rediss://";

/** @throws INVALID_OPTION that names what is missing. */
export function recipeOf(client: RedisClient): Recipe {
  const parts = partsOf(client);
  if (isFunction(parts["call"])) {
    requireMethods(parts, ["duplicate"]);
    const { status } = parts;
    if (status === "end" || status === "close") throw refused(`it is closed (status "${status}")`);
    if (status === "wait") throw refused('it is not connected (status "wait"): call connect() first');
    return ioredisRecipe((options) => (client as IoredisClient).duplicate(options));
  }
  requireMethods(parts, ["sendCommand", "duplicate"]);
  if (parts["isOpen"] !== true) throw refused("it is not open: await connect() first");
  const base = client as NodeRedisClient & { readonly options?: { readonly socket?: object } };
  return nodeRedisRecipe((options) => {
    const { socket = {} } = base.options ?? {};
    return base.duplicate({ ...options, socket: { ...socket, ...options.socket } });
  });
}

/** The client itself as the connection: nothing of it is changed, and it is never closed. */
export function sharedConnection(client: RedisClient): Connection {
  recipeOf(client);
  return {
    async send(args) {
      const [command = "", ...rest] = args;
      if ("call" in client) return client.call(String(command), ...rest);
      return client.sendCommand(args);
    },
    async subscribe() {
      throw createError("STORE_UNSUPPORTED", "a shared connection cannot subscribe");
    },
    destroy() {},
  };
}

function partsOf(client: unknown): Readonly<Record<string, unknown>> {
  if (typeof client !== "object" || client === null)
    throw refused(`it is ${client === null ? "null" : typeof client}`);
  const parts = client as Readonly<Record<string, unknown>>;
  if (parts["isCluster"] === true || isFunction(parts["nodeClient"]) || isFunction(parts["nodes"])) {
    throw refused("it is a cluster client; this release works with a single server");
  }
  return parts;
}

function requireMethods(parts: Readonly<Record<string, unknown>>, methods: readonly string[]): void {
  for (const method of methods) {
    if (!isFunction(parts[method])) throw refused(`it has no ${method}()`);
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function refused(why: string): TenureError {
  return createError("INVALID_OPTION", `client must be ${wanted}; ${why}`, { base: TypeError });
}
