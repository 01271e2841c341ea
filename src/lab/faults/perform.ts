/** Does to a world what a fault says. What finds nobody to happen to does nothing. */

import { renewalMs } from "../judge/law.js";
import { slowestRate } from "../settings.js";
import { seconds } from "../words.js";
import type { Halt } from "../world/machine.js";
import type { Actor } from "../world/cast.js";
import { Process } from "../world/process.js";
import { electionKey } from "../world/register.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { FileHost } from "../world/file-host.js";
import { losePower } from "../world/power-loss.js";
import type { Entry } from "../world/store-account.js";
import type { World } from "../world/world.js";
import type { Act, Verb } from "./fault.js";

type Performer<V extends Verb> = (world: World, act: Extract<Act, { verb: V }>) => void;

/** Long enough for a holder to renew and to be told. */
const calmMs = (2_500 + 2_000) / slowestRate + 1_000;

const halts = { stop: "freeze", block: "freeze", suspend: "suspend", "stop-host": "host" } as const;

const performers: { readonly [V in Verb]: Performer<V> } = {
  stop: halt,
  block: halt,
  suspend: halt,
  "stop-host": halt,
  jump(world, { who, clock, byMs }) {
    const process = world.cast.actor(who);
    if (process === undefined) return;
    world.say("fault", process.name, `${clock} clock jumps by ${seconds(byMs)}`);
    process.clock.jump(clock, byMs);
    if ("jumpedAt" in process) process.jumpedAt = world.nowMs;
    if ("twin" in process) process.twin?.clock.jump(clock, byMs);
  },
  kill(world, { who }) {
    const process = world.cast.actor(who);
    if (process !== undefined) world.cast.kill(process);
  },
  start(world, { who }) {
    if (world.cast.actor(who) === undefined) world.cast.start(who);
  },
  "shut-down"(world, { who }) {
    const process = world.cast.actor(who);
    if (process === undefined || process.halted || process.stopping) return;
    world.say("fault", process.name, "is told to stop");
    if (process instanceof Process) world.conduct.stops(process);
    void process.stop().then(() => {
      if (process instanceof Process) world.conduct.stopped(process);
      if (!process.dead) world.cast.kill(process);
    });
  },
  clone(world, { who }) {
    const original = world.cast.find(who);
    const clone = original && world.cast.clone(original);
    if (original === undefined || clone === undefined) return;
    world.clonesExist = true;
    world.power.count("clones");
    world.say("fault", original.name, `is cloned as ${clone.name}`);
    world.born(clone);
  },
  cut(world, { who, from, way, forMs }) {
    // Both images of a process stand on one machine.
    const slot = world.cast.actor(who)?.slot ?? who.replace("'", "");
    world.say("fault", slot, `is cut off from the ${from}${ways[way]} for ${seconds(forMs)}`);
    world.network.cut(slot, from, way, forMs);
  },
  transfer(world, { who, to }) {
    const asker = world.cast.find(who);
    world.say("fault", who, `asks for a transfer to ${to ?? "anybody"}`);
    asker?.also(({ election }) => {
      election.transfer(to === undefined ? {} : { to }).catch(() => {});
    });
  },
  resign(world, { who, to }) {
    world.cast.find(who)?.also((process) => {
      const { leadership, facts } = process;
      if (leadership?.isCurrent !== true) return;
      world.say("fault", process.name, `resigns in favour of ${to ?? "anybody"}`);
      // Who resigns on a campaign of its own says with it that the work is done.
      if (facts.style !== "runner") process.unsettled.delete(leadership.token);
      void leadership.resign(to === undefined ? {} : { to });
    });
  },
  outpace(world, { by }) {
    world.cast.leader?.also((process) => {
      const { leadership } = process;
      if (leadership?.isCurrent !== true) return;
      world.say("fault", process.name, `is outpaced by ${by}`);
      process.floor = leadership.token + by + 1;
      world.guarding.outpaces(leadership.token);
      leadership.outpaced(leadership.token + by);
    });
  },
  "stray-bid": (world) => strayBid(world),
  "stray-claim"(world, { token }) {
    const fence = world.installed?.guard?.strayClaim(token);
    if (fence !== undefined)
      world.say(
        "fault",
        "ledger",
        `is claimed by a stranger, with token ${fence.token}, the ${token === "same" ? "present one" : "one before"}`,
      );
  },
  try(world, { immediate }) {
    const { visitor } = world.cast;
    void visitor?.attempt(immediate).then((held) => {
      if (held !== undefined) world.law.toldHeld(visitor, held.token, held.askedAt);
    });
  },
  ineligible(world, { who, forMs }) {
    const process = world.cast.find(who);
    if (process === undefined) return;
    const set = (eligible: boolean) => {
      process.eligible = eligible;
      if (process.twin !== undefined) process.twin.eligible = eligible;
    };
    set(false);
    world.timers.after(forMs, () => set(true));
  },
  check(world, { who }) {
    const process = world.cast.actor(who);
    if (process !== undefined) world.look(process);
  },
  wipe: lose,
  delete: lose,
  "roll-back"(world, { writes, newEpoch, calm }) {
    const { register } = world;
    if (register.current === undefined) return;
    world.say("fault", "store", `is rolled back by ${writes} writes${newEpoch ? ", and says so" : ""}`);
    void register.rollBack(writes, newEpoch, calm);
    if (calm) keepCalm(world);
  },
  "put-back"(world) {
    const { account } = world.register;
    const [last] = account.log.slice(-1);
    if (last === undefined) return;
    world.say("fault", "store", "an operator writes the last record again");
    world.register.recreate(account.current ?? last);
  },
  spoil(world, { body, forMs }) {
    const { register } = world;
    if (!register.instant || register.current === undefined || register.spoiled) return;
    world.say("fault", "store", `holds what is ${body} for ${Math.round(forMs)} ms`);
    world.write(undefined, { event: "store", body });
    register.spoil(body);
    world.timers.after(forMs, () => {
      register.repair();
      world.write(undefined, { event: "store", body: "repaired" });
    });
  },
  stall(world, { what, forMs }) {
    world.say("fault", what, `stalls for ${seconds(forMs)}`);
    world.network.stall(what);
    world.timers.after(forMs, () => world.network.resume(what));
  },
  "jump-store"(world, { byMs }) {
    world.say("fault", "store", `its clock jumps by ${seconds(byMs)}`);
    world.register.jumpClock(byMs);
    world.installed?.stepStoreClock(byMs);
  },
  "fill-store"(world, { forMs }) {
    world.say("fault", "store", `has no room for ${seconds(forMs)}, and refuses writes`);
    world.network.full = true;
    world.timers.after(forMs, () => {
      world.network.full = false;
    });
  },
  evict(world, { what }) {
    world.say("fault", "store", what === "all" ? "evicts all keys" : "evicts what expires");
    world.installed?.evict(what);
    // A record of ours has no expiry.
    if (what === "all" && world.register.canLose && world.register.current !== undefined)
      world.register.remove("delete", false, false);
  },
  "lose-power": (world, { forMs }) => losePower(world, hostOf(world), forMs),
  "stall-disk"(world, { forMs }) {
    const { disk } = hostOf(world);
    world.say("fault", "store", `its disk stalls for ${seconds(forMs)}`);
    disk.stall();
    world.timers.after(forMs, () => disk.resume());
  },
  "fill-disk"(world, { forMs }) {
    const { disk } = hostOf(world);
    world.say("fault", "store", `its disk is full for ${seconds(forMs)}`);
    disk.full = true;
    world.timers.after(forMs, () => {
      disk.full = false;
    });
  },
  "fail-sync"(world, { of }) {
    world.say("fault", "store", `the next sync of a ${of} fails`);
    hostOf(world).disk.failNextSync(of);
  },
  lag(world, { forMs }) {
    world.say("fault", "store", `its replica lags for ${seconds(forMs)}`);
    world.register.lag();
    world.timers.after(forMs, () => world.register.catchUp());
  },
  split(world, { who, forMs }) {
    const slot = world.cast.find(who)?.slot;
    if (slot === undefined || world.settings.store !== "replicated") return;
    world.say("fault", "store", `fails over, and its old master goes on with ${slot} for ${seconds(forMs)}`);
    world.register.split([slot]);
    world.timers.after(forMs, () => {
      world.register.oldMaster = undefined;
    });
  },
  forget(world, { resource, what }) {
    const ledger = world.errands?.ledgers[resource];
    if (ledger === undefined) return;
    world.say("fault", resource, `forgets ${what === "last-claim" ? "its last claim" : "all claims"}`);
    ledger.forget(what);
    world.guarding.forgot(resource, ledger.watermark);
  },
  annotate: (world) => annotate(world),
  "fail-over"(world) {
    world.say("fault", "store", "fails over to its replica");
    world.register.failOver();
  },
  fate() {
    // The network does it to the call.
  },
};

