/** The parts of a world that somebody else may bring, each a factory against a public port. Types only. */

import type { Clock } from "../../base/clock.js";
import type { Chance } from "../../base/random.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import type { Store } from "../../lease/store.js";
import type { CreateElector } from "./elector.js";

/** What a server-side part may use: time and chance come from nowhere else, so that a run repeats itself. */
export interface ServerParts {
  /** Of the machine that the part stands on. It runs true; a fault may step its wall clock. */
  readonly clock: Clock;
  readonly random: Chance;
}

/** Called once a run. What it makes stands at the far end of the network, and every process calls it. */
export type CreateStore = (parts: ServerParts) => Store;

export interface GuardParts extends ServerParts {
  /** What the resource is called. */
  readonly resource: string;
  /** What it may hold at first, as JSON has it. Another value does as well. */
  readonly initial: unknown;
}

/** Called once a run, as a store is. Any JSON can be put as its value. */
export type CreateGuard = (parts: GuardParts) => Guard<ValueHandle<unknown>>;

/** What an elector promises less of than P1 does. It is then not disturbed in that way. */
export interface Assumptions {
  /** Any two clocks differ by less than this factor; P1 says 1.5. 1: all run alike. */
  readonly clockRates?: number;
  /** False: machines never sleep. */
  readonly sleep?: boolean;
}

export interface Parts {
  readonly createElector?: CreateElector;
  readonly createStore?: CreateStore;
  readonly createGuard?: CreateGuard;
  /** Of the elector. */
  readonly assumptions?: Assumptions;
}
