/**
 * A stage for elections over a real driver, at the pace of `pace.ts`.
 *
 * Each candidate has a store object, a clock and faults of its own. At every step
 * the stage looks whether two of them believe to lead, and at the end whether tokens rose.
 */

import assert from "node:assert/strict";
import { createChance } from "../../base/seeded-chance.js";
import { createVirtualWorld, type VirtualClock, type VirtualWorld } from "../../base/virtual-clock.js";
import type { Election, Leadership } from "../../election/api.js";
import type { EndReason } from "../../election/events.js";
import type { Store, Written } from "../../lease/store.js";
import type { Scene } from "../case.js";
import { type FaultPlan, faultyStore } from "../faulty-store.js";
import { wrapStore } from "../../lease/wrap-store.js";
import { openElection } from "./open-election.js";
import { createPace, type Pace } from "./pace.js";

/** The shortest lease there is: the driver's own speed plays no part, as time waits for it. */
export const ttlMs: number = 1_000;
/** V of DESIGN rule 3. */
export const beliefMs: number = Math.floor(ttlMs / 1.5);
/** Where the elections of the stage keep their record. */
export const key = "default/contract";

export interface Candidate {
  readonly node: string;
  readonly clock: VirtualClock;
  readonly election: Election;
  /** The store object behind the faults, for looking at what stands. */
  readonly store: Store;
  /** What the driver answered to its writes, oldest answer first. */
  readonly answers: readonly WriteAnswer[];
  /** Why its terms ended, oldest first. */
  readonly ends: readonly EndReason[];
  /** Tokens of its terms, oldest first. */
  readonly tokens: readonly number[];
  /** Faults from now on; the plan before is forgotten. */
  readonly meet: (plan: FaultPlan) => void;
}

export interface WriteAnswer {
  /** Which write. */
  readonly nonce: string;
  readonly kind: Written["kind"];
}

export interface Stage extends Omit<Pace, "observe"> {
  readonly world: VirtualWorld;
  readonly candidates: readonly Candidate[];
  candidate(node: string): Candidate;
  /** Stands until elected, while time passes. */
  elect(candidate: Candidate): Promise<Leadership>;
  /** Stops every election. */
  stop(): Promise<void>;
  /** As `stop`, but says nothing: a test that failed must show its own error. */
  close(): Promise<void>;
}

export function createStage(scene: Scene): Stage {
  const world = createVirtualWorld();
  const candidates: Candidate[] = [];
  const pace = createPace(world, () => lookAt(candidates));
  const elected: Elected[] = [];

  async function stop(): Promise<void> {
    const stops = candidates.map(async ({ election }) => election.stop({ drainMs: 0 }));
    await pace.settle(Promise.all(stops), 60 * ttlMs, "the stop of every election");
    lookAtTokens(elected);
  }

  return {
    ...pace,
    world,
    candidates,
    candidate(node) {
      const clock = world.createClock();
      // A clock starts when it is made; people set the wall clocks of machines to one time.
      clock.jump("wall", world.nowMs);
      const candidate = createCandidate(node, scene.store(), clock, pace, candidates.length + 1);
      candidate.election.on("elected", ({ token = 0 }) => elected.push({ node, token }));
      candidates.push(candidate);
      return candidate;
    },
    elect: async ({ election, node }) =>
      pace.settle(election.campaign(), 4 * ttlMs, `the election of ${node}`),
    stop,
    close: async () => stop().catch(() => {}),
  };
}

function createCandidate(
  node: string,
  store: Store,
  clock: VirtualClock,
  pace: Pace,
  seed: number,
): Candidate {
  const answers: WriteAnswer[] = [];
  const observed = noteAnswers(pace.observe(store), answers);
  let plan: FaultPlan = () => undefined;
  const election = openElection({
    name: "contract",
    node,
    ttlMs,
    store: faultyStore(observed, (call) => plan(call), clock),
    clock,
    chance: createChance(seed),
  });
  const ends: EndReason[] = [];
  const tokens: number[] = [];
  election.on("lost", ({ reason }) => ends.push(reason));
  election.on("elected", ({ token = 0 }) => tokens.push(token));
  return { node, clock, election, store, answers, ends, tokens, meet: (next) => void (plan = next) };
}

function noteAnswers(store: Store, answers: WriteAnswer[]): Store {
  return wrapStore(store, {
    read: async (...call) => store.read(...call),
    async write(key, record, expected, call) {
      const answer = await store.write(key, record, expected, call);
      answers.push({ nonce: record.nonce, kind: answer.kind });
      return answer;
    },
  });
}

interface Elected {
  readonly node: string;
  readonly token: number;
}

function lookAt(candidates: readonly Candidate[]): void {
  const believers = candidates.filter(({ election }) => election.leadership?.isCurrent === true);
  const nodes = believers.map(({ node }) => node).join(" and ");
  assert.ok(believers.length <= 1, `${nodes} believe to lead at one instant`);
}

function lookAtTokens(elected: readonly Elected[]): void {
  for (const [index, { node, token }] of elected.entries()) {
    const before = elected[index - 1]?.token ?? 0;
    assert.ok(token > before, `token ${token} of ${node} must be above ${before}, the token before it`);
  }
}
