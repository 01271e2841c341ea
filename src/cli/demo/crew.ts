/**
 * The three candidates together: starting, waiting for a state, and the end of all.
 *
 * Promise: every wait ends, with the state wanted, at its limit, when a process exits
 * that should not, or when the demo is interrupted; and says what it waited for.
 */

import { readFileSync } from "node:fs";
import { realClock } from "../../base/real-clock.js";
import { createSeat, type Seat, type SeatOptions } from "./seat.js";
import { nodes } from "./settings.js";

/** Several times what anything in the demo takes on a busy machine. */
const limitMs = 20_000;

export interface Leading {
  readonly seat: Seat;
  readonly token: number;
}

export interface Crew {
  readonly seats: readonly Seat[];
  /** Resolves with the first answer of `look` that is not undefined; asked anew after each change. */
  until<T>(what: string, look: () => T | undefined): Promise<T>;
  /** Lets time pass; for phases, never for something to happen. */
  pause(ms: number): Promise<void>;
  /** The leader with the highest token, where there is one. */
  leading(): Leading | undefined;
  /** Ends every process that is left, stopped ones too. */
  end(): Promise<void>;
}

/** Thrown when the demo did not see what it promised. */
export function broken(message: string): Error {
  const error = new Error(message);
  error.name = "DemoFailed";
  return error;
}

export function isBroken(cause: unknown): cause is Error {
  return cause instanceof Error && cause.name === "DemoFailed";
}

export function createCrew(options: SeatOptions, interrupted: AbortSignal): Crew {
  const waiting = new Set<() => void>();
  const change = () => {
    for (const look of [...waiting]) look();
  };
  const seats = nodes.map((node) => createSeat(node, options, change));

  /** Without a signal it waits for the end of all, where no exit is amiss. */
  function until<T>(what: string, look: () => T | undefined, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (act: () => void) => {
        waiting.delete(ask);
        timer.cancel();
        signal?.removeEventListener("abort", stop);
        act();
      };
      const stop = () => settle(() => reject(signal?.reason as Error));
      const ask = () => {
        const lost = signal && seats.find((seat) => (seat.exit && !seat.mayExit) || seat.failure);
        const answer = look();
        if (lost !== undefined) settle(() => reject(broken(`${describe(lost)}, ${lastWords(lost)}`)));
        else if (answer !== undefined) settle(() => resolve(answer));
      };
      const timer = realClock.setTimer(limitMs, () => {
        const now = seats.map(describe).join("; ");
        settle(() => reject(broken(`waited ${limitMs / 1_000} s for ${what}, in vain: ${now}`)));
      });
      waiting.add(ask);
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      else ask();
    });
  }

  function leading(): Leading | undefined {
    const leaders = seats.flatMap((seat) => (seat.leads === undefined ? [] : [{ seat, token: seat.leads }]));
    return leaders.toSorted((a, b) => b.token - a.token)[0];
  }

  return {
    seats,
    until: (what, look) => until(what, look, interrupted),
    async pause(ms) {
      let over = false;
      const timer = realClock.setTimer(ms, () => {
        over = true;
        change();
      });
      await until("a pause", () => over || undefined, interrupted).finally(() => timer.cancel());
    },
    leading,
    async end() {
      const left = seats.filter(({ pid, exit }) => pid !== undefined && exit === undefined);
      for (const seat of left) seat.signal("SIGKILL", true);
      const gone = () => left.every(({ exit }) => exit !== undefined) || undefined;
      await until("the candidates to end", gone);
    },
  };
}

function describe({ node, exit, leads, sees, failure }: Seat): string {
  if (failure !== undefined) return `${node} failed: ${failure}`;
  if (exit !== undefined) return `${node} exited with ${exit.signal ?? exit.code}`;
  return `${node} ${leads === undefined ? `sees token ${sees ?? "none"}` : `leads with token ${leads}`}`;
}

function lastWords({ log }: Seat): string {
  const text = readFileSync(log, "utf8").trim();
  return text === "" ? "without a word" : `its last words: ${text.slice(-600)}`;
}
