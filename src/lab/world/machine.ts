/**
 * What a process runs on: its clock, and the ways in which it can stop: frozen, asleep, with its host, dead.
 *
 * A stopped process reads nothing before it goes on; then it reads what has come in, in order.
 */

import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Reading } from "../faults/fault.js";
import type { Sender } from "./network.js";

export type Halt = "freeze" | "suspend" | "host";

const readings: readonly Reading[] = ["monotonic", "boot", "wall"];

export class Machine implements Sender {
  readonly name: string;
  readonly slot: string;
  readonly clock: VirtualClock;
  readonly rate: number;
  dead = false;
  haltedAt: number | undefined;
  resumedAt = 0;
  /** When one of its clocks last jumped. */
  jumpedAt: number = Number.NEGATIVE_INFINITY;
  #inbox: (() => void)[] = [];

  constructor(name: string, slot: string, clock: VirtualClock, rate: number) {
    this.name = name;
    this.slot = slot;
    this.clock = clock;
    this.rate = rate;
    for (const reading of readings) clock.setRate(reading, rate);
  }

  get halted(): boolean {
    return this.haltedAt !== undefined;
  }

  whenAwake(read: () => void): void {
    if (this.dead) return;
    if (this.halted) this.#inbox.push(read);
    else read();
  }

  halt(how: Halt, nowMs: number): void {
    this.haltedAt = nowMs;
    if (how === "suspend") this.clock.suspend();
    else this.clock.freeze();
    if (how === "host") for (const reading of readings) this.clock.setRate(reading, 0);
  }

  resume(how: Halt, nowMs: number): void {
    this.haltedAt = undefined;
    this.resumedAt = nowMs;
    if (how === "suspend") this.clock.wake();
    else this.clock.thaw();
    if (how === "host") for (const reading of readings) this.clock.setRate(reading, this.rate);
    const inbox = this.#inbox;
    this.#inbox = [];
    // What runs first after a stop runs before anything is read.
    queueMicrotask(() => {
      for (const read of inbox) this.whenAwake(read);
    });
  }

  kill(): void {
    this.dead = true;
    this.#inbox = [];
    this.clock.freeze();
  }
}
