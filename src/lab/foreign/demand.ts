/**
 * What foreign parts are asked for once all faults are over: that one leads, that it leaves when it is told to, and
 * that what it writes is applied. Bounds are wide: whoever is correct and slow must meet them.
 */

import { maxTtlMs, slowestRate } from "../settings.js";
import type { ElectorProcess } from "../world/elector-process.js";
import type { World } from "../world/world.js";

const stepMs = 500;
/** For a leader to follow one that died: its ttl, twice over, and as much again for looking and trying. */
const leaderWithinMs: number = Math.ceil((4 * maxTtlMs) / slowestRate) + 2_000;
/** Terms that end by themselves, and others that begin. */
const graceMs = 20_000;
const stopWithinMs: number = Math.ceil((2 * maxTtlMs) / slowestRate);
/** For another leader, where the present one writes nothing, and for its claim. */
const writeWithinMs = 4 * maxTtlMs;

export async function demandElector(world: World): Promise<void> {
  world.say("process", "world", `all faults are over: one elector is due within ${leaderWithinMs} ms`);
  const fromMs = world.nowMs;
  const one = () => passing(world).length === 1;
  await until(world, one, leaderWithinMs);
  // Others have not seen enough of it until then to stand back for good.
  await advance(world, maxTtlMs);
  if (!(await until(world, one, graceMs)) && !world.over) {
    const names = passing(world).map(({ name }) => name);
    const timers = world.cast.electors.reduce((sum, { parts }) => sum + parts.timerCount, 0);
    const idle = timers === 0 ? "; none of them has ever set a timer on the clock it was given" : "";
    world.breaks(
      `createElector: ${names.length === 0 ? "nobody passes" : `${names.join(" and ")} pass`} check() ` +
        `${Math.round(world.nowMs - fromMs)} ms after the last fault${idle}${world.installed?.hints() ?? ""}`,
    );
  }
}

/** The leader leaves, another one follows; then all leave, and nothing of them is left. */
export async function endElectors(world: World): Promise<void> {
  const [leader] = passing(world);
  if (leader === undefined || world.over) return;
  await stopAll(world, [leader]);
  if (!world.over) await demandElector(world);
  const others = world.cast.livingElectors.filter((process) => process !== leader);
  if (!world.over) await stopAll(world, others);
  if (world.over) return;
  // A request that is under way may have its timeout.
  await advance(world, stopWithinMs);
  const calls = world.cast.livingElectors.map(({ wire }) => wire.callCount);
  await advance(world, maxTtlMs);
  for (const [place, process] of world.cast.livingElectors.entries())
    judgeRest(world, process, calls[place] ?? 0);
}

function judgeRest(world: World, { name, parts, wire }: ElectorProcess, callCount: number): void {
  const sinceMs = stopWithinMs + maxTtlMs;
  if (parts.pendingCount > 0)
    world.breaks(
      `createElector: ${name} has ${parts.pendingCount} timers left ${sinceMs} ms after stop() has settled`,
    );
  if (wire.callCount > callCount)
    world.breaks(`createElector: ${name} still calls its store ${sinceMs} ms after stop() has settled`);
}

async function stopAll(world: World, processes: readonly ElectorProcess[]): Promise<void> {
  for (const process of processes) {
    world.say("process", process.name, "is told to stop");
    void process.stop();
  }
  const open = () => processes.filter(({ stoppedAt }) => stoppedAt === undefined);
  if (await until(world, () => open().length === 0, stopWithinMs)) return world.lookAtBelievers();
  for (const { name } of open())
    world.breaks(`createElector: stop() of ${name} has not settled within ${stopWithinMs} ms`);
}

/** Whoever leads writes, and a guard that works applies it. */
export async function demandWrite(world: World): Promise<void> {
  const guard = world.installed?.guard;
  if (guard === undefined || world.settings.writeEveryMs === 0) return;
  const { visitor } = world.cast;
  if (visitor?.believes() === true) world.cast.kill(visitor);
  const before = guard.appliedCount;
  const applied = () => guard.appliedCount > before;
  if ((await until(world, applied, writeWithinMs)) || world.over) return;
  const hints = world.installed?.hints() ?? "";
  world.breaks(`createGuard: no write was applied within ${writeWithinMs} ms after the last fault${hints}`);
}

function passing(world: World): readonly ElectorProcess[] {
  return world.cast.livingElectors.filter((process) => process.believes());
}

async function advance(world: World, ms: number): Promise<void> {
  await until(world, () => false, ms);
}

async function until(world: World, done: () => boolean, ms: number): Promise<boolean> {
  for (let passedMs = 0; passedMs < ms && !world.over; passedMs += stepMs) {
    if (done()) return true;
    await world.time.advance(stepMs);
  }
  return done();
}
