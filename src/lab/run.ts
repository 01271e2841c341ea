/**
 * One run: a time of faults, then healing that demands progress, then the verdict.
 *
 * Safety and liveness are asked apart. In a safety run faults last as long as they may, and nobody asks for a leader
 * until the end. In a liveness run they come in short spells, and after each one a leader is demanded.
 */

import type { Fault } from "./faults/fault.js";
import { isPossible, perform } from "./faults/perform.js";
import { demandElector, demandWrite, endElectors } from "./foreign/demand.js";
import type { Parts } from "./foreign/parts.js";
import { shown } from "./foreign/plain.js";
import { connectElector } from "./foreign/connect-elector.js";
import { differenceOf } from "./foreign/repeats.js";
import { hearing } from "./foreign/unhandled.js";
import type { Counts } from "./judge/power.js";
import { verdict } from "./judge/verdict.js";
import { maxTtlMs, type Settings, slowestRate } from "./settings.js";
import { connect } from "./world/connect.js";
import { visitorSlot } from "./world/cast.js";
import { type CreateDirector, World, type Machinery } from "./world/world.js";

export interface RunPlan {
  readonly seed: number;
  readonly settings: Settings;
  readonly director: CreateDirector;
  /** How long the run lasts, ms; the healing at its end comes on top. */
  readonly faultyMs: number;
  /** `told`: all that is written down happens, whatever breaks, and no leader is demanded after it. */
  readonly kind: "safety" | "liveness" | "told";
  readonly recording: boolean;
  /** Called now and then while time passes, so that somebody else can tell a long run from one that hangs. */
  readonly onPassed?: () => void;
  /** Brought by somebody else. */
  readonly parts?: Parts;
  /** Goes on after something broke, for counts. */
  readonly counting?: boolean;
}

export interface Outcome {
  readonly plan: RunPlan;
  readonly seed: number;
  readonly broken: readonly string[];
  /** What the docs say may happen in such a world. */
  readonly admitted: readonly string[];
  readonly counts: Counts;
  readonly faults: readonly Fault[];
  readonly simulatedMs: number;
  readonly world: World;
}

const tickMs = 2_000;
/** Of a liveness run. */
const spellMs = 30_000;
/** For the world to look up and see whether it is over. */
const sliceMs = 2_000;

const machinery: Machinery = { isPossible, perform, connect, connectElector };

export async function run(plan: RunPlan): Promise<Outcome> {
  const outcome = await runOnce(plan);
  if (plan.parts === undefined || outcome.broken.length === 0) return outcome;
  // Whoever looks for the mistake needs to know whether it comes again.
  const difference = differenceOf(outcome, await runOnce(plan));
  return difference === undefined ? outcome : { ...outcome, broken: [...outcome.broken, difference] };
}

async function runOnce(plan: RunPlan): Promise<Outcome> {
  const world = new World({ ...plan, machinery });
  if (plan.parts === undefined) return judged(world, plan);
  const unheard = (cause: unknown) =>
    world.breaks(`a promise was rejected and nobody heard: ${shown(cause)}`);
  return hearing(unheard, async () => judged(world, plan));
}

