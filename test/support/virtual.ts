/** Elections on virtual clocks: the shipped core, runner and election layer, with time in a test's hand. */

import type { Chance } from "../../src/base/random.js";
import type { VirtualClock, VirtualWorld } from "../../src/base/virtual-clock.js";
import type { Election, Leadership } from "../../src/election/api.js";
import { buildElection } from "../../src/election/election.js";
import type { CommonOptions } from "../../src/election/options.js";
import { lease, type LeaseOptions } from "../../src/lease/lease.js";

export interface Candidate {
  readonly election: Election<Leadership>;
  readonly clock: VirtualClock;
  /** What happened, in order: "elected 123", "lost deadline" … */
  readonly events: string[];
  readonly history: string[];
}

/** Ids and jitter that repeat from run to run. */
export function countingChance(prefix: string): Chance {
  let count = 0;
  let state = [...prefix].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_521, 7);
  return {
    id: () => `${prefix}-${(count += 1)}`,
    fraction: () => {
      state = (state * 48_271 + 11) % 2_147_483_647;
      return (state % 10_000) / 10_000;
    },
  };
}

export function createCandidate(
  world: VirtualWorld,
  node: string,
  options: LeaseOptions & Partial<CommonOptions>,
): Candidate {
  const clock = world.createClock();
  const history: string[] = [];
  const events: string[] = [];
  const election = buildElection(
    lease(options),
    { name: "job", node, history: (line) => history.push(line), ...options },
    { clock, chance: countingChance(node) },
  );
  election.on("elected", ({ token }) => events.push(`elected ${token}`));
  election.on("lost", ({ reason }) => events.push(`lost ${reason}`));
  election.on("released", ({ outcome }) => events.push(`released ${outcome}`));
  election.on("uncertain", () => events.push("uncertain"));
  election.on("confirmed", () => events.push("confirmed"));
  election.on("workFailed", () => events.push("workFailed"));
  return { election, clock, events, history };
}

/** Lets time pass until `condition` holds; a test that waits in vain fails instead of running for ever. */
export async function until(
  world: VirtualWorld,
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
  stepMs = 10,
): Promise<void> {
  const end = world.nowMs + limitMs;
  while (!(await condition())) {
    if (world.nowMs >= end) throw new Error(`nothing happened within ${limitMs} ms of virtual time`);
    await world.advance(stepMs);
  }
}
