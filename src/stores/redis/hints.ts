/**
 * Wakes by publish and subscribe, over a connection of their own.
 *
 * Only the script publishes, and only when a record has news; a renewal wakes nobody. Hints
 * may be lost: whatever is said while there is no connection was missed, so all who listen are
 * woken when there is one. Followers poll in any case.
 */

import type { Clock, Timer } from "../../base/clock.js";
import type { Opening, Recipe } from "../../redis/connection.js";
import type { Place } from "./keys.js";

type Wake = () => void;

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/** All who listen in one namespace, by the name in the message. */
class Channel {
  readonly names = new Map<string, Set<Wake>>();

  hear(name: string): void {
    for (const wake of this.names.get(name) ?? []) hint(wake);
  }

  hearAll(): void {
    for (const wakes of this.names.values()) for (const wake of wakes) hint(wake);
  }
}

/** A listener that throws is no reason to leave the others asleep. */
function hint(wake: Wake): void {
  try {
    wake();
  } catch {
    // A hint: whoever missed it polls.
  }
}

export class Hints {
  readonly #recipe: Recipe;
  readonly #clock: Clock;
  readonly #connectTimeoutMs: number;
  readonly #channels = new Map<string, Channel>();
  #opening: Opening | undefined;
  #retry: Timer | undefined;
  #failures = 0;
  #subscribe: ((channel: string) => void) | undefined;
  #closed = false;

  constructor(recipe: Recipe, clock: Clock, connectTimeoutMs: number) {
    this.#recipe = recipe;
    this.#clock = clock;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  listen({ marker, name }: Place, wake: Wake, signal: AbortSignal): void {
    if (this.#closed || signal.aborted) return;
    let channel = this.#channels.get(marker);
    if (channel === undefined) {
      channel = new Channel();
      this.#channels.set(marker, channel);
      this.#subscribe?.(marker);
    }
    const wakes = channel.names.get(name) ?? new Set();
    channel.names.set(name, wakes.add(wake));
    signal.addEventListener("abort", () => this.#forget(marker, name, wake), { once: true });
    if (this.#opening === undefined && this.#retry === undefined) this.#connect();
  }

  close(): void {
    this.#closed = true;
    this.#channels.clear();
    this.#disconnect();
  }

  #forget(marker: string, name: string, wake: Wake): void {
    const channel = this.#channels.get(marker);
    const wakes = channel?.names.get(name);
    if (channel === undefined || wakes === undefined) return;
    wakes.delete(wake);
    if (wakes.size === 0) channel.names.delete(name);
    if (channel.names.size === 0) this.#channels.delete(marker);
    // Whoever listens next connects again: nothing of a store that nobody uses is left on the server.
    if (this.#channels.size === 0) this.#disconnect();
  }

  #disconnect(): void {
    this.#retry?.cancel();
    this.#retry = undefined;
    const opening = this.#opening;
    this.#opening = undefined;
    this.#subscribe = undefined;
    opening?.destroy();
  }

  #connect(): void {
    const over = () => {
      if (this.#opening === opening) this.#again();
    };
    const opening = this.#recipe(this.#connectTimeoutMs, over);
    this.#opening = opening;
    const hopeless = this.#clock.setTimer(this.#connectTimeoutMs, () => {
      opening.destroy();
      over();
    });
    opening.ready
      .then(async (connection) => {
        const subscribe = async (marker: string) => {
          await connection.subscribe(marker, (name) => this.#channels.get(marker)?.hear(name));
          // Whatever was said before now was missed.
          this.#channels.get(marker)?.hearAll();
        };
        this.#subscribe = (marker) => void subscribe(marker).catch(over);
        await Promise.all([...this.#channels.keys()].map(subscribe));
        if (this.#opening !== opening) return connection.destroy();
        this.#failures = 0;
      })
      .catch(() => {
        opening.destroy();
        over();
      })
      .finally(() => hopeless.cancel());
  }

  /** The connection is over, or never came about: another one after a growing pause, while anybody listens. */
  #again(): void {
    this.#opening = undefined;
    this.#subscribe = undefined;
    if (this.#closed || this.#channels.size === 0) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    this.#failures += 1;
    this.#retry = this.#clock.setTimer(pauseMs, () => {
      this.#retry = undefined;
      this.#connect();
    });
  }
}
