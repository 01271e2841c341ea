/**
 * Cases on a real Redis server, in real time: elections in this process, each with a store of its own, a client
 * library of its own under it, and a TCP proxy of its own before the server.
 *
 * The server tells what it carried out. That, the histories of all candidates and a ledger that every leader writes to
 * are judged when the case is over. Bounds are measured from events; a busy machine has an allowance in them, safety
 * has none.
 */

import { processIncarnation } from "../../src/base/host.js";
import { realClock } from "../../src/base/real-clock.js";
import { readHistory } from "../../src/audit/index.js";
import { groupBy } from "../../src/audit/moment.js";
import type { Leadership } from "../../src/election/api.js";
import { redisStore } from "../../src/stores/redis/index.js";
import { nowMs, pause } from "../../test/processes/crew.js";
import { type RedisOptions, type RedisServer, startRedis } from "../../test/servers/redis.js";
import { type Connected, connect } from "../../test/stores/redis/clients.js";
import { Ledger, type Pace } from "./ledger.js";
import { type Happened, lookEveryMs, RedisActor, type SeatOptions } from "./redis-actor.js";
import { type Kept, Monitor } from "./redis-monitor.js";
import type { Stage } from "./stage.js";

export { nowMs, pause } from "../../test/processes/crew.js";
export { RedisActor, type SeatOptions } from "./redis-actor.js";

/** What a busy machine may add to a bound of the protocol. */
export const allowanceMs = 1_000;
/** Several times what any wait of a case takes. */
const limitMs = 12_000;

export interface SceneOptions {
  /** Of the elections, and the stores' `maxTtlMs`. Default 1 500. */
  readonly ttlMs?: number;
  readonly server?: RedisOptions;
  /** Default true: the records are judged by what the server says it carried out. */
  readonly monitored?: boolean;
  /**
   * Default true: the server's marker says that somebody has watched it for `maxTtlMs`, so that a name that is absent is
   * free. Without it the first election waits.
   */
  readonly watched?: boolean;
  /** Whether a lease whose record somebody else has changed is judged too. Default true. */
  readonly recordsJudged?: boolean;
}

async function connectedBy(
  client: NonNullable<SeatOptions["client"]>,
  url: string,
): Promise<Connected | undefined> {
  if (client === "url") return undefined;
  return typeof client === "function" ? client(url) : connect(client, url);
}

export class RedisScene {
  readonly ttlMs: number;
  readonly server: RedisServer;
  readonly monitor: Monitor;
  readonly ledger: Ledger;
  readonly actors: RedisActor[] = [];
  readonly #stage: Stage;
  readonly #options: SceneOptions;
  readonly #closing: (() => unknown)[] = [];

  constructor(stage: Stage, server: RedisServer, options: SceneOptions) {
    this.ttlMs = options.ttlMs ?? 1_500;
    this.server = server;
    this.monitor = new Monitor(server.port);
    this.ledger = new Ledger(realPace);
    this.#stage = stage;
    this.#options = options;
  }

