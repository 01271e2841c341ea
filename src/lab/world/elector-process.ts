/**
 * One process of the world with a foreign elector in it, on a clock of its own, and work that writes while it may.
 *
 * The elector is asked as work would ask it: `check()` at any instant at which the process can run. Whatever it throws,
 * or answers in another shape than the seam says, is told as its failure.
 */

import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Fence } from "../../fence/fence.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import type { HistoryEvent } from "../../history/line.js";
import type { CreateElector, Elector } from "../foreign/elector.js";
import { PartClock } from "../foreign/part-clock.js";
import { shown } from "../foreign/plain.js";
import { diceFor } from "../dice.js";
import type { Mood } from "../settings.js";
import type { ElectorWire } from "./elector-wire.js";
import type { Count } from "./ledger.js";
import { Machine } from "./machine.js";
import { stampOf } from "./stamp.js";
import { electionKey } from "./register.js";
import { Writing } from "./writing.js";

export interface ElectorFacts {
  readonly name: string;
  readonly slot: string;
  readonly rate: number;
  readonly ttlMs: number;
  readonly mood: Mood;
  /** Without a guard stubborn work proves nothing. */
  readonly fenced: boolean;
  readonly writeEveryMs: number;
}

export interface ElectorSurroundings {
  readonly seed: number;
  readonly nowMs: number;
  createClock(): VirtualClock;
  freshId(): string;
  connectElector(process: ElectorProcess): ElectorConnection;
  toldByElector(process: ElectorProcess, event: HistoryEvent): void;
  electorRefused(process: ElectorProcess, fence: Fence, code: string): void;
  breaks(why: string): void;
}

export interface ElectorConnection {
  readonly wire: ElectorWire;
  readonly guard: Guard<ValueHandle<Count>>;
}

/** What `check` and `token` say at one instant. */
export type Belief = { readonly token: number } | undefined;

const largestToken = 2 ** 52;

export class ElectorProcess extends Machine {
  readonly facts: ElectorFacts;
  readonly startedAt: number;
  /** It was told to stop. */
  stopping = false;
  /** When `stop()` settled. */
  stoppedAt: number | undefined;
  readonly parts: PartClock;
  readonly wire: ElectorWire;
  readonly #around: ElectorSurroundings;
  readonly #guard: Guard<ValueHandle<Count>>;
  readonly #elector: Elector | undefined;
  #writing: Writing | undefined;
  #writesUnder = 0;

  constructor(facts: ElectorFacts, around: ElectorSurroundings, create: CreateElector) {
    super(facts.name, facts.slot, around.createClock(), facts.rate);
    this.facts = facts;
    this.#around = around;
    this.startedAt = around.nowMs;
    this.parts = new PartClock(this.clock, (cause) => this.#fails("a timer of its", cause));
    const { wire, guard } = around.connectElector(this);
    this.wire = wire;
    this.#guard = guard;
    this.#elector = this.#create(create);
  }

  start(): void {
    try {
      const started: unknown = this.#elector?.start();
      if (started instanceof Promise) started.catch((cause: unknown) => this.#fails("start()", cause));
    } catch (cause) {
      this.#fails("start()", cause);
    }
  }

  /** Undefined also for what cannot be asked now. */
  belief(): Belief {
    if (this.halted || this.dead || this.#elector === undefined) return undefined;
    const passes: unknown = this.#ask("check()", (elector) => elector.check());
    if (typeof passes !== "boolean") {
      this.#wrong(`check() answered ${shown(passes)}; it must answer true or false, at once`);
      return undefined;
    }
    if (!passes) return undefined;
    const token: unknown = this.#ask("token()", (elector) => elector.token());
    if (Number.isSafeInteger(token) && (token as number) >= 1 && (token as number) <= largestToken)
      return { token: token as number };
    this.#wrong(`check() passes, and token() is ${shown(token)}: a term has a whole number from 1 to 2^52`);
    return undefined;
  }

  believes(): boolean {
    return this.belief() !== undefined;
  }

  /** Its work begins for a term that is seen for the first time. */
  work({ token }: { readonly token: number }): void {
    const { writeEveryMs, name, mood, fenced } = this.facts;
    if (writeEveryMs === 0 || this.#writesUnder === token) return;
    this.#writesUnder = token;
    const around = this.#around;
    const dice = diceFor(around.seed, `work of ${name} under ${token}`);
    const fence: Fence = {
      ...{ v: 1, namespace: "default", election: "job", lineage: "default/lease" },
      ...{ token, owner: name },
    };
    this.#writing = new Writing(
      { fence },
      {
        clock: this.clock,
        guard: this.#guard,
        everyMs: writeEveryMs,
        stubborn: fenced && dice.happens({ steady: 0, mixed: 0.3, stubborn: 0.9 }[mood]),
        passes: () => this.belief()?.token === token,
        opId: () => around.freshId(),
        refused: (code) => around.electorRefused(this, fence, code),
        failed: (cause) => around.breaks(`the work of ${name} failed: ${String(cause)}`),
      },
    );
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.#writing?.stop();
    try {
      await this.#elector?.stop();
    } catch (cause) {
      this.#fails("stop()", cause);
    }
    this.stoppedAt = this.#around.nowMs;
  }

  #create(create: CreateElector): Elector | undefined {
    const around = this.#around;
    const { name, slot, ttlMs } = this.facts;
    const lot = diceFor(around.seed, `elector ${name}`);
    try {
      const elector: unknown = create({
        store: this.wire,
        key: electionKey,
        clock: this.parts,
        random: { id: () => around.freshId(), fraction: () => lot.fraction() },
        node: slot,
        ttlMs,
        history: {
          write: (event) => around.toldByElector(this, event),
          instant: (aheadMs) => stampOf(around.nowMs + aheadMs / this.rate),
        },
      });
      const wrong = wrongElector(elector);
      if (wrong === undefined) return elector as Elector;
      this.#wrong(wrong);
    } catch (cause) {
      around.breaks(`createElector threw ${shown(cause)}`);
    }
    return undefined;
  }

  #ask(what: string, ask: (elector: Elector) => unknown): unknown {
    try {
      return this.#elector && ask(this.#elector);
    } catch (cause) {
      this.#fails(what, cause);
      return false;
    }
  }

  #fails(what: string, cause: unknown): void {
    if (!this.dead) this.#wrong(`${what} failed: ${shown(cause)}`);
  }

  #wrong(why: string): void {
    this.#around.breaks(`createElector: ${this.name}: ${why}`);
  }
}

function wrongElector(elector: unknown): string | undefined {
  if (elector instanceof Promise) return "it made a promise; it must answer an elector, at once";
  if (typeof elector !== "object" || elector === null)
    return `it made ${shown(elector)}, which is no elector`;
  const missing = (["start", "check", "token", "stop"] as const).filter(
    (name) => typeof (elector as Partial<Elector>)[name] !== "function",
  );
  return missing.length === 0 ? undefined : `what it made has no method ${missing.join(", ")}`;
}
