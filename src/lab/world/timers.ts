/** Timers in true time that a world can bring forward: when all faults end, what is still on its way arrives. */

import type { Timer } from "../../base/clock.js";
import type { VirtualClock } from "../../base/virtual-clock.js";

interface Pending {
  readonly timer: Timer;
  readonly fire: () => void;
}

export class Timers {
  readonly #clock: VirtualClock;
  readonly #pending = new Set<Pending>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  after(ms: number, fire: () => void): void {
    const armed: Pending = {
      fire,
      timer: this.#clock.setTimer(ms, () => {
        this.#pending.delete(armed);
        fire();
      }),
    };
    this.#pending.add(armed);
  }

  async delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Not brought forward. */
  every(ms: number, fire: () => void): void {
    this.#clock.setTimer(ms, () => {
      fire();
      this.every(ms, fire);
    });
  }

  flush(): void {
    for (const pending of this.#pending) {
      this.#pending.delete(pending);
      pending.timer.cancel();
      pending.fire();
    }
  }
}
