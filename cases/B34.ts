import { expect } from "vitest";
import type { Leadership } from "../src/election/api.js";
import { fencesOn } from "../src/fence/claims.js";
import type { KeptGuard } from "./support/keeping.js";
import { oncePerTick, workPerTick } from "../src/fence/once-per-tick.js";
import type { TickRecord } from "../src/fence/once-per-tick.js";
import type { ValueTransaction } from "../src/fence/value-guard.js";
import { defineCase } from "./support/case.js";
import type { Actor, Stage } from "./support/stage.js";
import { until } from "../test/support/virtual.js";

interface Jobs {
  ticks: string | null;
  readonly runs: string[];
}

const everyMs = 5_000;
const tickCount = 12;
const record: TickRecord<ValueTransaction<Jobs>> = {
  read: (tx) => tx.value.ticks,
  write: (tx, _schedule, text) => void (tx.value.ticks = text),
};

/** Where one writes the instant in UTC, another one may write it in the zone of its people. */
function written(atMs: number, { node }: Actor): string {
  const utc = new Date(atMs).toISOString();
  return node === "b" ? new Date(atMs + 3_600_000).toISOString().replace("Z", "+01:00") : utc;
}

/** A replica with a timer of its own: stands for each tick when its clock says so, and gives the lease back at once. */
async function replica(actor: Actor, jobs: KeptGuard<Jobs>, fromMs: number): Promise<void> {
  const { clock, election } = actor;
  for (let index = 0; index < tickCount; index += 1) {
    const atMs = fromMs + index * everyMs;
    await new Promise<void>((resolve) => void clock.setTimer(atMs - clock.wallMs(), resolve));
    const tick = written(atMs, actor);
    const run = ({ value }: ValueTransaction<Jobs>) => void value.runs.push(new Date(atMs).toISOString());
    await election.runOnce(
      fencesOn(
        clock,
        { jobs },
        ({ jobs: handle }) => oncePerTick(handle, { schedule: "s", tick, record, remember: 8 }, run),
        {},
      ),
    );
  }
}

/** Begins the work of a tick and stands still in the middle of it. */
async function interruptedWork(stage: Stage, jobs: KeptGuard<Jobs>, tick: string): Promise<number> {
  const [former, successor] = [stage.idle("former"), stage.idle("successor")];
  let began = 0;
  const work = ({ clock }: Actor, lasts: (leadership: Leadership) => Promise<void>) =>
    fencesOn(
      clock,
      { jobs },
      async ({ jobs: handle }, leadership: Leadership) =>
        workPerTick(handle, { schedule: "work", tick, record }, async () => {
          began += 1;
          await lasts(leadership);
        }),
      {},
    );
  former.election.runOnce(work(former, async () => new Promise(() => {}))).catch(() => {});
  await until(stage.world, () => began === 1, 60_000);
  stage.fault();
  former.clock.freeze();
  const told = successor.election.runOnce(work(successor, async () => {}));
  await until(stage.world, () => successor.events.includes("released released"), 60_000);
  expect(await told).toMatchObject({ kind: "interrupted" });
  return began;
}

export const caseB34 = defineCase({
  id: "B34",
  fault:
    "a job is locked for as long as it runs, and the clocks of the replicas differ by more than that: each of them finds the lock free",
  mustHold:
    "each tick runs once, also for a replica that asks when ticks of its age are forgotten, and work that was begun is not begun again by whoever was not told to",
  injected:
    "three replicas whose clocks are 0, 300 ms and 2 s ahead stand for each of 12 ticks, of which 8 are remembered, and give the lease back at once; a fourth asks for all of them afterwards; a leader stands still in the middle of work",
  mutants: ["G8-mark-ignored", "G8-tick-as-written", "G8-floor-ignored", "G8-begun-unmarked"],
  faultCount: 4,
  async run(stage) {
    const jobs = stage.values<Jobs>("jobs", { ticks: null, runs: [] });
    const replicas = [0, 300, 2_000].map((aheadMs, at) => {
      const actor = stage.idle("abc".charAt(at));
      actor.clock.jump("wall", aheadMs);
      if (aheadMs > 0) stage.fault();
      return actor;
    });
    const fromMs = stage.world.createClock().wallMs() + everyMs;
    const asking = Promise.all(replicas.map(async (actor) => replica(actor, jobs, fromMs)));
    await stage.world.advance((tickCount + 2) * everyMs);
    await asking;
    const late = stage.idle("late");
    late.clock.jump("wall", 24 * 3_600_000);
    stage.fault();
    const lateAsking = replica(late, jobs, fromMs);
    await stage.world.advance(60_000);
    await lateAsking;
    const ticks = Array.from({ length: tickCount }, (_, at) => new Date(fromMs + at * everyMs).toISOString());
    expect((await jobs.inspect()).value.runs).toEqual(ticks);
    const work = stage.values<Jobs>("work", { ticks: null, runs: [] });
    expect(await interruptedWork(stage, work, ticks[0] ?? "")).toBe(1);
  },
});