const ways = {
  both: "",
  there: " (its calls are lost)",
  back: " (the answers are lost)",
  refused: " (its calls fail at once)",
};

/** Nobody but its callers can change what a foreign store holds. */
const losing: ReadonlySet<Verb> = new Set([
  "wipe",
  "delete",
  "roll-back",
  "put-back",
  "fail-over",
  "split",
  "lag",
  "spoil",
]);

const onDisk: ReadonlySet<Verb> = new Set(["lose-power", "stall-disk", "fill-disk", "fail-sync"]);

/** A shorter sleep may be missed by two readings of boot time (base/timeline.ts), and so by who says until when it believes. */
const shortestSleepMs = 50;

export function isPossible(world: World, { verb }: Act): boolean {
  const host = world.installed?.host;
  if (onDisk.has(verb)) return host !== undefined;
  // Nothing runs on a machine without power.
  if (verb === "start" && host?.off === true) return false;
  // It would wake when all faults end.
  if (verb === "suspend" && world.faultyUntilMs - world.nowMs < shortestSleepMs) return false;
  return world.register.canLose || !losing.has(verb);
}

function hostOf({ installed }: World): FileHost {
  if (installed?.host === undefined) throw new Error("this world has no disk");
  return installed.host;
}

export function perform<V extends Verb>(world: World, act: Extract<Act, { verb: V }>): void {
  const verb: V = act.verb;
  const performer: Performer<V> = performers[verb];
  performer(world, act);
}

