/**
 * The first generator: a random swarm. Faults of many kinds come at random times to whoever stands there, and each
 * call on the network may be lost, late or repeated.
 */

import { type Dice, diceFor } from "../dice.js";
import type { Director } from "../director.js";
import type { CallKind, Fate, Reading } from "../faults/fault.js";
import { type Sender, whoOf } from "../world/network.js";
import type { Process } from "../world/process.js";
import type { Entry } from "../world/store-account.js";
import type { CreateDirector, World } from "../world/world.js";
import type { Habit, Temper } from "./temper.js";

export function swarm(temper: Temper): CreateDirector {
  return (world) => new Swarm(world, temper);
}

class Swarm implements Director {
  readonly #world: World;
  readonly #temper: Temper;
  readonly #dice: Dice;
  readonly #habits: Readonly<Record<Habit, () => void>>;
  #resting = true;

  constructor(world: World, temper: Temper) {
    this.#world = world;
    this.#temper = temper;
    this.#dice = diceFor(world.seed, "swarm");
    this.#habits = {
      stop: () => this.#halt("stop", 500, 25_000),
      block: () => this.#halt("block", 200, 4_000),
      suspend: () => this.#halt("suspend", 1_000, 40_000),
      jumpWall: () => this.#jump("wall", -3_600_000, 3_600_000),
      jumpBoot: () => this.#jump("boot", 0, 30_000),
      jumpMonotonic: () => this.#jump("monotonic", 0, 8_000),
      crash: () => this.#crash(this.#someone()),
      shutDown: () => this.#shutDown(),
      cut: () => this.#cut(this.#someone(), "store"),
      cutAll: () => {
        for (const process of world.cast.living) this.#cut(process, "store");
      },
      cutLedger: () => this.#cut(this.#someone(), "ledger"),
      stall: () =>
        world.perform({
          verb: "stall",
          what: this.#dice.pick(["store", "ledger"]),
          forMs: this.#between(200, 14_000),
        }),
      transfer: () => this.#transfer(),
      resign: () => this.#resign(),
      outpace: () =>
        world.perform({ verb: "outpace", by: 1 + this.#dice.below(this.#dice.happens(0.2) ? 1e13 : 1e6) }),
      // Done when a record invites it.
      strayBid: () => {},
      attempt: () => world.perform({ verb: "try", immediate: this.#dice.happens(0.2) }),
      ineligible: () =>
        world.perform({
          verb: "ineligible",
          who: this.#someone().slot,
          forMs: this.#between(1_000, 20_000),
        }),
      loss: () => this.#loss(),
      clone: () => this.#clone(),
      failOver: () => this.#failOver(),
      spoil: () =>
        world.perform({
          verb: "spoil",
          body: this.#dice.pick(["unreadable", "newer"]),
          forMs: this.#between(500, 20_000),
        }),
      forget: () =>
        world.perform({
          verb: "forget",
          resource: this.#dice.pick(["errands-1", "errands-2"]),
          what: this.#dice.pick(["last-claim", "all-claims"]),
        }),
      annotate: () => world.perform({ verb: "annotate" }),
      jumpStore: () => world.perform({ verb: "jump-store", byMs: this.#between(-30_000, 30_000) }),
      stopHost: () => this.#halt("stop-host", 1_000, 60_000),
    };
  }

  begin(): void {
    this.#resting = false;
    this.#next();
  }

  end(): void {
    this.#resting = true;
    const { leader } = this.#world.cast;
    if (leader !== undefined && this.#dice.happens(0.4))
      this.#world.perform({ verb: "kill", who: whoOf(leader) });
    // Asking is no fault: it must not delay the next leader.
    if (this.#dice.happens(0.5))
      this.#world.plans.after(this.#between(8_000, 12_000), () => this.#transfer());
  }

  fate(sender: Sender, call: CallKind): Fate | undefined {
    // The observer's eyes are good, so that what it says can be judged.
    if (call === "read" && sender.slot === "visitor") return undefined;
    const fate = this.#fate(call === "write" || call === "ledger-write");
    if (fate !== undefined) this.#world.perform({ verb: "fate", who: whoOf(sender), call, fate });
    return fate;
  }

  onEntry({ record, before, by }: Entry): void {
    const world = this.#world;
    if (world.calm || this.#resting) return;
    const { habits, offerDeaths } = this.#temper;
    // A take whose answer is read too late is a ghost.
    const taken = record.state === "held" && record.instance !== before?.record.instance;
    const taker = world.cast.named(by);
    // Not in this very instant: its twin has not sent it yet.
    if (taken && taker !== undefined && habits.includes("stop") && this.#dice.happens(0.12)) {
      const forMs = this.#between(8_000, 25_000);
      world.plans.after(this.#between(0.01, 1), () => {
        if (!taker.dead) world.perform({ verb: "stop", who: whoOf(taker), forMs });
      });
    }
    if (record.state === "offered" && this.#dice.happens(offerDeaths)) {
      const successor = world.cast.living.find(({ facts }) => facts.label === record.bid?.node);
      if (successor !== undefined) world.plans.after(this.#between(0.01, 10), () => this.#crash(successor));
    }
    const invites = record.request?.to !== undefined && before?.record.request?.id !== record.request.id;
    if (invites && habits.includes("strayBid"))
      world.plans.after(this.#between(0.01, 10), () => world.perform({ verb: "stray-bid" }));
  }

  #next(): void {
    const { habits, pauseMs } = this.#temper;
    if (habits.length === 0) return;
    this.#world.plans.after(-Math.log(1 - this.#dice.fraction()) * pauseMs, () => {
      if (this.#resting) return;
      // A machine without power has nobody on it.
      const somebody = this.#world.cast.living.length > 0;
      if (!this.#world.calm && somebody) this.#habits[this.#dice.pick(habits)]();
      this.#next();
    });
  }

  #fate(write: boolean): Fate | undefined {
    const { refused, lostCall, lostReply, lateReply, lateExecution, twice } = this.#temper.traffic;
    let luck = this.#dice.fraction() - refused;
    if (luck < 0) return { kind: "refused" };
    luck -= lostCall;
    if (luck < 0) return { kind: "lost-call" };
    luck -= lostReply;
    if (luck < 0) return { kind: "lost-reply" };
    luck -= lateReply;
    if (luck < 0) return { kind: "late-reply", byMs: this.#between(0, this.#dice.pick([3_000, 14_000])) };
    if (!write) return undefined;
    luck -= lateExecution;
    if (luck < 0) return { kind: "late-execution", byMs: this.#between(0, 20_000) };
    luck -= twice;
    if (luck >= 0) return undefined;
    const kind = this.#dice.happens(0.5) ? "resent" : "twice";
    return { kind, byMs: this.#between(0, kind === "resent" ? 1_500 : 15_000) };
  }

  #between(low: number, high: number): number {
    return Math.ceil(this.#dice.between(low, high));
  }

  /** Often the leader: it has most to lose. */
  #someone(): Process {
    const { living, leader } = this.#world.cast;
    const candidates = living.filter(({ facts }) => facts.style !== "visitor");
    if (leader !== undefined && this.#dice.happens(0.5)) return leader;
    return this.#dice.pick(candidates.length === 0 ? living : candidates);
  }

  #halt(verb: "stop" | "block" | "suspend" | "stop-host", leastMs: number, mostMs: number): void {
    this.#world.perform({ verb, who: whoOf(this.#someone()), forMs: this.#between(leastMs, mostMs) });
  }

  #jump(clock: Reading, leastMs: number, mostMs: number): void {
    const byMs = this.#between(leastMs, mostMs);
    this.#world.perform({ verb: "jump", who: whoOf(this.#someone()), clock, byMs });
  }

  #crash(process: Process): void {
    if (process.dead || process.facts.style === "visitor") return;
    this.#world.perform({ verb: "kill", who: whoOf(process) });
    this.#restart(process.slot, this.#between(0.01, 20_000));
  }

  #restart(slot: string, afterMs: number): void {
    this.#world.plans.after(afterMs, () => this.#world.perform({ verb: "start", who: slot }));
  }

  #shutDown(): void {
    const process = this.#someone();
    if (process.facts.style === "visitor") return;
    this.#world.perform({ verb: "shut-down", who: whoOf(process) });
    this.#restart(process.slot, this.#between(6_000, 16_000));
  }

  #cut(process: Process, from: "store" | "ledger"): void {
    const way = this.#dice.pick(["both", "both", "there", "back"] as const);
    const forMs = this.#between(1_000, 30_000);
    this.#world.perform({ verb: "cut", who: process.slot, from, way, forMs });
  }

  #transfer(): void {
    const { visitor, living } = this.#world.cast;
    if (living.length === 0) return;
    const asker = visitor !== undefined && this.#dice.happens(0.6) ? visitor : this.#someone();
    const to = this.#dice.happens(0.5) ? undefined : this.#dice.pick([...this.#slots, "nobody"]);
    this.#world.perform({ verb: "transfer", who: whoOf(asker), ...(to !== undefined && { to }) });
  }

  #resign(): void {
    const to = this.#dice.happens(0.5) ? undefined : this.#dice.pick(this.#slots);
    this.#world.perform({ verb: "resign", who: "leader", ...(to !== undefined && { to }) });
  }

  get #slots(): readonly string[] {
    return this.#world.settings.slots;
  }

  #clone(): void {
    const { living, leader } = this.#world.cast;
    const originals = living.filter(({ twin }) => twin !== undefined);
    if (originals.length === 0) return;
    const favoured = leader?.twin !== undefined && this.#dice.happens(0.7);
    const { slot } = favoured ? leader : this.#dice.pick(originals);
    this.#world.perform({ verb: "clone", who: slot });
    this.#world.plans.after(this.#between(20_000, 60_000), () =>
      this.#world.perform({ verb: "kill", who: `${slot}'` }),
    );
  }

  /** The replica falls behind for a while; often it takes over with what it has. */
  #failOver(): void {
    if (this.#world.settings.store !== "replicated") return;
    const forMs = this.#between(100, 12_000);
    this.#world.perform({ verb: "lag", forMs });
    if (this.#dice.happens(0.6))
      this.#world.plans.after(this.#between(0, forMs), () => this.#world.perform({ verb: "fail-over" }));
  }

  #loss(): void {
    const { register, cast, settings } = this.#world;
    const { current, chain } = register.account;
    if (current === undefined) return;
    const dice = this.#dice;
    const calm = dice.happens(0.5) && !cast.living.some(({ halted }) => halted);
    const memory = settings.store === "memory";
    const newEpoch = memory ? dice.happens(0.7) : dice.happens(0.5);
    const lot = dice.fraction();
    if (lot < 0.35 || chain.length < 2) {
      const verb = memory || dice.happens(0.6) ? "wipe" : "delete";
      this.#world.perform({ verb, newEpoch: newEpoch || memory, calm });
      if (!memory && dice.happens(0.3))
        this.#world.plans.after(this.#between(0.01, 5_000), () => this.#putBack());
    } else if (lot < 0.8 || memory) this.#rollBack(newEpoch, calm);
    else this.#world.perform({ verb: "put-back" });
    if (dice.happens(0.6)) this.#newcomer(current);
  }

  /** An operator notices and puts the record back, unless somebody was faster. */
  #putBack(): void {
    if (this.#world.register.current === undefined) this.#world.perform({ verb: "put-back" });
  }

  #rollBack(newEpoch: boolean, calm: boolean): void {
    const { chain } = this.#world.register.account;
    const far = this.#dice.happens(0.5) ? 4 : 80;
    const older = chain.slice(-1 - far, -1);
    const released = older.filter(({ record }) => record.state === "released");
    const target = this.#dice.pick(this.#dice.happens(0.3) && released.length > 0 ? released : older);
    const writes = chain.length - 1 - chain.indexOf(target);
    this.#world.perform({ verb: "roll-back", writes, newEpoch, calm });
  }

  /** Somebody who has never seen the name starts now. */
  #newcomer({ record }: Entry): void {
    const others = this.#world.cast.living.filter(({ facts, term, name }) => {
      return facts.style !== "visitor" && term?.instance !== record.instance && !name.endsWith("'");
    });
    const [other] = others;
    if (other === undefined) return;
    this.#world.perform({ verb: "kill", who: other.slot });
    this.#restart(other.slot, this.#between(0.01, 500));
  }
}
