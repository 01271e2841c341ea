/**
 * Who disturbs foreign electors: what P1 allows, and no more, most of it to whoever leads.
 *
 * Processes stop, sleep, die and come back; the network loses, delays and repeats; servers stall; wall clocks jump.
 * Often a leader stops right after it has sent a write, so that it reads the answer late, or while another one is
 * about to lead; or it is cut off as a look arrives that was sent before its last write. The store forgets nothing,
 * monotonic and boot clocks never step, no two clocks differ by 1.5 : 1.
 */

import { type Dice, diceFor } from "../dice.js";
import type { Director } from "../director.js";
import type { Act, CallKind, Fate } from "../faults/fault.js";
import type { ElectorProcess } from "../world/elector-process.js";
import type { Sender } from "../world/network.js";
import type { CreateDirector, World } from "../world/world.js";

const habits = [
  "stop",
  "stop",
  "block",
  "suspend",
  "crash",
  "shutDown",
  "cut",
  "isolate",
  "isolate",
  "cutAll",
  "stall",
  "jump",
];

export interface UnrestOptions {
  readonly sleep: boolean;
}

export function unrest({ sleep }: UnrestOptions): CreateDirector {
  return (world) => new Unrest(world, sleep);
}

class Unrest implements Director {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #habits: readonly string[];
  readonly #pauseMs: number;
  /** How often a call meets a fate, a writing leader a stop, and a look the last write of a leader. */
  readonly #fates: number;
  readonly #stops: number;
  readonly #looks: number;
  #resting = true;

  constructor(world: World, sleep: boolean) {
    this.#world = world;
    this.#dice = diceFor(world.seed, "unrest");
    const dice = this.#dice;
    const known = habits.filter((habit) => dice.happens(0.6) && (sleep || habit !== "suspend"));
    this.#habits = known.length === 0 ? ["stop"] : known;
    this.#pauseMs = dice.between(4_000, 15_000);
    this.#fates = dice.pick([0, 0.03, 0.12]);
    this.#stops = dice.pick([0, 0.03, 0.1]);
    this.#looks = dice.pick([0, 0.01, 0.04]);
  }

  begin(): void {
    this.#resting = false;
    this.#next();
  }

  end(): void {
    this.#resting = true;
    const leader = this.#leader;
    if (leader !== undefined && this.#dice.happens(0.4)) this.#perform({ verb: "kill", who: leader.slot });
  }

  fate(sender: Sender, call: CallKind): Fate | undefined {
    if (call === "write" && this.#dice.happens(this.#stops)) this.#stopWriter(sender);
    const fate = this.#draw(call);
    if (fate !== undefined) this.#perform({ verb: "fate", who: sender.slot, call, fate });
    return fate;
  }

  #draw(call: CallKind): Fate | undefined {
    if (call === "read" && this.#dice.happens(this.#looks)) return this.#lateLook();
    if (!this.#dice.happens(this.#fates)) return undefined;
    return this.#fateOf(call === "write" || call === "ledger-write");
  }

  #next(): void {
    this.#world.plans.after(-Math.log(1 - this.#dice.fraction()) * this.#pauseMs, () => {
      if (this.#resting) return;
      this.#act(this.#dice.pick(this.#habits));
      this.#next();
    });
  }

  /** Before its answer comes, for long enough that somebody else may lead when it reads it. */
  #stopWriter({ slot }: Sender): void {
    const [afterMs, forMs] = [this.#dice.between(0, 4), this.#dice.between(9_000, 25_000)];
    this.#world.plans.after(afterMs, () => {
      if (!this.#resting) this.#perform({ verb: "stop", who: slot, forMs });
    });
  }

  /** What it shows is younger than its send, and the last that is heard of the leader for a while. */
  #lateLook(): Fate {
    const byMs = this.#dice.between(100, 1_900);
    this.#world.plans.after(byMs, () => {
      if (!this.#resting) this.#act("isolate");
    });
    return { kind: "late-execution", byMs };
  }

  #fateOf(write: boolean): Fate {
    const dice = this.#dice;
    const kind = dice.pick(write ? writeFates : readFates);
    switch (kind) {
      case "refused":
      case "lost-call":
      case "lost-reply":
        return { kind };
      case "resent":
        return { kind, byMs: dice.between(0, 1_500) };
      default:
        return { kind, byMs: dice.between(0, dice.pick([3_000, 16_000])) };
    }
  }

  #act(habit: string): void {
    const dice = this.#dice;
    const someone = this.#someone;
    const who = someone?.slot;
    if (habit === "stall")
      return this.#perform({
        verb: "stall",
        what: dice.pick(["store", "store", "ledger"]),
        forMs: dice.between(200, 14_000),
      });
    if (habit === "cutAll") {
      for (const slot of this.#world.settings.slots) this.#cut(slot, "store");
      return undefined;
    }
    if (habit === "isolate") {
      // The leader alone, and for longer than it may believe.
      const alone = this.#leader ?? someone;
      if (alone !== undefined)
        this.#perform({
          verb: "cut",
          who: alone.slot,
          from: "store",
          way: dice.pick(["both", "there"]),
          forMs: dice.between(8_000, 40_000),
        });
      return undefined;
    }
    if (who === undefined) return undefined;
    switch (habit) {
      case "stop":
        return this.#perform({ verb: "stop", who, forMs: dice.between(500, 30_000) });
      case "block":
        return this.#perform({ verb: "block", who, forMs: dice.between(200, 6_000) });
      case "suspend":
        return this.#perform({ verb: "suspend", who, forMs: dice.between(1_000, 40_000) });
      case "jump":
        return this.#perform({ verb: "jump", who, clock: "wall", byMs: dice.between(-3_600_000, 3_600_000) });
      case "cut":
        return this.#cut(who, dice.happens(0.8) ? "store" : "ledger");
      case "crash":
        this.#perform({ verb: "kill", who });
        return this.#restart(who, dice.between(0.01, 20_000));
      default:
        this.#perform({ verb: "shut-down", who });
        // Also where it never settles.
        return this.#restart(who, dice.between(6_000, 20_000));
    }
  }

  #cut(who: string, from: "store" | "ledger"): void {
    const way = this.#dice.pick(["both", "there", "back"] as const);
    this.#perform({ verb: "cut", who, from, way, forMs: this.#dice.between(1_000, 30_000) });
  }

  #restart(slot: string, afterMs: number): void {
    const old = this.#world.cast.actor(slot);
    this.#world.plans.after(afterMs, () => {
      if (old !== undefined && !old.dead) this.#perform({ verb: "kill", who: slot });
      this.#perform({ verb: "start", who: slot });
    });
  }

  #perform(act: Act): void {
    this.#world.perform(act);
  }

  get #leader(): ElectorProcess | undefined {
    return this.#world.cast.livingElectors.find((process) => process.believes());
  }

  get #someone(): ElectorProcess | undefined {
    const leader = this.#leader;
    if (leader !== undefined && this.#dice.happens(0.6)) return leader;
    const { livingElectors } = this.#world.cast;
    return livingElectors.length === 0 ? undefined : this.#dice.pick(livingElectors);
  }
}

const readFates = ["refused", "lost-call", "lost-reply", "late-reply", "late-reply"] as const;
const writeFates = [...readFates, "late-execution", "twice", "resent"] as const;