function halt(
  world: World,
  { verb, who, forMs }: { readonly verb: keyof typeof halts; readonly who: string; readonly forMs: number },
): void {
  const process = world.cast.actor(who);
  if (process === undefined || process.halted || process.dead) return;
  const how: Halt = halts[verb];
  world.say("fault", process.name, `${haltWords[verb]} for ${seconds(forMs)}`);
  // What it announces of its deadline must come true: it goes on when all faults end, and not later.
  const lastsMs = how === "host" ? Math.min(forMs, Math.max(world.faultyUntilMs - world.nowMs, 0)) : forMs;
  if (how === "host" && process instanceof Process) world.deadlineMoves(process, lastsMs);
  process.halt(how, world.nowMs);
  world.timers.after(lastsMs, () => goOn(world, process, how));
}

/** What the world says of one, before the time it takes. */
export const haltWords = {
  stop: "is stopped",
  block: "its event loop is blocked",
  suspend: "its machine sleeps",
  "stop-host": "its host stands still, with all clocks,",
};

function goOn(world: World, process: Actor, how: Halt): void {
  if (process.dead) return;
  world.say("fault", process.name, "goes on");
  process.resume(how, world.nowMs);
  // Sometimes the work looks before anything else does, sometimes what was waiting comes first.
  if (world.dice.happens(0.6)) world.look(process);
}

function lose(
  world: World,
  {
    verb,
    newEpoch,
    calm,
  }: { readonly verb: "wipe" | "delete"; readonly newEpoch: boolean; readonly calm: boolean },
): void {
  if (world.register.current === undefined) return;
  world.say("fault", "store", verb === "wipe" ? "is emptied" : "has its record deleted");
  world.register.remove(verb, newEpoch, calm);
  if (calm) keepCalm(world);
}

/** Whoever led must notice with its next renewal. */
function keepCalm(world: World): void {
  world.calmUntilAt = world.nowMs + calmMs;
  world.network.heal();
  const lost = world.register.account.losses.at(-1)?.lost ?? [];
  for (const process of world.cast.living) {
    const token = process.believes() ? process.term?.token : undefined;
    if (token === undefined) continue;
    world.timers.after(renewalMs(process) + 300, () => {
      const forgotten = lost.some(({ record, acknowledged }) => acknowledged && record.token === token);
      const still = process.believes() && process.term?.token === token;
      if (forgotten && still && world.register.current?.record.token !== token && world.faulty)
        world.breaks(`${process.name} has not noticed that the store forgot its term`);
    });
  }
}

function annotate(world: World): void {
  const { current, spoiled } = world.register;
  if (current?.record.state !== "held" || spoiled) return;
  world.say("fault", "store", "a later release adds a field to the record");
  writeAsStranger(world, current, world.freshId(), { unknown: { later: "release" } });
}

/** A candidate of another make bids for what is not meant for it. */
function strayBid(world: World): void {
  const { register } = world;
  const { current } = register;
  const request = current?.record.request;
  if (current?.record.state !== "held" || request?.to === undefined || current.record.bid !== undefined)
    return;
  const writer = world.freshId();
  const bid = { instance: writer, node: "stranger", requestId: request.id };
  writeAsStranger(world, current, writer, { bid });
}

function writeAsStranger(
  world: World,
  current: Entry,
  writer: string,
  change: Pick<LeaseRecord, "bid" | "unknown">,
): void {
  const { register } = world;
  const { version: expected } = current;
  const nonce = world.freshId();
  const seen = { kind: "read", version: expected, nonce: current.record.nonce } as const;
  world.calls?.begin(electionKey, "stranger", { kind: "read" }).answered(seen);
  world.calls?.begin(electionKey, "stranger", { kind: "write", nonce, expected });
  const written = register.write({
    by: { id: "stranger", openedEpoch: register.epoch },
    record: { ...current.record, writer, nonce, ...change },
    expected,
    absence: "waited",
    takeover: "observed",
    sentAt: world.nowMs,
  });
  // It does not wait for its answer, whatever that is.
  if (written instanceof Promise) written.catch(() => {});
}
