/** Three resources of a service, a database, a cache and a queue, and leaders with a line of their own to each server. */

import type pg from "pg";
import { createElection } from "../../../src/create-election.js";
import type { Election } from "../../../src/election/api.js";
import { fences, type Handles } from "../../../src/fence/index.js";
import type { SqlHandle } from "../../../src/fence/sql/guard.js";
import type { Guard } from "../../../src/fence/guard.js";
import type { JetstreamHandle } from "../../../src/fence/queue/index.js";
import type { RedisHandle } from "../../../src/fence/redis/index.js";
import { memoryStore } from "../../../src/stores/memory/index.js";
import type { NatsServer } from "../../servers/nats.js";
import type { PostgresServer } from "../../servers/postgres.js";
import type { TcpProxy } from "../../servers/proxy.js";
import type { RedisServer } from "../../servers/redis.js";
import { connect } from "../../stores/redis/clients.js";
import { Scene as InPostgres } from "../postgres/scene.js";
import { connected, Scene as InNats } from "../queue/scene.js";
import { Scene as InRedis } from "../redis/scene.js";

export const places = ["cache", "database", "queue"] as const;
export type Place = (typeof places)[number];

export interface Servers {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly nats: NatsServer;
}

interface Guards extends Readonly<Record<string, Guard<unknown>>> {
  readonly cache: Guard<RedisHandle>;
  readonly database: Guard<SqlHandle<pg.PoolClient>>;
  readonly queue: Guard<JetstreamHandle>;
}
export type Fenced = Handles<Guards>;

/** One node of the service, and its lines. */
export interface Seat {
  readonly election: Election;
  readonly lines: Readonly<Record<Place, TcpProxy>>;
  /** Stands once. `work` begins when all are claimed. */
  lead(work: (fenced: Fenced) => Promise<void>, claimTimeoutMs?: number): Promise<void>;
  /** Adds a line to what `place` holds. */
  write(fenced: Fenced, place: Place, line: string): Promise<void>;
}

/** Nobody waits for it here: whoever fails gives the term back. */
const ttlMs = 15_000;
/** How long an answer is waited for: of a line that works it comes within that on a busy machine, too. */
const timeoutMs = 2_000;

export class SeveralScene {
  readonly #servers: Servers;
  readonly #inPostgres: InPostgres;
  readonly #inRedis: InRedis;
  readonly #inNats: InNats;
  readonly #store = memoryStore();
  readonly #closing: (() => unknown)[] = [];

  private constructor(servers: Servers, inPostgres: InPostgres, inRedis: InRedis, inNats: InNats) {
    this.#servers = servers;
    this.#inPostgres = inPostgres;
    this.#inRedis = inRedis;
    this.#inNats = inNats;
  }

  static async open(servers: Servers): Promise<SeveralScene> {
    const { postgres, redis, nats } = servers;
    const inPostgres = await InPostgres.open(postgres.url);
    const { client, close } = await connect("ioredis-6", redis.url);
    const toNats = await connected(nats.url);
    const inNats = new InNats(nats, toNats, "alone");
    const scene = new SeveralScene(servers, inPostgres, new InRedis(redis, client), inNats);
    scene.#closing.push(close, async () => toNats.connection.close());
    // Tables and stream stand before anybody leads.
    const first = { ...nobody, election: "first" };
    await inPostgres.guard(inPostgres.admin, { claimLockTimeoutMs: 20_000 }).claim(first);
    await inNats.guard({ resource: "queue" }).claim(first);
    return scene;
  }

  async seat(node: string): Promise<Seat> {
    const { postgres, redis, nats } = this.#servers;
    const lines = { cache: await redis.proxy(), database: await postgres.proxy(), queue: await nats.proxy() };
    const { client, close } = await connect("ioredis-6", lines.cache.url);
    const pool = this.#inPostgres.pool({ connectionString: lines.database.url });
    const toNats = await connected(lines.queue.url);
    const election = createElection({ name: "several", node, store: this.#store, ttlMs });
    this.#closing.push(
      async () => election.stop({ drainMs: 0 }),
      close,
      async () => toNats.connection.close(),
    );
    for (const line of Object.values(lines)) this.#closing.push(async () => line.close());
    const guards: Guards = {
      queue: this.#inNats.guard({ resource: "queue", order: "any", timeoutMs }, toNats),
      database: this.#inPostgres.guard(pool, { resource: "database", timeoutMs }),
      cache: this.#inRedis.guard({ resource: "cache", timeoutMs }, client),
    };
    const key = this.#key;
    return {
      election,
      lines,
      lead: async (work, claimTimeoutMs = 15_000) =>
        election.runOnce(fences(guards, work, { claimTimeoutMs }), { drainMs: 0 }),
      write: async ({ cache, database, queue }, place, line) => {
        if (place === "queue") await queue.publish(line);
        else if (place === "database")
          await database.transaction(async (tx) => this.#inPostgres.put(tx, line, place));
        else {
          await cache.transaction(async (tx) =>
            tx.set(key, JSON.stringify([...parse(await tx.get(key)), line])),
          );
        }
      },
    };
  }

  /** What lies in `place`, past every guard. */
  async content(place: Place): Promise<readonly string[]> {
    if (place === "database") return this.#inPostgres.content(place);
    if (place === "cache") return parse(await this.#servers.redis.command("GET", this.#key));
    return this.#inNats.content(place);
  }

  get #key(): string {
    return this.#inRedis.key("lines");
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
    await this.#inRedis.wipe();
    await this.#inPostgres.close();
    await this.#inNats.close();
  }
}

const nobody = { v: 1, namespace: "default", lineage: "default/lease", token: 1, owner: "nobody" } as const;

function parse(text: unknown): readonly string[] {
  return JSON.parse(typeof text === "string" ? text : "[]") as readonly string[];
}
