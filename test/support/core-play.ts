/** The core alone: a test is its clock and its store. Inputs go in, effects are kept. */

import type { Answer, CoreConfig, Effect, Input } from "../../src/lease/core-types.js";
import { LeaseCore } from "../../src/lease/core.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Stored } from "../../src/lease/store.js";

export type Write = Extract<Effect, { type: "write" }>;

/** ttl 15 s, belief 10 s, a renewal each 2.5 s, 2 s for each request. */
export const plainConfig: CoreConfig = {
  node: "a",
  metadata: {},
  ttlMs: 15_000,
  beliefMs: 10_000,
  renewMs: 2_500,
  requestTimeoutMs: 2_000,
  maxTtlMs: 15_000,
  expiry: "observed",
  storeClock: false,
  provesAbsence: true,
  readBackProves: true,
  eligible: () => true,
};

/** What another process has written, as the store shows it. */
export function shown(fields: Partial<LeaseRecord> = {}, stored: Partial<Stored> = {}): Stored {
  const seq = fields.seq ?? 1;
  const body: LeaseRecord = {
    v: 1,
    instance: "other",
    writer: fields.instance ?? "other",
    nonce: `n${seq}`,
    token: 5,
    seq,
    ttlMs: 15_000,
    state: "held",
    expiry: "observed",
    node: "b",
    electedAt: 1,
    metadata: {},
    ...fields,
  };
  return { version: `v${seq}`, epoch: "e", body, ...stored };
}

export class Play {
  readonly core: LeaseCore;
  /** All so far, without traces. */
  readonly effects: Effect[] = [];
  /** The rules that decided, and what. */
  readonly traces: string[] = [];
  /** What `chance.fraction()` answers from now on. */
  fraction = 0;
  /** Now, ms; `aheadMs` is how far the upper reading is ahead of the lower one. */
  ms = 0;
  aheadMs = 0;
  /** The wall clock at 0 ms. */
  wallMs = 1_000_000;
  #ids = 0;

  constructor(config: Partial<CoreConfig> = {}) {
    const chance = { id: () => `id-${(this.#ids += 1)}`, fraction: () => this.fraction };
    this.core = new LeaseCore({ ...plainConfig, ...config }, chance, this.#now());
  }

  #now() {
    return { upper: this.ms + this.aheadMs, lower: this.ms, wall: this.wallMs + this.ms };
  }

  /** What this step does, without traces. */
  step(input: Input): readonly Effect[] {
    const all = this.core.step(input, this.#now());
    for (const effect of all)
      if (effect.type === "trace") this.traces.push(`${effect.rule} ${effect.decision}`);
    const effects = all.filter(({ type }) => type !== "trace");
    this.effects.push(...effects);
    return effects;
  }

  /** Ticks whenever the core asks for it, until `ms`. The store says nothing meanwhile. */
  until(ms: number): readonly Effect[] {
    const before = this.effects.length;
    for (let count = 0; ; count += 1) {
      if (count > 10_000) throw new Error(`at ${this.ms} ms the core asks for one tick after the other`);
      const { upper, lower } = this.core.nextTick();
      const due = Math.max(this.ms, Math.min(upper - this.aheadMs, lower));
      if (due > ms) break;
      this.ms = due;
      this.step({ type: "tick" });
    }
    this.ms = ms;
    return this.effects.slice(before);
  }

  stand(
    stand: "patient" | "evidence" | "immediate" = "patient",
    { drainMs = 1_000, backOff = false } = {},
  ): readonly Effect[] {
    return this.step({ type: "stand", stand, drainMs, backOff });
  }

  end(reason: "resigned" | "stopped" | "transferred" = "resigned", fields: { to?: string } = {}) {
    return this.step({ type: "end", reason, drainMs: 1_000, ...fields });
  }

  /** The answer to the newest call of all, or to this one. */
  answer(answer: Answer, call = this.core.state.calls): readonly Effect[] {
    return this.step({ type: "answer", call, answer });
  }

  read(stored: Stored | undefined, call?: number): readonly Effect[] {
    return this.answer({ kind: "read", stored }, call ?? this.core.state.reading);
  }

  written(version: string, epoch = "e", call?: number): readonly Effect[] {
    return this.answer({ kind: "written", version, epoch }, call ?? this.lastWrite.call);
  }

  conflict(current: Stored | undefined, call?: number): readonly Effect[] {
    return this.answer({ kind: "conflict", current }, call ?? this.lastWrite.call);
  }

  fail(verdict: "unknown" | "definite" | "permanent" = "unknown", call?: number): readonly Effect[] {
    return this.answer({ kind: "failed", cause: new Error("no answer"), verdict }, call);
  }

  get writes(): readonly Write[] {
    return this.effects.filter((effect) => effect.type === "write");
  }

  get lastWrite(): Write {
    const write = this.writes.at(-1);
    if (write === undefined) throw new Error("nothing was written");
    return write;
  }

  /** Lets time pass until the core writes once more, and says when that is. */
  untilWrite(limitMs = this.ms + 60_000): number {
    const before = this.writes.length;
    while (this.writes.length === before) {
      const { upper, lower } = this.core.nextTick();
      const due = Math.min(upper - this.aheadMs, lower);
      if (due > limitMs) throw new Error(`nothing is written until ${limitMs} ms`);
      this.until(Math.max(this.ms, due));
    }
    return this.ms;
  }

  /** What was told to whoever leads or waits, by name and its one telling field. */
  get told(): readonly string[] {
    return told(this.effects);
  }

  /** Its term is over, its work too, and the lease released as this version. */
  leave(version = "own-9"): void {
    this.end();
    this.step({ type: "settle" });
    this.written(version);
  }

  /** Leads with the record's seq 1 as version "own-1", since this very instant. */
  lead(): void {
    this.stand();
    this.read(undefined);
    this.written("own-1");
  }
}

/** Leaves out reads, writes and views. */
export function told(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => {
    switch (effect.type) {
      case "read":
      case "write":
      case "view":
      case "trace":
        return [];
      case "lost":
        return [`lost ${effect.reason}`];
      case "released":
        return [`released ${effect.outcome}`];
      case "notice":
        return [`notice ${effect.code}`];
      case "asked":
        return [`asked ${effect.result.kind}`];
      default:
        return [effect.type];
    }
  });
}

/** A tombstone. */
export function released(seq: number, token = 5): Stored {
  return shown({ state: "released", seq, token });
}

/** Has sent its first take, with seq 1, on a tombstone of version v1. */
export function taking(config: Partial<CoreConfig> = {}): Play {
  const play = new Play(config);
  play.stand();
  play.read(released(1));
  return play;
}

/** Leads since 0 ms, with seq 1 as version "own-1". */
export function leading(config: Partial<CoreConfig> = {}): Play {
  const play = new Play(config);
  play.lead();
  return play;
}
