/**
 * The virtual twin of the real clock: time passes only when a test says so.
 *
 * One world holds true time; each clock in it has its own monotonic, boot and wall
 * reading, which may run at another rate, jump, or stand still alone. A clock can
 * also be frozen: time goes on, but its timers wait, as in a stopped process or
 * behind a blocked event loop. Deterministic: timers fire in the order in which they
 * became due, then in that of their creation.
 */

import { type Clock, clampDelay, type Timer } from "./clock.js";

export type Reading = "monotonic" | "boot" | "wall";

export interface VirtualClock extends Clock {
  /** Moves one reading at once; timers follow the monotonic one. */
  jump(reading: Reading, byMs: number): void;
  /** From now on the reading runs at `rate` times true time. */
  setRate(reading: Reading, rate: number): void;
  /** The machine sleeps: monotonic stands still, boot and wall go on, timers wait. */
  suspend(): void;
  wake(): void;
  /** The process is stopped, or its event loop blocked: readings go on, timers wait. */
  freeze(): void;
  thaw(): void;
}

export interface VirtualWorld {
  /** True time, ms. */
  readonly nowMs: number;
  createClock(): VirtualClock;
  /** Lets true time pass, firing timers and the promises they settle, in order. Rejects when timers keep it from passing. */
  advance(byMs: number): Promise<void>;
  /**
   * True time passes at once, in the middle of whatever runs: nothing fires before the next `advance`, as after
   * a blocked event loop.
   */
  skip(byMs: number): void;
  /** Lets pending promises settle without time passing. */
  settle(): Promise<void>;
}

export function createVirtualWorld(startWallMs = 1_700_000_000_000): VirtualWorld {
  return new World(startWallMs);
}

/** So many timers at one instant are a loop that would never let time pass. */
const busiestInstant = 20_000;

/** Promise chains in our code are a few links long; each turn settles one link of all of them. */
const settleTurns = 50;

interface Pending {
  readonly order: number;
  readonly clock: BentClock;
  readonly dueReading: number;
  readonly fire: () => void;
}

class World implements VirtualWorld {
  readonly #startWallMs: number;
  readonly #pending = new Set<Pending>();
  #nowMs = 0;
  #order = 0;

  constructor(startWallMs: number) {
    this.#startWallMs = startWallMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  createClock(): VirtualClock {
    return new BentClock(this, this.#startWallMs + this.#nowMs);
  }

  add(clock: BentClock, dueReading: number, fire: () => void): Timer {
    this.#order += 1;
    const timer: Pending = { order: this.#order, clock, dueReading, fire };
    this.#pending.add(timer);
    return { cancel: () => void this.#pending.delete(timer) };
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < settleTurns; turn += 1) await Promise.resolve();
  }

  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    // What fires may skip time itself, also beyond the end.
    const next = () => this.#next(Math.max(endMs, this.#nowMs));
    await this.settle();
    let firedHere = 0;
    for (let due = next(); due !== undefined; due = next()) {
      firedHere = due.dueMs > this.#nowMs ? 0 : firedHere + 1;
      if (firedHere > busiestInstant)
        throw new Error(`time stands still at ${this.#nowMs} ms: timers set timers`);
      this.#reach(due.timer, due.dueMs);
      this.#pending.delete(due.timer);
      due.timer.fire();
      await this.settle();
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
    await this.settle();
  }

  skip(byMs: number): void {
    this.#nowMs += byMs;
  }

  /** No timer fires before its time, not even by the rounding of a rate. */
  #reach({ clock, dueReading }: Pending, dueMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, dueMs);
    while (clock.monotonicMs() < dueReading) this.#nowMs += Math.max(1e-9, this.#nowMs * 2 ** -50);
  }

  #next(endMs: number): { readonly timer: Pending; readonly dueMs: number } | undefined {
    let next: { timer: Pending; dueMs: number } | undefined;
    for (const timer of this.#pending) {
      const dueMs = timer.clock.trueTimeAt(timer.dueReading);
      if (dueMs > endMs) continue;
      if (
        next === undefined ||
        dueMs < next.dueMs ||
        (dueMs === next.dueMs && timer.order < next.timer.order)
      ) {
        next = { timer, dueMs };
      }
    }
    return next;
  }
}

/** A reading: linear in true time since its last change. */
class Hand {
  readonly #world: World;
  #sinceMs: number;
  #valueMs: number;
  #rate = 1;

  constructor(world: World, valueMs: number) {
    this.#world = world;
    this.#sinceMs = world.nowMs;
    this.#valueMs = valueMs;
  }

  get rate(): number {
    return this.#rate;
  }

  read(): number {
    return this.#valueMs + (this.#world.nowMs - this.#sinceMs) * this.#rate;
  }

  set(valueMs: number, rate: number): void {
    this.#valueMs = valueMs;
    this.#sinceMs = this.#world.nowMs;
    this.#rate = rate;
  }
}

class BentClock implements VirtualClock {
  readonly resolution = { monotonicMs: 0.001, bootMs: 10, wallMs: 1 };
  readonly bootId = "virtual";
  readonly #world: World;
  readonly #hands: Readonly<Record<Reading, Hand>>;
  #frozen = false;
  #asleep = false;
  #rateBeforeSleep = 1;

  constructor(world: World, startWallMs: number) {
    this.#world = world;
    this.#hands = {
      monotonic: new Hand(world, 0),
      boot: new Hand(world, 0),
      wall: new Hand(world, startWallMs),
    };
  }

  monotonicMs(): number {
    return this.#hands.monotonic.read();
  }

  bootMs(): number {
    return this.#hands.boot.read();
  }

  wallMs(): number {
    return Math.floor(this.#hands.wall.read());
  }

  /** History is judged in true time: that is what two believers share. */
  hrtimeNs(): bigint {
    return BigInt(Math.round(this.#world.nowMs * 1e6));
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    return this.#world.add(this, this.monotonicMs() + clampDelay(delayMs), callback);
  }

  /** When the monotonic reading gets there; in the past for a timer that has been waiting. */
  trueTimeAt(reading: number): number {
    if (this.#frozen || this.#asleep) return Number.POSITIVE_INFINITY;
    return this.#world.nowMs + (reading - this.monotonicMs()) / this.#hands.monotonic.rate;
  }

  jump(reading: Reading, byMs: number): void {
    const hand = this.#hands[reading];
    hand.set(hand.read() + byMs, hand.rate);
  }

  setRate(reading: Reading, rate: number): void {
    const hand = this.#hands[reading];
    hand.set(hand.read(), rate);
  }

  suspend(): void {
    this.#asleep = true;
    this.#rateBeforeSleep = this.#hands.monotonic.rate;
    this.setRate("monotonic", 0);
  }

  wake(): void {
    this.#asleep = false;
    this.setRate("monotonic", this.#rateBeforeSleep);
  }

  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
  }
}
