/** The hand that disturbs a world: it stops, kills, cuts off, asks, and lets the store forget. */

import type { Entry } from "./register.js";
import { renewalMs } from "./law.js";
import type { Process } from "./process.js";
import { type Act, slotCount, slowestRate } from "./temper.js";
import type { World } from "./world.js";

const calmMs = (2_500 + 2_000) / slowestRate + 1_000;

export class Hand {
  readonly #world: World;
  readonly #acts: Readonly<Record<Act, () => void>>;
  #resting = false;

  constructor(world: World) {
    this.#world = world;
    this.#acts = {
      pause: () => this.#halt("freeze", this.#between(500, 25_000), "pauses"),
      block: () => this.#halt("freeze", this.#between(200, 4_000), "blocks"),
      suspend: () => this.#halt("suspend", this.#between(1_000, 40_000), "suspends"),
      jumpWall: () => this.#jump("wall", this.#between(-3_600_000, 3_600_000), "wallJumps"),
      jumpBoot: () => this.#jump("boot", this.#between(0, 30_000), "bootJumps"),
      jumpMonotonic: () => this.#jump("monotonic", this.#between(0, 8_000), "monotonicJumps"),
      crash: () => this.#crash(),
      stop: () => this.#stop(),
      cut: () => this.#cut(this.#someone()),
      cutAll: () => {
        for (const process of world.living) this.#cut(process);
      },
      transfer: () => this.#transfer(),
      resign: () => this.#resign(),
      outpace: () => this.#outpace(),
      // Done when a record invites it.
      strayBid: () => {},
      attempt: () => this.#attempt(),
      ineligible: () => this.#ineligible(),
      loss: () => this.#loss(),
      fork: () => this.#fork(),
    };
  }

  begin(): void {
    const { dice, temper, timers, calm, faulty } = this.#world;
    if (!faulty || temper.acts.length === 0) return;
    timers.after(-Math.log(1 - dice.fraction()) * temper.pauseMs, () => {
      if (!this.#resting && !calm && !this.#world.calm) this.#acts[dice.pick(temper.acts)]();
      if (!this.#resting) this.begin();
    });
  }

  /** The last faults happen: what is stopped goes on, what is on its way arrives, who is down comes back. */
  end(): void {
    const world = this.#world;
    this.#resting = true;
    const dies = world.dice.happens(0.4) ? this.#leader() : undefined;
    world.cuts.clear();
    world.timers.flush();
    for (const process of world.living) {
      process.eligible = true;
      if (process.twin !== undefined) process.twin.eligible = true;
    }
    if (dies !== undefined) this.#kill(dies);
    for (let slot = 0; slot < slotCount; slot += 1) if (slot !== dies?.facts.slot) this.#ensure(slot);
  }

  /** Asking is no fault: it must not delay the next leader. */
  ask(): void {
    const { dice, timers } = this.#world;
    if (dice.happens(0.7)) timers.after(dice.between(8_000, 12_000), () => this.#transfer());
  }

  sees({ record, before, by }: Entry): void {
    const { dice, timers, temper, faulty, calm } = this.#world;
    if (!faulty || calm) return;
    // A take whose answer is read too late is a ghost.
    const taken = record.state === "held" && record.instance !== before?.record.instance;
    const taker = this.#world.processOf(by);
    // Not in this very instant: its twin has not sent it yet.
    if (taken && taker !== undefined && temper.acts.includes("pause") && dice.happens(0.12))
      timers.after(dice.between(0.01, 1), () => {
        if (!taker.dead) this.#halt("freeze", dice.between(8_000, 25_000), "pauses", taker);
      });
    if (record.state === "offered" && dice.happens(temper.offerDeaths)) {
      const successor = this.#world.living.find(({ facts }) => facts.label === record.bid?.node);
      if (successor !== undefined) timers.after(dice.between(0, 10), () => this.#crash(successor));
    }
    const invites = record.request?.to !== undefined && before?.record.request?.id !== record.request.id;
    if (invites && temper.acts.includes("strayBid"))
      timers.after(dice.between(0, 10), () => void this.#strayBid());
  }

  #between(low: number, high: number): number {
    return this.#world.dice.between(low, high);
  }

  #leader(): Process | undefined {
    return this.#world.living.find((process) => process.believes());
  }

  /** Often the leader: it has most to lose. */
  #someone(): Process {
    const { dice, living } = this.#world;
    const candidates = living.filter(({ facts }) => facts.style !== "visitor");
    const leader = dice.happens(0.5) ? this.#leader() : undefined;
    const [first] = living;
    if (candidates.length === 0 && first !== undefined) return first;
    return leader ?? dice.pick(candidates);
  }

  #halt(
    how: "freeze" | "suspend",
    forMs: number,
    power: "pauses" | "blocks" | "suspends",
    process: Process = this.#someone(),
  ): void {
    const { timers, dice } = this.#world;
    if (process.halted || process.dead) return;
    this.#world.note(`${process.name}: ${how} for ${Math.round(forMs)} ms`);
    this.#world.power[power] += 1;
    process.halt(how);
    timers.after(forMs, () => {
      if (process.dead) return;
      this.#world.note(`${process.name} goes on`);
      process.resume(how);
      // Sometimes the work looks before anything else does, sometimes what was waiting comes first.
      if (dice.happens(0.6)) this.#world.witness(process);
    });
  }

  #jump(
    reading: "wall" | "boot" | "monotonic",
    byMs: number,
    power: "wallJumps" | "bootJumps" | "monotonicJumps",
  ): void {
    const process = this.#someone();
    this.#world.note(`${process.name}: ${reading} clock jumps by ${Math.round(byMs)} ms`);
    this.#world.power[power] += 1;
    process.clock.jump(reading, byMs);
    process.twin?.clock.jump(reading, byMs);
    if (this.#world.dice.happens(0.5)) this.#world.witness(process);
  }

  #crash(process: Process = this.#someone()): void {
    if (process.dead || process.facts.style === "visitor") return;
    this.#world.power.crashes += 1;
    this.#kill(process);
    this.#world.timers.after(this.#between(0, 20_000), () => this.#ensure(process.facts.slot));
  }

  #kill(process: Process): void {
    this.#world.note(`${process.name} is killed`);
    process.kill();
  }

  /** Somebody runs in that slot. */
  #ensure(slot: number): void {
    if (this.#world.living.some(({ facts }) => facts.slot === slot)) return;
    this.#world.power.restarts += 1;
    this.#world.start(slot);
  }

  #stop(): void {
    const process = this.#someone();
    if (process.halted || process.stopping || process.facts.style === "visitor") return;
    this.#world.note(`${process.name} is told to stop`);
    this.#world.power.stops += 1;
    const over = () => {
      if (!process.dead) this.#kill(process);
      this.#world.timers.after(this.#between(0, 10_000), () => this.#ensure(process.facts.slot));
      if (this.#resting) this.#ensure(process.facts.slot);
    };
    void process.stop().then(over);
  }

  #cut(process: Process): void {
    const { cuts, dice, nowMs, power } = this.#world;
    const forMs = dice.between(1_000, 30_000);
    power.cuts += 1;
    this.#world.note(`${process.name} is cut off for ${Math.round(forMs)} ms`);
    cuts.set(process, { untilAt: nowMs + forMs, answersOnly: dice.happens(0.3) });
  }

  #transfer(): void {
    const { dice, living } = this.#world;
    const visitor = living.find(({ facts }) => facts.style === "visitor");
    const asker = dice.happens(0.6) && visitor !== undefined ? visitor : this.#someone();
    const to = dice.happens(0.5) ? undefined : dice.pick(["n0", "n1", "n2", "nobody"]);
    this.#world.note(`${asker.name} asks for a transfer to ${to ?? "anybody"}`);
    asker.also(({ election }) => {
      election.transfer(to === undefined ? {} : { to }).catch(() => {});
    });
  }

  #resign(): void {
    const { dice } = this.#world;
    const to = dice.happens(0.5) ? undefined : dice.pick(["n0", "n1", "n2"]);
    this.#leader()?.also((process) => {
      const { leadership, facts } = process;
      if (leadership?.isCurrent !== true) return;
      // Who resigns on a campaign of its own says with it that the work is done.
      if (facts.style !== "runner") process.unsettled.delete(leadership.token);
      void leadership.resign(to === undefined ? {} : { to });
    });
  }

  #outpace(): void {
    const raise = 1 + this.#world.dice.below(1_000_000);
    this.#leader()?.also((process) => {
      const { leadership } = process;
      if (leadership?.isCurrent !== true) return;
      process.floor = leadership.token + raise + 1;
      leadership.outpaced(leadership.token + raise);
    });
  }

  /** A candidate of another make bids for what is not meant for it. */
  async #strayBid(): Promise<void> {
    const { register, power } = this.#world;
    const { current } = register;
    const request = current?.record.request;
    if (current?.record.state !== "held" || request?.to === undefined || current.record.bid !== undefined)
      return;
    power.strayBids += 1;
    const [writer, nonce] = [this.#world.freshId(), this.#world.freshId()];
    const bid = { instance: writer, node: "stranger", requestId: request.id };
    await register.write({
      by: { id: "stranger", openedEpoch: register.epoch },
      record: { ...current.record, writer, nonce, bid },
      expected: current.version,
      absence: "waited",
      takeover: "observed",
      sentAt: this.#world.nowMs,
    });
  }

  #attempt(): void {
    const { living } = this.#world;
    const visitor = living.find(({ facts }) => facts.style === "visitor");
    if (visitor === undefined) return;
    void visitor.attempt(this.#world.dice.happens(0.2)).then((held) => {
      if (held !== undefined) this.#judgeHeld(visitor, held.token, held.askedAt);
    });
  }

  /** "Held" is said of one who showed life during the call. */
  #judgeHeld(visitor: Process, token: number, askedAt: number): void {
    const { register, power } = this.#world;
    power.held += 1;
    const alive = register.log.some(
      ({ record, at }) => record.token === token && record.writer === record.instance && at >= askedAt,
    );
    if (!alive)
      this.#world.breaks(
        `${visitor.name} was told that ${token} leads, which showed no life since ${askedAt}`,
      );
  }

  #ineligible(): void {
    const process = this.#someone();
    const set = (eligible: boolean) => {
      process.eligible = eligible;
      if (process.twin !== undefined) process.twin.eligible = eligible;
    };
    set(false);
    this.#world.timers.after(this.#between(1_000, 20_000), () => set(true));
  }

  #fork(): void {
    const { dice, timers, living, power } = this.#world;
    const originals = living.filter(({ twin }) => twin !== undefined);
    if (originals.length === 0) return;
    const leader = this.#leader();
    const original = leader?.twin !== undefined && dice.happens(0.7) ? leader : dice.pick(originals);
    const clone = original.part();
    if (clone === undefined) return;
    power.clones += 1;
    this.#world.clonesExist = true;
    this.#world.note(`${original.name} is cloned as ${clone.name}`);
    this.#world.born(clone);
    timers.after(dice.between(20_000, 60_000), () => {
      if (!clone.dead) this.#kill(clone);
    });
  }

  #loss(): void {
    const world = this.#world;
    const { register, dice, temper, power } = world;
    const { current, chain } = register;
    if (current === undefined) return;
    const calm = dice.happens(0.5) && !world.living.some(({ halted }) => halted);
    const epochChanged = temper.store === "memory" ? dice.happens(0.7) : dice.happens(0.5);
    const lot = dice.fraction();
    const older = chain.slice(0, -1);
    if (lot < 0.35 || older.length === 0) {
      power.wipes += 1;
      const kind = temper.store === "memory" || dice.happens(0.6) ? "wipe" : "delete";
      register.remove(kind, kind === "wipe" && (epochChanged || temper.store === "memory"), calm);
      if (temper.store !== "memory" && dice.happens(0.3)) this.#putBack(current);
    } else if (lot < 0.8 || temper.store === "memory") {
      power.rollbacks += 1;
      const near = dice.happens(0.5) ? older.slice(-4) : older.slice(-80);
      const released = near.filter(({ record }) => record.state === "released");
      const target = dice.pick(dice.happens(0.3) && released.length > 0 ? released : near);
      void register.restore(target, epochChanged, calm);
    } else {
      power.recreations += 1;
      register.recreate(current);
    }
    world.note(`the store: ${register.losses.length} losses, ${register.epoch}, calm ${calm}`);
    if (calm) this.#keepCalm();
    if (dice.happens(0.6)) this.#newcomer(current);
  }

  /** An operator notices and puts the record back, unless somebody was faster. */
  #putBack(entry: Entry): void {
    const { timers, register, dice, power } = this.#world;
    timers.after(dice.between(0, 5_000), () => {
      if (register.current !== undefined) return;
      power.recreations += 1;
      register.recreate(entry);
    });
  }

  /** Whoever led must notice with its next renewal. */
  #keepCalm(): void {
    const world = this.#world;
    world.calmUntilAt = world.nowMs + calmMs;
    world.cuts.clear();
    const lost = new Set(world.register.losses.at(-1)?.lost);
    for (const process of world.living) {
      const token = process.believes() ? process.term?.token : undefined;
      if (token === undefined) continue;
      world.timers.after(renewalMs(process) + 300, () => {
        const { register } = world;
        const forgotten = [...lost].some(
          ({ record, acknowledged }) => acknowledged && record.token === token,
        );
        const still = process.believes() && process.term?.token === token;
        if (forgotten && still && register.current?.record.token !== token && world.faulty)
          world.breaks(`${process.name} has not noticed that the store forgot its term`);
      });
    }
  }

  /** Somebody who has never seen the name starts now. */
  #newcomer({ record }: Entry): void {
    const { living, timers } = this.#world;
    const others = living.filter(({ facts, term }) => {
      return facts.style !== "visitor" && term?.instance !== record.instance;
    });
    const [other] = others;
    if (other === undefined) return;
    this.#kill(other);
    timers.after(this.#between(0, 500), () => this.#ensure(other.facts.slot));
  }
}
