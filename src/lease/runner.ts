/**
 * The shell around the lease core: performs its effects, reports the answers.
 *
 * Promise: it awaits nothing but store calls, so nothing sits between reading a term
 * and acting on it. Timers keep the process alive while the election is live, and
 * none is left after `close`.
 */

import type { Clock, Timer } from "../base/clock.js";
import { Timeline } from "../base/timeline.js";
import type { EngineContext } from "../election/algorithm.js";
import type { LeaseTiming } from "./budget.js";
import { LeaseCore } from "./core.js";
import type { CoreState } from "./core-state.js";
import type { Answer, CoreConfig, Effect, Input, Now } from "./core-types.js";
import { gather } from "./gather.js";
import { OpenCalls, type Send } from "./open-calls.js";
import { Reporter } from "./reporter.js";
import type { LeaseRecord } from "./record.js";
import type { Store, Stored, StoreFinding } from "./store.js";

const nothingFound: readonly StoreFinding[] = [];

export interface LeaseParts {
  readonly store: Store;
  readonly key: string;
  readonly timing: LeaseTiming;
  readonly expiry: LeaseRecord["expiry"];
}

export class LeaseRunner {
  readonly reporter: Reporter;
  readonly #store: Store;
  readonly #gathered: Pick<Store, "read" | "write">;
  readonly #key: string;
  readonly #clock: Clock;
  readonly #timeline: Timeline;
  readonly #core: LeaseCore;
  readonly #calls: OpenCalls;
  readonly #read: Send;
  readonly #tick: () => void;
  readonly #wake: () => void;
  /** Due and not yet performed. */
  #effects: Effect[] | undefined;
  #performing = false;
  #timer: Timer | undefined;
  #hints: AbortController | undefined;
  #closed = false;
  /** Those that were reported. */
  #findings: readonly StoreFinding[] = nothingFound;

  constructor(context: EngineContext, parts: LeaseParts) {
    const { store, key, timing } = parts;
    const { clock } = context;
    this.#store = store;
    this.#gathered = gather(store);
    this.#key = key;
    this.#clock = clock;
    this.#timeline = Timeline.of(clock);
    this.#core = new LeaseCore(coreConfig(context, parts), context.chance, this.now());
    this.reporter = new Reporter(context, this.#timeline);
    this.#calls = new OpenCalls(clock, timing.requestTimeoutMs, store.kind, (call, answer) => {
      this.step({ type: "answer", call, answer });
    });
    this.#read = (call) => this.#gathered.read(this.#key, call).then(toAnswer);
    this.#tick = () => this.step({ type: "tick" });
    this.#wake = () => this.step({ type: "wake" });
  }

  get state(): Readonly<CoreState> {
    return this.#core.state;
  }

  now(): Now {
    return this.#timeline.now();
  }

  step(input: Input): void {
    if (this.#closed) return;
    // A step is rare enough for a fresh boot-time reading: it finds a sleep that the wall clock hides.
    this.#timeline.refresh();
    const effects = this.#core.step(input, this.now());
    // A listener may step again: its effects come after those that are already due.
    if (this.#effects === undefined) this.#effects = effects;
    else this.#effects.push(...effects);
    if (this.#performing) return;
    this.#performing = true;
    try {
      for (let effect = this.#effects.shift(); effect !== undefined; effect = this.#effects.shift()) {
        this.#perform(effect);
      }
      this.#effects = undefined;
    } finally {
      this.#performing = false;
    }
    if (this.#closed) return;
    if (input.type === "answer") this.#reportFindings();
    this.#schedule();
    this.#attend();
  }

  remainingMs(): number {
    const { term } = this.#core.state;
    if (term === undefined || term.phase !== "leading") return 0;
    const remaining = term.deadlineUpper - this.#timeline.upperMs();
    if (remaining > 0) return remaining;
    // Rule 3: whoever asks first after the deadline ends the term, timers or not.
    this.step({ type: "tick" });
    return 0;
  }

  close(): void {
    if (this.#closed) return;
    this.step({ type: "close" });
    this.#closed = true;
    this.#timer?.cancel();
    this.#hints?.abort();
    this.#calls.close();
    this.reporter.close();
  }

  #perform(effect: Effect): void {
    if (effect.type === "read") {
      this.#calls.start(effect.call, this.#read, reading);
    } else if (effect.type === "write") {
      const { record, expected, absence, takeover } = effect;
      this.#calls.start(effect.call, (call) => this.#gathered.write(this.#key, record, expected, call), {
        // An answer after the timeout still matters.
        late: true,
        absence,
        takeover,
      });
    } else {
      this.reporter.report(effect);
    }
  }

  /** Each once. The array stays the same until something is added, so mostly there is nothing to look at. */
  #reportFindings(): void {
    const { findings = nothingFound } = this.#store;
    const reportedCount = this.#findings.length;
    if (findings === this.#findings) return;
    this.#findings = findings;
    for (const { code, message } of findings.slice(reportedCount))
      this.reporter.report({ type: "notice", code, message });
  }

  #schedule(): void {
    this.#timer?.cancel();
    const due = this.#core.nextTick();
    const { upper, lower } = this.now();
    const delayMs = Math.min(due.upper - upper, due.lower - lower);
    this.#timer = Number.isFinite(delayMs) ? this.#clock.setTimer(delayMs, this.#tick) : undefined;
  }

  /** Hints are wanted while anything is going on; a driver that cannot give them is polled. */
  #attend(): void {
    const { race, term, ask, watching } = this.#core.state;
    const live = race !== undefined || term !== undefined || ask !== undefined || watching;
    if (!live) {
      this.#hints?.abort();
      this.#hints = undefined;
    } else if (this.#hints === undefined && this.#store.watch !== undefined) {
      this.#hints = new AbortController();
      this.#store.watch([this.#key], this.#wake, this.#hints.signal);
    }
  }
}

const reading = { late: false, absence: "waited", takeover: "observed" } as const;

function toAnswer(stored: Stored | undefined): Answer {
  return { kind: "read", stored };
}

function coreConfig({ options }: EngineContext, { store, timing, expiry }: LeaseParts): CoreConfig {
  const { node, metadata, eligible } = options;
  const { ttlMs, beliefMs, renewMs, requestTimeoutMs } = timing;
  const { maxTtlMs, capabilities } = store;
  const { storeClock, provesAbsence, readBackProves } = capabilities;
  return {
    node,
    metadata,
    ttlMs,
    beliefMs,
    renewMs,
    requestTimeoutMs,
    maxTtlMs,
    expiry,
    storeClock,
    provesAbsence,
    readBackProves,
    eligible,
  };
}
