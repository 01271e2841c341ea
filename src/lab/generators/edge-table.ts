/** The edges at which the second generator strikes, each by name. */

import type { HistoryEvent } from "../../history/line.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Dice } from "../dice.js";
import type { Act, CallKind, Fate } from "../faults/fault.js";
import { type Sender, whoOf } from "../world/network.js";
import type { Process } from "../world/process.js";
import type { Entry } from "../world/store-account.js";
import { msOf } from "../world/stamp.js";
import type { World } from "../world/world.js";

/** What an edge may use to strike. */
export interface Strike {
  readonly world: World;
  readonly dice: Dice;
  readonly after: (ms: number, act: Act | (() => void)) => void;
  /** The next call of that kind that this process sends meets this. */
  readonly meet: (process: Process, call: CallKind, fate: Fate) => void;
  readonly crash: (process: Process, afterMs: number, backAfterMs: number) => void;
}

export interface Edge {
  begin?(strike: Strike): void;
  onSent?(strike: Strike, process: Process, record: LeaseRecord): void;
  onEntry?(strike: Strike, entry: Entry): void;
  onTold?(strike: Strike, process: Process, event: HistoryEvent): void;
  fate?(strike: Strike, sender: Sender, call: CallKind): Fate | undefined;
}

function isTake(record: LeaseRecord, before: LeaseRecord | undefined): boolean {
  return record.state === "held" && record.instance !== before?.instance;
}

/** V and the ttl of a process, in true time. */
function beliefOf({ facts, rate }: Process): number {
  return facts.ttlMs / 1.5 / rate;
}

function ttlOf({ facts, rate }: Process): number {
  return facts.ttlMs / rate;
}

/** Close to an instant, on either side of it. */
function around(dice: Dice, ms: number, byMs: number): number {
  return Math.max(ms + dice.between(-byMs, byMs), 0.01);
}

/** The leader is cut off; shortly before its deadline it looks, stops, sleeps, or its clocks jump. */
const deadline: Edge = {
  onTold({ dice, world, after }, process, event) {
    if ((event.event !== "elected" && event.event !== "extended") || !dice.happens(0.15)) return;
    const who = whoOf(process);
    const leftMs = msOf(event.until) - world.nowMs;
    const way = dice.pick(["both", "there", "back"] as const);
    after(0.01, {
      verb: "cut",
      who: process.slot,
      from: "store",
      way,
      forMs: around(dice, leftMs, dice.pick([50, 3_000])),
    });
    after(leftMs * dice.between(0.95, 1), { verb: "check", who });
    after(leftMs + dice.between(0.01, 5), { verb: "check", who });
    const beforeMs = Math.max(leftMs - dice.pick([1, 20, 500]) * dice.fraction(), 0.01);
    const forMs = dice.between(50, ttlOf(process));
    switch (dice.below(6)) {
      case 0:
        return after(beforeMs, { verb: "stop", who, forMs });
      case 1:
        return after(beforeMs, { verb: "block", who, forMs });
      case 2:
        return after(beforeMs, { verb: "suspend", who, forMs });
      case 3:
        return after(beforeMs, { verb: "jump", who, clock: "wall", byMs: -dice.between(0, 60_000) });
      case 4:
        return after(beforeMs, { verb: "jump", who, clock: "boot", byMs: dice.between(0, 60_000) });
      default:
        return undefined;
    }
  },
};

/** The answer to a renewal or a take comes when belief would end. */
const lateAnswer: Edge = {
  onSent({ dice, meet }, process, { state }) {
    if (state !== "held" || !dice.happens(0.12)) return;
    meet(process, "write", {
      kind: "late-reply",
      byMs: around(dice, beliefOf(process), dice.pick([30, 2_000])),
    });
  },
};

/** A write comes into force late: when the next renewal is due, at the deadline, when others take over. */
const lateWrite: Edge = {
  onSent({ dice, meet }, process) {
    if (!dice.happens(0.1)) return;
    const [renewMs, vMs, ttlMs] = [ttlOf(process) / 6, beliefOf(process), ttlOf(process)];
    const byMs = around(dice, dice.pick([renewMs, vMs, ttlMs]), dice.pick([5, 300]));
    meet(process, "write", { kind: dice.pick(["late-execution", "twice", "resent"]), byMs });
  },
};

/** A process dies between a write and its answer, and somebody with its name is back at once. */
const dyingWriter: Edge = {
  onSent({ dice, crash }, process) {
    if (process.facts.style === "visitor" || !dice.happens(0.05)) return;
    crash(process, dice.between(0.01, 20), dice.pick([0.01, 500, 16_000]));
  },
};

/** A candidate stops right after it has sent its take, until others may have taken over from it. */
const stoppedTaker: Edge = {
  onEntry({ dice, world, after }, { record, before, by }) {
    const taker = world.cast.named(by);
    if (taker === undefined || !isTake(record, before?.record) || !dice.happens(0.3)) return;
    const forMs = around(dice, dice.pick([beliefOf(taker), ttlOf(taker)]), 1_000);
    after(dice.between(0.01, 2), { verb: dice.pick(["stop", "suspend"]), who: whoOf(taker), forMs });
  },
};

