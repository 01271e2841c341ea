/** Three resources of a service, a database, a cache and files, and leaders with a line of their own to each server. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { createElection } from "../../../src/create-election.js";
import type { Election } from "../../../src/election/api.js";
import { fileGuard, type ValueHandle } from "../../../src/fence/file/index.js";
import { fences, type Handles } from "../../../src/fence/index.js";
import type { SqlHandle } from "../../../src/fence/sql/guard.js";
import type { Guard } from "../../../src/fence/guard.js";
import type { RedisHandle } from "../../../src/fence/redis/index.js";
import { memoryStore } from "../../../src/stores/memory/index.js";
import type { PostgresServer } from "../../servers/postgres.js";
import type { TcpProxy } from "../../servers/proxy.js";
import type { RedisServer } from "../../servers/redis.js";
import { connect } from "../../stores/redis/clients.js";
import { Scene as InPostgres } from "../postgres/scene.js";
import { Scene as InRedis } from "../redis/scene.js";

export const places = ["cache", "database", "files"] as const;
export type Place = (typeof places)[number];
/** Those that are reached over a network. */
export type Remote = Exclude<Place, "files">;

interface Guards extends Readonly<Record<string, Guard<unknown>>> {
  readonly cache: Guard<RedisHandle>;
  readonly database: Guard<SqlHandle<pg.PoolClient>>;
  readonly files: Guard<ValueHandle<readonly string[]>>;
}
export type Fenced = Handles<Guards>;

/** One node of the service, and its lines. */
export interface Seat {
  readonly election: Election;
  readonly lines: Readonly<Record<Remote, TcpProxy>>;
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
  readonly #postgres: PostgresServer;
  readonly #redis: RedisServer;
  readonly #inPostgres: InPostgres;
  readonly #inRedis: InRedis;
  readonly #home = mkdtempSync(join(tmpdir(), "tenure-several-"));
  readonly #store = memoryStore();
  readonly #closing: (() => unknown)[] = [];

  private constructor(
    postgres: PostgresServer,
    redis: RedisServer,
    inPostgres: InPostgres,
    inRedis: InRedis,
  ) {
    this.#postgres = postgres;
    this.#redis = redis;
    this.#inPostgres = inPostgres;
    this.#inRedis = inRedis;
  }

  static async open(postgres: PostgresServer, redis: RedisServer): Promise<SeveralScene> {
    const inPostgres = await InPostgres.open(postgres.url);
    const { client, close } = await connect("ioredis-6", redis.url);
    const scene = new SeveralScene(postgres, redis, inPostgres, new InRedis(redis, client));
    scene.#closing.push(close);
    // The tables stand before anybody leads.
    const patient = { claimLockTimeoutMs: 20_000 };
    await inPostgres.guard(inPostgres.admin, patient).claim({ ...nobody, election: "tables" });
    return scene;
  }

  async seat(node: string): Promise<Seat> {
    const lines = { cache: await this.#redis.proxy(), database: await this.#postgres.proxy() };
    const { client, close } = await connect("ioredis-6", lines.cache.url);
    const pool = this.#inPostgres.pool({ connectionString: lines.database.url });
    const election = createElection({ name: "several", node, store: this.#store, ttlMs });
    this.#closing.push(async () => election.stop({ drainMs: 0 }), close);
    for (const line of Object.values(lines)) this.#closing.push(async () => line.close());
    const guards: Guards = {
      files: fileGuard<readonly string[]>(this.#home, { resource: "files", initial: [] }),
      database: this.#inPostgres.guard(pool, { resource: "database", timeoutMs }),
      cache: this.#inRedis.guard({ resource: "cache", timeoutMs }, client),
    };
    const key = this.#key;
    return {
      election,
      lines,
      lead: async (work, claimTimeoutMs = 15_000) =>
        election.runOnce(fences(guards, work, { claimTimeoutMs }), { drainMs: 0 }),
      write: async ({ cache, database, files }, place, line) => {
        if (place === "files") await files.transaction((tx) => void (tx.value = [...tx.value, line]));
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
    if (place === "cache") return parse(await this.#redis.command("GET", this.#key));
    const guard = fileGuard<readonly string[]>(this.#home, { resource: "files", initial: [] });
    return (await guard.inspect()).value;
  }

  get #key(): string {
    return this.#inRedis.key("lines");
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
    await this.#inRedis.wipe();
    await this.#inPostgres.close();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

const nobody = { v: 1, namespace: "default", lineage: "default/lease", token: 1, owner: "nobody" } as const;

function parse(text: unknown): readonly string[] {
  return JSON.parse(typeof text === "string" ? text : "[]") as readonly string[];
}
