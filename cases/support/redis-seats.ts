/** Candidates of a scene that come by another way than their own proxy, and hands that write beside all of them. */

import { realClock } from "../../src/base/real-clock.js";
import { redisStore } from "../../src/stores/redis/index.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Store } from "../../src/lease/store.js";
import { plainCall } from "../../test/support/scripted-store.js";
import type { Crew, SeatOptions as CrewOptions } from "../../test/processes/crew.js";
import { crewFor } from "./crew.js";
import { RedisActor, redisScene, type RedisScene, type SeatOptions } from "./redis.js";
import { type Liar, startLiar } from "./redis-liar.js";
import type { Stage } from "./stage.js";

/** The record of the election that candidates stand for by default, and the marker of its namespace. */
export const recordKey = "tenure:{default}:job";
export const markerKey = "tenure:{default}";

/** What only a request that takes, renews or drains carries. */
export const heldWrite = '"state":"held"';
export const releasedWrite = '"state":"released"';

/** A candidate on a store of the case's own making; the scene closes it. */
export function seatOn(
  scene: RedisScene,
  node: string,
  store: Store,
  options: Omit<SeatOptions, "store"> = {},
): RedisActor {
  const actor = new RedisActor(node, store, undefined, { ttlMs: scene.ttlMs, ...options, store });
  scene.actors.push(actor);
  scene.ledger.employ({ node, clock: realClock, election: actor.election });
  return actor;
}

/** A candidate whose server may lie to it. */
export async function liedTo(
  stage: Stage,
  scene: RedisScene,
  node: string,
  options: Omit<SeatOptions, "store"> = {},
): Promise<{ readonly actor: RedisActor; readonly liar: Liar }> {
  const liar = await startLiar(scene.server.port);
  stage.cleanUps.push(() => liar.close());
  const actor = seatOn(scene, node, redisStore(liar.url, { maxTtlMs: scene.ttlMs }), options);
  return { actor, liar };
}

/** A store on the scene's server that belongs to no candidate. */
export function beside(stage: Stage, scene: RedisScene): Store {
  const store = redisStore(scene.server.url, { maxTtlMs: scene.ttlMs });
  stage.cleanUps.push(async () => store[Symbol.asyncDispose]());
  return store;
}

/** Leaves a record that was released, so that whoever stands next takes at once. */
export async function vacate(scene: RedisScene, options: SeatOptions = {}): Promise<number> {
  const first = await scene.candidate("first", options);
  const leadership = await scene.lead(first);
  await leadership.resign();
  return leadership.token;
}

/** Replaces the stored record, as another process would, however often its holder comes in between. */
export async function overwrite(store: Store, change: (record: LeaseRecord) => LeaseRecord): Promise<void> {
  for (;;) {
    const current = await store.read("default/job", plainCall);
    if (current === undefined || typeof current.body === "string") throw new Error("nothing to overwrite");
    const written = await store.write("default/job", change(current.body), current.version, plainCall);
    if (written.kind === "written") return;
  }
}

/** No confirmation of this candidate gave it more than ttl / 1.5: deadlines count from the send. */
export function longestBeliefMs(actor: RedisActor): number {
  return Math.max(...actor.extensions().map(({ at, until }) => until - at));
}

/** Candidates that are processes of their own; each is started with the server's `url`. */
export async function redisCrewFor(
  stage: Stage,
  defaults: CrewOptions & { readonly ttlMs: number },
): Promise<{ readonly crew: Crew; readonly scene: RedisScene }> {
  const scene = await redisScene(stage, { ttlMs: defaults.ttlMs });
  const kept = () => scene.records().map(({ record, mtimeMs }) => ({ body: record, modifiedMs: mtimeMs }));
  return { scene, crew: await crewFor(stage, { url: scene.server.url, ...defaults }, kept) };
}

/** How many connections this process has to that port. */
export function socketsTo(port: number): number {
  const { _getActiveHandles: handles } = process as unknown as {
    _getActiveHandles(): readonly { readonly remotePort?: number }[];
  };
  return handles.call(process).filter(({ remotePort }) => remotePort === port).length;
}