/** Each step of a handover loses one of those who take part in it. */
const handover: Edge = {
  begin: askAgain,
  onEntry(strike, { record, before }) {
    const { dice, world, after, crash } = strike;
    const old = before?.record;
    const step =
      (record.request !== undefined && record.request.id !== old?.request?.id) ||
      (record.bid !== undefined && old?.bid === undefined) ||
      (record.state !== old?.state && record.state !== "held") ||
      (old?.state === "offered" && record.state === "held");
    if (!step || !dice.happens(0.35)) return;
    const { living } = world.cast;
    const process = dice.pick(living);
    const who = whoOf(process);
    const soonMs = dice.between(0.01, 10);
    switch (dice.below(4)) {
      case 0:
        if (process.facts.style !== "visitor") crash(process, soonMs, dice.between(10, 10_000));
        return undefined;
      case 1:
        return after(soonMs, { verb: "stop", who, forMs: dice.between(100, 20_000) });
      case 2:
        return after(soonMs, {
          verb: "cut",
          who: process.slot,
          from: "store",
          way: dice.pick(["both", "there", "back"]),
          forMs: dice.between(500, 20_000),
        });
      default:
        return after(soonMs, { verb: "stray-bid" });
    }
  },
};

function askAgain(strike: Strike): void {
  const { dice, world, after } = strike;
  after(dice.between(1_000, 20_000), () => {
    const to = dice.happens(0.5) ? undefined : dice.pick([...world.settings.slots, "nobody"]);
    const asker = dice.pick(world.cast.living);
    world.perform({
      verb: dice.pick(["transfer", "transfer", "resign"]),
      who: dice.happens(0.4) ? "leader" : whoOf(asker),
      ...(to !== undefined && { to }),
    });
    askAgain(strike);
  });
}

/** The store forgets what it has just acknowledged, or is about to. */
const forgetting: Edge = {
  onEntry({ dice, world, after, crash }, { record, before }) {
    const promising = isTake(record, before?.record) || record.state !== "held";
    if (!dice.happens(promising ? 0.1 : 0.01)) return;
    const afterMs = dice.pick([0.01, 3, 400]) + dice.fraction();
    const newEpoch = dice.happens(0.6);
    const memory = world.settings.store === "memory";
    if (dice.happens(0.5)) after(afterMs, { verb: "wipe", newEpoch: newEpoch || memory, calm: false });
    else after(afterMs, { verb: "roll-back", writes: 1 + dice.below(3), newEpoch, calm: false });
    // Whoever comes new has never seen the name.
    const [other] = world.cast.living.filter(
      ({ facts, name }) => facts.style !== "visitor" && !name.endsWith("'"),
    );
    if (other !== undefined && dice.happens(0.5)) crash(other, afterMs + 1, dice.between(0.01, 300));
  },
};

/** Between the check of a leader and the write behind it, its process stops; or the write arrives very late. */
const staleWriter: Edge = {
  fate({ dice, world, after }, sender, call) {
    if (!call.startsWith("ledger") || !dice.happens(0.06)) return undefined;
    const process = world.cast.named(sender.name);
    if (process === undefined) return undefined;
    const ttlMs = ttlOf(process);
    if (call === "ledger-read" || dice.happens(0.5)) {
      after(0.01, { verb: "stop", who: whoOf(sender), forMs: around(dice, ttlMs * 1.3, ttlMs / 2) });
      return undefined;
    }
    return { kind: dice.pick(["late-execution", "twice"]), byMs: around(dice, ttlMs * 1.2, ttlMs / 2) };
  },
};

/** The store stands still with a renewal in it, until belief is over or others may take over. */
const frozenStore: Edge = {
  onSent({ dice, after }, process, { state }) {
    if (state !== "held" || !dice.happens(0.04)) return;
    const forMs = around(dice, dice.pick([beliefOf(process), ttlOf(process)]), dice.pick([50, 2_000]));
    after(0.01, { verb: "stall", what: "store", forMs });
  },
};

/** A process image runs twice, from an instant at which it has something under way. */
const clone: Edge = {
  onSent({ dice, world, after }, process) {
    if (process.twin === undefined || !dice.happens(0.08)) return;
    const { slot } = process;
    after(dice.between(0.01, 5), { verb: "clone", who: slot });
    if (dice.happens(0.5))
      after(dice.between(5, 10), {
        verb: "stop",
        who: dice.pick([slot, `${slot}'`]),
        forMs: dice.between(500, 9_000),
      });
    world.plans.after(dice.between(20_000, 60_000), () => world.perform({ verb: "kill", who: `${slot}'` }));
  },
};

/** Terms end as soon as they have begun, and what they give back is lost, late or sent twice. */
const shortTerms: Edge = {
  onTold({ dice, after }, process, event) {
    if (event.event !== "elected" || !dice.happens(0.4)) return;
    const who = whoOf(process);
    const soonMs = dice.pick([0.01, 100, 3_000]) * (1 + dice.fraction());
    if (dice.happens(0.3)) after(soonMs, { verb: "outpace", by: 1 + dice.below(1_000) });
    else after(soonMs, { verb: "resign", who });
  },
  onSent({ dice, meet }, process, { state }) {
    if (state === "held" || !dice.happens(0.3)) return;
    const byMs = dice.pick([10, 3_000, 16_000]) * (1 + dice.fraction());
    meet(process, "write", { kind: dice.pick(["late-execution", "twice", "resent", "late-reply"]), byMs });
  },
};

export type EdgeName =
  | "deadline"
  | "lateAnswer"
  | "lateWrite"
  | "dyingWriter"
  | "stoppedTaker"
  | "handover"
  | "forgetting"
  | "staleWriter"
  | "frozenStore"
  | "clone"
  | "shortTerms";

export const edges: Readonly<Record<EdgeName, Edge>> = {
  deadline,
  lateAnswer,
  lateWrite,
  dyingWriter,
  stoppedTaker,
  handover,
  forgetting,
  staleWriter,
  frozenStore,
  clone,
  shortTerms,
};

export const edgeNames: readonly EdgeName[] = Object.keys(edges) as EdgeName[];
