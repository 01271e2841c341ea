/** Guards on one Redis server, apart from each other by their prefix, and what an operator does to their keys. */

import { TenureError } from "../../../src/errors/index.js";
import type { IoredisClient, RedisClient } from "../../../src/redis/client.js";
import { type RedisGuardOptions, redisGuard } from "../../../src/fence/redis/index.js";
import { claimScript, writeScript } from "../../../src/fence/redis/script.js";
import type { RedisServer } from "../../servers/redis.js";
import { rejection } from "../claims.js";

let scenes = 0;

export class Scene {
  readonly server: RedisServer;
  readonly prefix: string;
  readonly #client: RedisClient;

  constructor(server: RedisServer, client: RedisClient) {
    scenes += 1;
    this.server = server;
    this.prefix = `scene${scenes}`;
    this.#client = client;
  }

  guard(options: RedisGuardOptions, client: RedisClient = this.#client): ReturnType<typeof redisGuard> {
    return redisGuard(client, { prefix: this.prefix, ...options });
  }

  /** Where a test of this scene keeps the data of a resource. */
  key(name: string): string {
    return `${this.prefix}:data:${name}`;
  }

  async keys(): Promise<readonly string[]> {
    return (await this.server.command("KEYS", `${this.prefix}:*`)) as readonly string[];
  }

  /** Removes all keys of the scene, with what fences them. */
  async wipe(): Promise<void> {
    const found = await this.keys();
    if (found.length > 0) await this.server.command("DEL", ...found);
  }
}

export type When = "before" | "after";

const changing: readonly unknown[] = [claimScript, writeScript].flatMap(({ sha, source }) => [sha, source]);

/** A client whose next claim or write is not answered: it never arrives, or its answer does not. */
export function breakable(client: RedisClient): {
  readonly client: RedisClient;
  breakNext(when: When): void;
} {
  let breaking: When | undefined;
  const send = async (script: unknown, sent: () => Promise<unknown>): Promise<unknown> => {
    const when = changing.includes(script) ? breaking : undefined;
    if (when === undefined) return sent();
    // A script that the server does not know yet comes once more, whole.
    if (when === "after") await sent();
    breaking = undefined;
    throw new Error("read ECONNRESET");
  };
  const broken: RedisClient =
    "call" in client
      ? {
          status: client.status,
          call: async (command, ...args) => send(args[0], async () => client.call(command, ...args)),
          duplicate: () => client.duplicate(),
        }
      : {
          isOpen: client.isOpen,
          sendCommand: async (args) => send(args[1], async () => client.sendCommand(args)),
          duplicate: () => client.duplicate(),
        };
  return { client: broken, breakNext: (when) => void (breaking = when) };
}

/** A client that goes on with another one's server when it is told to, as clients that follow a primary do. */
export function switchable(first: IoredisClient): {
  readonly client: RedisClient;
  to(next: IoredisClient): void;
} {
  let now = first;
  const client: RedisClient = {
    status: "ready",
    call: async (command, ...args) => now.call(command, ...args),
    duplicate: () => now.duplicate(),
  };
  return { client, to: (next) => void (now = next) };
}

/** What it was rejected with, an error of ours. */
export async function refusedWith(work: Promise<unknown>): Promise<TenureError> {
  const error = await rejection(work);
  if (TenureError.is(error)) return error;
  throw error;
}