  async candidate(node: string, options: SeatOptions = {}): Promise<RedisActor> {
    const { client = "url", proxied = true } = options;
    const proxy = proxied ? await this.server.proxy() : undefined;
    const url = proxy?.url ?? this.server.url;
    const connected = await connectedBy(client, url);
    const storeOptions = { maxTtlMs: this.ttlMs, ...options.store };
    const store = redisStore(connected?.client ?? url, storeOptions);
    this.#closing.push(async () => {
      connected?.close();
      await proxy?.close();
    });
    const actor = new RedisActor(node, store, proxy, { ttlMs: this.ttlMs, ...options, store });
    this.actors.push(actor);
    this.ledger.employ({ node, clock: realClock, election: actor.election });
    return actor;
  }

  /** Campaigns, and waits for the election. */
  async lead(actor: RedisActor): Promise<Leadership> {
    actor.election.campaign().catch(() => {});
    return this.leads(actor);
  }

  /** Waits until `actor`, which stands already, leads. */
  async leads(actor: RedisActor, waitMs = limitMs): Promise<Leadership> {
    return this.until(`${actor.node} leads`, () => actor.election.leadership, waitMs);
  }

  /** Stands for life; the work lasts as long as the term. */
  stand(actor: RedisActor): void {
    actor.election.run(async (leadership) => void (await leadership.ended)).catch(() => {});
  }

  /** A leader, and a follower that has seen it renew. */
  async pair(
    options: SeatOptions = {},
    ofFollower: SeatOptions = options,
  ): Promise<{
    readonly leader: RedisActor;
    readonly follower: RedisActor;
    readonly leadership: Leadership;
  }> {
    const leader = await this.candidate("leader", options);
    this.stand(leader);
    await this.leads(leader);
    const follower = await this.candidate("follower", ofFollower);
    this.stand(follower);
    const seen = await this.first(follower, "follows");
    await this.until("renewals that it sees", () => leader.extensions(seen.at)[1]);
    const { leadership } = leader.election;
    if (leadership === undefined) throw new Error(`the leader has lost its term: ${this.#story()}`);
    return { leader, follower, leadership };
  }

  /** The first event of that name after that instant, told already or still to come. */
  async first(actor: RedisActor, event: Happened["event"], afterAt = 0, waitMs = limitMs): Promise<Happened> {
    return this.until(`${event} of ${actor.node}`, () => actor.all(event, afterAt)[0], waitMs);
  }

  /** The next renewal that is confirmed, from now on. */
  async nextRenewal(
    actor: RedisActor,
    afterAt = nowMs(),
  ): Promise<{ readonly at: number; readonly until: number }> {
    return this.until(`renewal of ${actor.node}`, () => actor.extensions(afterAt)[0]);
  }

  /** Resolves with the first answer of `look` that is not undefined. */
  async until<T>(what: string, look: () => T | undefined, waitMs = limitMs): Promise<T> {
    const endAt = nowMs() + waitMs;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (nowMs() >= endAt)
        throw new Error(`"${what}" did not come within ${waitMs} ms; told: ${this.#story()}`);
      await pause(lookEveryMs);
    }
  }

  /** A write of an ended term of this candidate has been tried and refused. */
  async staleRefused({ node }: RedisActor): Promise<void> {
    const { refused } = this.ledger.of(node);
    await this.until(`a stale write of ${node} that is refused`, () => refused[0]);
  }

  /** The nodes that could act at this instant. */
  leaders(): readonly string[] {
    return this.actors.filter(({ election }) => election.leadership !== undefined).map(({ node }) => node);
  }

  /** Records of one election as the server wrote them, oldest first. */
  records(name = "job"): readonly Kept[] {
    return this.monitor.records().filter(({ key }) => key === `tenure:{default}:${name}`);
  }

  /** The last record of that term. */
  lastOf(token: number, name?: string): Kept {
    const last = this.records(name).findLast(
      ({ record }) => typeof record !== "string" && record.token === token,
    );
    if (last === undefined) throw new Error(`the server wrote no record with token ${token}`);
    return last;
  }

  /** Whether the server has written the record with that nonce. */
  carried(nonce: string): boolean {
    return this.monitor.records().some(({ record }) => typeof record !== "string" && record.nonce === nonce);
  }

  /** How far the server's clock is ahead of ours, as it says itself. */
  async serverAheadMs(): Promise<number> {
    const [seconds, micros] = (await this.server.command("TIME")) as readonly string[];
    return Number(seconds) * 1_000 + Number(micros) / 1_000 - Date.now();
  }

  /** Puts down that somebody has watched this server for `maxTtlMs`, as a candidate of old would have. */
  async vouch(): Promise<void> {
    const [{ run_id = "" }, { master_replid = "" }] = [
      await this.server.info("server"),
      await this.server.info("replication"),
    ];
    const made = JSON.stringify({ v: 1, generation: "of-old", maxTtlMs: this.ttlMs });
    const watched = `${run_id.slice(0, 16)}-${master_replid.slice(0, 16)}`;
    await this.server.command("SET", "tenure:{default}", `${made}\n${watched}`);
  }

  /** The server again, on the same port, and heard again. */
  async restart(how: Parameters<RedisServer["restart"]>[0]): Promise<void> {
    await this.server.restart(how);
    if (this.#options.monitored !== false) await this.monitor.listen();
  }

  /** Everything ends, and is left to be judged. */
  async close(): Promise<void> {
    try {
      if (this.server.isRunning) this.server.thaw();
      await Promise.all(this.actors.map(async (actor) => this.#leave(actor)));
    } finally {
      this.monitor.close();
      await this.ledger.close();
      await Promise.all(this.#closing.map(async (close) => close()));
      await this.server.stop();
      this.#leaveEvidence();
    }
  }

  async #leave({ election, store }: RedisActor): Promise<void> {
    await election.stop({ drainMs: 0 });
    await store[Symbol.asyncDispose]?.();
  }

  #leaveEvidence(): void {
    if (this.actors.length === 0) return;
    const histories = this.actors.map(({ node, history }) => ({ name: node, history }));
    const files = [...histories, { name: "ledger", history: this.ledger.history }];
    const history = readHistory(
      files.map((file) => ({ name: file.name, text: `${file.history.join("\n")}\n` })),
    );
    const judged = this.#options.recordsJudged === false ? [] : this.monitor.records();
    // A clock that was bent on purpose tells nothing; when we heard of it does.
    const bent = this.#options.server?.clock === true;
    const kept = judged.map((one) => (bent ? { ...one, mtimeMs: one.at } : one));
    const records = [...groupBy(kept, ({ key }) => key).values()];
    this.#stage.left.push({ history, records });
    this.#stage.ledgers.push(this.ledger);
  }

  #story(): string {
    const all = this.actors.flatMap(({ node, events }) => events.map((told) => ({ node, ...told })));
    const told = all.toSorted((a, b) => a.at - b.at).slice(-20);
    const startAt = told[0]?.at ?? 0;
    return told.map(({ node, event, at }) => `${Math.round(at - startAt)} ms ${node} ${event}`).join(", ");
  }
}

/** Leaders in real time write often, and go on for six seconds after their end, or to the end of the case. */
const realPace: Pace = {
  everyMs: 50,
  lateMs: [0, ...Array.from({ length: 20 }, () => 300)],
  stamp: () => ({
    boot: realClock.bootId,
    at: realClock.hrtimeNs().toString(),
    wall: realClock.wallMs(),
    process: processIncarnation,
  }),
};

/** A server of its own; ended, with all that runs on it, when the case is over. */
export async function redisScene(stage: Stage, options: SceneOptions = {}): Promise<RedisScene> {
  const server = await startRedis(options.server);
  const scene = new RedisScene(stage, server, options);
  stage.cleanUps.push(async () => scene.close());
  if (options.watched !== false) await scene.vouch();
  if (options.monitored !== false) await scene.monitor.listen();
  return scene;
}
