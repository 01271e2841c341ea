/**
 * The virtual twin of the real clock: time passes only when a test says so.
 *
 * One world holds true time; each clock in it has its own monotonic, boot and wall
 * reading, which may run at another rate, jump, or stand still alone. A clock can
 * also be frozen: time goes on, but its timers wait, as in a stopped process or
 * behind a blocked event loop. Deterministic: timers fire in order of true time,
 * then of creation.
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
  /** Lets true time pass, firing timers and the promises they settle, in order. */
  advance(byMs: number): Promise<void>;
  /** Lets pending promises settle without time passing. */
  settle(): Promise<void>;
}

/** Promise chains in our code are a few links long; each turn settles one link of all of them. */
const settleTurns = 50;

interface Pending {
  readonly order: number;
  dueMs(): number;
  fire(): void;
}

export function createVirtualWorld(startWallMs = 1_700_000_000_000): VirtualWorld {
  let now = 0;
  let order = 0;
  const pending = new Set<Pending>();

  async function settle(): Promise<void> {
    for (let turn = 0; turn < settleTurns; turn += 1) await Promise.resolve();
  }

  function nextDue(): Pending | undefined {
    let next: Pending | undefined;
    for (const timer of pending) {
      const earlier = next === undefined || timer.dueMs() < next.dueMs();
      if (earlier || (timer.dueMs() === next?.dueMs() && timer.order < next.order)) next = timer;
    }
    return next;
  }

  async function advance(byMs: number): Promise<void> {
    const end = now + byMs;
    await settle();
    for (let timer = nextDue(); timer !== undefined && timer.dueMs() <= end; timer = nextDue()) {
      now = Math.max(now, timer.dueMs());
      pending.delete(timer);
      timer.fire();
      await settle();
    }
    now = end;
    await settle();
  }

  function createClock(): VirtualClock {
    const readings = { monotonic: hand(0), boot: hand(0), wall: hand(startWallMs) };
    let frozen = false;
    let asleep = false;
    let rateBeforeSleep = 1;

    /** A reading: linear in true time since its last change. */
    function hand(valueMs: number) {
      let since = now;
      let value = valueMs;
      let rate = 1;
      const read = () => value + (now - since) * rate;
      return {
        read,
        rate: () => rate,
        set(next: { valueMs?: number; rate?: number }) {
          value = next.valueMs ?? read();
          since = now;
          rate = next.rate ?? rate;
        },
      };
    }

    function setTimer(delayMs: number, callback: () => void): Timer {
      const dueReading = readings.monotonic.read() + clampDelay(delayMs);
      order += 1;
      const timer: Pending = {
        order,
        dueMs() {
          if (frozen || asleep) return Number.POSITIVE_INFINITY;
          return now + Math.max(0, (dueReading - readings.monotonic.read()) / readings.monotonic.rate());
        },
        fire: callback,
      };
      pending.add(timer);
      return { cancel: () => pending.delete(timer) };
    }

    return {
      resolution: { monotonicMs: 0.001, bootMs: 10, wallMs: 1 },
      bootId: "virtual",
      monotonicMs: () => readings.monotonic.read(),
      bootMs: () => readings.boot.read(),
      wallMs: () => Math.floor(readings.wall.read()),
      // History is judged in true time: that is what two believers share.
      hrtimeNs: () => BigInt(Math.round(now * 1e6)),
      setTimer,
      jump: (reading, byMs) => readings[reading].set({ valueMs: readings[reading].read() + byMs }),
      setRate: (reading, rate) => readings[reading].set({ rate }),
      suspend() {
        asleep = true;
        rateBeforeSleep = readings.monotonic.rate();
        readings.monotonic.set({ rate: 0 });
      },
      wake() {
        asleep = false;
        readings.monotonic.set({ rate: rateBeforeSleep });
      },
      freeze() {
        frozen = true;
      },
      thaw() {
        frozen = false;
      },
    };
  }

  return {
    get nowMs() {
      return now;
    },
    createClock,
    advance,
    settle,
  };
}
