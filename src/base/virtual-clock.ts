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
import { Heap } from "./heap.js";
import { eachTimeSettled, onceSettled } from "./settled.js";

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
  /** Its timers fire no more. */
  removeClock(clock: VirtualClock): void;
  /** Calls back once in true time. For what settles no promise: time goes on without letting any settle. */
  quietly(delayMs: number, fire: () => void): Timer;
  /** Calls back once in true time, at that very instant, and before all that is due then on any clock. */
  foremost(atMs: number, fire: () => void): void;
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

class Pending implements Timer {
  readonly order: number;
  readonly dueReading: number;
  fire: () => void;
  cancelled = false;
  readonly #clock: BentClock;

  constructor(clock: BentClock, order: number, dueReading: number, fire: () => void) {
    this.#clock = clock;
    this.order = order;
    this.dueReading = dueReading;
    this.fire = fire;
  }

  /** It stays in the heap until it would have been the first, and holds nothing of its owner meanwhile. */
  cancel(): void {
    this.cancelled = true;
    this.fire = nothing;
    this.#clock.cancelled(this);
  }
}

class World implements VirtualWorld {
  readonly #startWallMs: number;
  readonly #clocks: BentClock[] = [];
  /** What happens in true time and settles no promise. */
  readonly #quiet: BentClock;
  readonly #foremost: BentClock;
  #nowMs = 0;
  #order = 0;

  constructor(startWallMs: number) {
    this.#startWallMs = startWallMs;
    this.#quiet = this.#addClock();
    this.#foremost = this.#addClock();
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  createClock(): VirtualClock {
    return this.#addClock();
  }

  #addClock(): BentClock {
    const clock = new BentClock(this, this.#startWallMs + this.#nowMs);
    this.#clocks.push(clock);
    return clock;
  }

  removeClock(clock: VirtualClock): void {
    const place = this.#clocks.findIndex((other) => other === clock);
    if (place >= 0) this.#clocks.splice(place, 1);
  }

  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  quietly(delayMs: number, fire: () => void): Timer {
    return this.#quiet.setTimer(delayMs, fire);
  }

  foremost(atMs: number, fire: () => void): void {
    this.#foremost.setForemost(atMs, fire);
  }

  settle(): Promise<void> {
    return new Promise(onceSettled);
  }

  advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    let firedHere = 0;
    return new Promise((resolve, reject) => {
      const pass = () => {
        try {
          const before = this.#nowMs;
          // What fires may skip time itself, also beyond the end.
          if (this.#fireUntilLoud(Math.max(endMs, before))) {
            firedHere = this.#nowMs > before ? 0 : firedHere + 1;
            if (firedHere > busiestInstant) throw stuck(this.#nowMs);
            again();
          } else {
            this.#nowMs = Math.max(this.#nowMs, endMs);
            onceSettled(resolve);
          }
        } catch (cause) {
          reject(cause);
        }
      };
      const again = eachTimeSettled(pass);
      again();
    });
  }

  skip(byMs: number): void {
    this.#nowMs += byMs;
  }

  /** Fires what is due, in order, until something may have settled promises. False when nothing more is due. */
  #fireUntilLoud(endMs: number): boolean {
    for (let fired = 0; fired < busiestInstant; fired += 1) {
      const clock = this.#fireNext(endMs);
      if (clock === undefined) return false;
      if (clock !== this.#quiet) return true;
    }
    return true;
  }

  /** Fires what is due first, and says on whose clock. */
  #fireNext(endMs: number): BentClock | undefined {
    let next: BentClock | undefined;
    let nextMs = endMs;
    let nextOrder = Number.POSITIVE_INFINITY;
    for (const clock of this.#clocks) {
      const { nextMs: dueMs, nextOrder: order } = clock;
      if (dueMs > nextMs || (dueMs === nextMs && order > nextOrder)) continue;
      next = clock;
      nextMs = dueMs;
      nextOrder = order;
    }
    const timer = next?.takeFirst();
    if (next === undefined || timer === undefined) return undefined;
    this.#reach(next, timer.dueReading, nextMs);
    timer.fire();
    return next;
  }

  /** No timer fires before its time, not even by the rounding of a rate. */
  #reach(clock: BentClock, dueReading: number, dueMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, dueMs);
    while (clock.monotonicMs() < dueReading) this.#nowMs += Math.max(1e-9, this.#nowMs * 2 ** -50);
  }
}

function stuck(nowMs: number): Error {
  return new Error(`time stands still at ${nowMs} ms: timers set timers`);
}

function isEarlier(a: Pending, b: Pending): boolean {
  return a.dueReading < b.dueReading || (a.dueReading === b.dueReading && a.order < b.order);
}

function nothing(): void {}

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

  /** When it shows `reading`. Not reckoned from now, so that it rounds alike whenever somebody asks. */
  trueTimeAt(reading: number): number {
    return this.#sinceMs + (reading - this.#valueMs) / this.#rate;
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
  readonly #timers: Heap<Pending> = new Heap(isEarlier);
  #rateBeforeSleep = 1;
  /** When its first timer is due, in true time; in the past for one that has been waiting. Asked at every event. */
  nextMs = Number.POSITIVE_INFINITY;
  nextOrder = Number.POSITIVE_INFINITY;

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
    const dueReading = this.monotonicMs() + clampDelay(delayMs);
    return this.#add(new Pending(this, this.#world.nextOrder(), dueReading, callback));
  }

  /** Its order is below that of every timer, so it takes no number from them: they fire as they would without it. */
  setForemost(dueReading: number, fire: () => void): void {
    this.#add(new Pending(this, Number.MIN_SAFE_INTEGER, dueReading, fire));
  }

  #add(timer: Pending): Timer {
    this.#timers.add(timer);
    if (this.#timers.first === timer) this.#reckon();
    return timer;
  }

  cancelled(timer: Pending): void {
    if (this.#timers.first === timer) this.#reckon();
  }

  takeFirst(): Pending | undefined {
    const timer = this.#timers.takeFirst();
    if (timer !== undefined) timer.cancelled = true;
    this.#reckon();
    return timer;
  }

  #reckon(): void {
    let { first } = this.#timers;
    while (first?.cancelled === true) {
      this.#timers.takeFirst();
      ({ first } = this.#timers);
    }
    const runs = !this.#frozen && !this.#asleep;
    this.nextMs =
      first !== undefined && runs
        ? this.#hands.monotonic.trueTimeAt(first.dueReading)
        : Number.POSITIVE_INFINITY;
    this.nextOrder = first?.order ?? Number.POSITIVE_INFINITY;
  }

  jump(reading: Reading, byMs: number): void {
    const hand = this.#hands[reading];
    hand.set(hand.read() + byMs, hand.rate);
    this.#reckon();
  }

  setRate(reading: Reading, rate: number): void {
    const hand = this.#hands[reading];
    hand.set(hand.read(), rate);
    this.#reckon();
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
    this.#reckon();
  }

  thaw(): void {
    this.#frozen = false;
    this.#reckon();
  }
}
