/** The printed bounds, measured: crashes and stuck work at random instants, over the shipped core and runner. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { LeaseOptions } from "../../src/lease/lease.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { scripted } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

type Timing = Omit<LeaseOptions, "store">;

const optionSets: readonly Timing[] = [
  {},
  { ttlMs: 1_000 },
  { ttlMs: 3_000, renewMs: 200 },
  { ttlMs: 6_000, renewMs: 2_000, requestTimeoutMs: 500 },
  { ttlMs: 10_000, renewMs: 600, requestTimeoutMs: 1_000 },
];
const crashCount = 200;
const stuckCount = 40;
/** A bound that nothing comes near is no bound. */
const leastReached = 0.8;

/** A leader that has led for `ledMs` with one follower behind it, which hears no hints. */
async function pair(timing: Timing, seed: string, ledMs: number) {
  const world = createVirtualWorld();
  const inner = memoryStore();
  const wire = scripted(inner, world.createClock());
  let lastWriteMs = 0;
  wire.fate = ({ kind }) => {
    if (kind === "write") lastWriteMs = world.nowMs;
    return "normal";
  };
  const leader = createCandidate(world, `leader-${seed}`, { ...timing, store: wire, drainMs: 4_000 });
  const running = leader.election.run(() => new Promise(() => {}));
  await world.advance(1);
  const deaf = scripted(inner, world.createClock(), { watch: () => {} });
  const follower = createCandidate(world, `follower-${seed}`, { ...timing, store: deaf });
  let followedMs: number | undefined;
  let overlapped = false;
  follower.election.on("elected", () => {
    followedMs = world.nowMs;
    overlapped = leader.election.leadership !== undefined;
  });
  void follower.election.campaign();
  await world.advance(ledMs);
  /** True time at which the follower led, to the instant. */
  async function followed(limitMs: number): Promise<number> {
    await until(world, () => followedMs !== undefined, limitMs, 200);
    expect(overlapped).toBe(false);
    return followedMs ?? Number.NaN;
  }
  return { world, leader, running, followed, lastWriteMs: () => lastWriteMs };
}

/** The same fractions in every run: low discrepancy fills the period evenly. */
const phase = (index: number) => (index * 0.618_033_988_75) % 1;

describe.each(optionSets)("with %j", (timing) => {
  const ttlMs = timing.ttlMs ?? 15_000;

  it(`when ${crashCount} leaders crash, nobody overlaps and each is replaced within leaderlessMs of its last renewal`, async () => {
    let worst = 0;
    let bound = 0;
    for (let index = 0; index < crashCount; index += 1) {
      const ledMs = ttlMs * (0.7 + phase(index));
      const { leader, followed, lastWriteMs } = await pair(timing, `${index}`, ledMs);
      leader.clock.freeze();
      worst = Math.max(worst, (await followed(ttlMs * 2)) - lastWriteMs());
      bound = leader.election.budget.leaderlessMs;
    }
    expect(worst).toBeLessThanOrEqual(bound);
    expect(worst).toBeGreaterThanOrEqual(bound * leastReached);
  }, 60_000);

  it(`when work overruns its drain ${stuckCount} times, the next leader comes within stuckWorkMs of the end`, async () => {
    let worst = 0;
    let bound = 0;
    for (let index = 0; index < stuckCount; index += 1) {
      const { world, leader, followed } = await pair(timing, `${index}`, ttlMs * (0.7 + phase(index)));
      const endedAt = world.nowMs;
      void leader.election.leadership?.resign();
      bound = leader.election.budget.stuckWorkMs;
      worst = Math.max(worst, (await followed(bound * 2)) - endedAt);
    }
    expect(worst).toBeLessThanOrEqual(bound);
    expect(worst).toBeGreaterThanOrEqual(bound * leastReached);
  }, 60_000);
});
