/**
 * Values of a case in a database, behind its guard, while time is virtual: none passes while the database works.
 *
 * So the story of a case, told in minutes of virtual time, is played on a real one.
 */

import type { VirtualWorld } from "../../src/base/virtual-clock.js";
import { memoryGuard, type ValueGuard } from "../../src/fence/memory/index.js";

/** What leaders of a case ask of a guard: nobody sends it messages. */
export type KeptGuard<V> = Omit<ValueGuard<V>, "receive">;

/** Resources that hold one value each. */
export type Values = <V>(resource: string, initial: V) => KeptGuard<V>;

export interface Keeping {
  readonly values: Values;
  /** Resolves when nothing that was asked of the database is unanswered. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export const inMemory: Values = (resource, initial) => memoryGuard({ resource, initial });

/** So little of virtual time passes before the database is waited for. */
const sliceMs = 50;

/** From now on `world` lets no time pass while the database works. */
export function standStill(world: VirtualWorld, { idle }: Pick<Keeping, "idle">): void {
  const advance = world.advance.bind(world);
  Object.assign(world, {
    async advance(byMs: number) {
      const endMs = world.nowMs + byMs;
      do {
        await advance(Math.min(sliceMs, Math.max(0, endMs - world.nowMs)));
        await idle();
      } while (world.nowMs < endMs);
    },
  });
}

export class Unanswered {
  readonly #asked = new Set<Promise<unknown>>();

  async until<R>(asked: Promise<R>): Promise<R> {
    this.#asked.add(asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(asked);
    }
  }

  async idle(): Promise<void> {
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
  }
}