async function judged(world: World, plan: RunPlan): Promise<Outcome> {
  const admitted: string[] = [];
  try {
    begin(world);
    world.faultyUntilMs = plan.faultyMs;
    if (plan.kind === "told") await pass(world, plan.faultyMs);
    else if (plan.kind === "safety") await spell(world, plan.faultyMs);
    else while (world.nowMs < plan.faultyMs && !world.over) await spell(world, spellMs);
    if (world.createElector !== undefined && plan.kind !== "told") await endElectors(world);
    world.broken.push(...callStories(world));
    world.broken.unshift(...(world.installed?.stories() ?? []));
    if (!world.over) {
      const said = verdict(world, world.power);
      world.broken.push(...said.broken);
      admitted.push(...said.admitted);
    }
  } catch (cause) {
    world.breaks(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  const { broken, power, faults, nowMs } = world;
  return { plan, seed: plan.seed, broken, admitted, counts: power.counts, faults, simulatedMs: nowMs, world };
}

/** What no register answers so, of those who called the store. */
function callStories({ calls, register, over }: World): readonly string[] {
  // Bytes that were written again under another version are two writes with one nonce, which no register has.
  if (calls === undefined || over || register.account.rewritten) return [];
  return calls.stories(
    register.account.stands.map(({ at, version }) => ({ kind: "loss", at, left: version })),
  );
}

function begin(world: World): void {
  const { slots, late, visitor } = world.settings;
  for (const slot of slots) if (!late.includes(slot)) world.cast.start(slot);
  if (visitor) world.cast.start(visitorSlot);
  world.timers.every(tickMs, () => tick(world));
}

function tick(world: World): void {
  for (const process of world.cast.living) {
    world.law.watch(process);
    if (world.register.spoiled) world.conduct.hears(process);
  }
  world.conduct.watch();
  world.guarding.watch();
  world.lookAtBelievers();
  const { visitor } = world.cast;
  const view = visitor?.election.status.leader;
  // A machine that sleeps sees nothing, nor does one that the store does not answer.
  const looks = visitor?.halted === false && world.nowMs - visitor.seen.answeredAt <= tickMs;
  if (looks && view?.kind === "held" && !view.self)
    world.write(visitor, { event: "observed", instance: "", token: view.token ?? 0 });
}

async function spell(world: World, faultyMs: number): Promise<void> {
  world.faulty = true;
  world.faultyUntilMs = world.nowMs + faultyMs;
  world.director.begin();
  await pass(world, faultyMs);
  if (!world.over) await heal(world);
}

async function pass(world: World, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms && !world.over; passedMs += sliceMs) {
    await world.time.advance(Math.min(sliceMs, ms - passedMs));
    world.onPassed?.();
  }
}

/** The last faults happen: what is stopped goes on, what is on its way arrives, who is down comes back. */
async function heal(world: World): Promise<void> {
  world.faulty = false;
  world.network.heal();
  world.register.catchUp();
  world.installed?.host?.disk.heal();
  world.timers.flush();
  world.plans.after(0, () => {
    world.director.end();
    world.plans.flush();
  });
  await world.time.advance(1);
  // Whoever was told to leave has had its time.
  for (const process of world.cast.livingElectors) if (process.stopping) world.cast.kill(process);
  for (const slot of world.settings.slots)
    if (world.cast.actor(slot) === undefined && world.cast.find(`${slot}'`) === undefined)
      world.cast.start(slot);
  await (world.createElector === undefined ? demandLeader(world) : demandElector(world));
  await demandWrite(world);
}

/** The store knows of no token as high as a resource does, which may end the next term while its work drains. */
function forgotTokens({ register, ledger, errands }: World): boolean {
  const ledgers = [ledger, ...Object.values(errands?.ledgers ?? {})];
  const known = register.current?.record.token ?? 0;
  return ledgers.some(({ watermark }) => watermark > known);
}

async function demandLeader(world: World): Promise<void> {
  const { living } = world.cast;
  const stuck = living.some(({ unsettled }) => unsettled.size > 0) || forgotTokens(world);
  // Whoever is dead by now may have left a record of a longer ttl.
  const longest = Math.max(...world.cast.processes.map(({ election }) => election.budget.leaderlessMs));
  // What a store that has just come back shows as given back is waited for, and so is a lease that is not the longest.
  const { register, settings } = world;
  const shorter = settings.ttlsMs.some((ttlMs) => ttlMs < maxTtlMs);
  const doubts = register.doubtsFor(longest) || (shorter && register.doubtsHeldFor(longest));
  const doubtedMs = doubts ? maxTtlMs : 0;
  const drainsMs = stuck ? 2 * world.settings.drainMs : 0;
  // Each of the few steps to a leader waits for the store.
  const slowMs = 10 * (world.installed?.store?.slowestMs ?? 0);
  const withinMs = Math.ceil((longest + doubtedMs + drainsMs + slowMs) / slowestRate) + 1_000;
  world.say("process", "world", `all faults are over: one leader is due within ${withinMs} ms`);
  world.write(undefined, { event: "leader-by", withinMs });
  await pass(world, withinMs);
  const leaders = () => world.cast.living.filter((process) => process.believes());
  // A handover or a term that ends by itself at this very instant is no failure.
  for (let tries = 0; tries < 40 && leaders().length !== 1 && !world.over; tries += 1)
    await world.time.advance(500);
  const found = leaders();
  if (!world.over && found.length !== 1) {
    const names = found.map(({ name }) => name).join(", ");
    const hints = world.installed?.hints() ?? "";
    world.breaks(`${found.length} lead after the last fault: ${names}${hints}`);
  }
}
