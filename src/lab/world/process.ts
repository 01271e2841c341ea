/**
 * One process of the world: the shipped election on a clock of its own, and work that behaves like work.
 *
 * A twin is a second process that lives through everything its original lives through, on the same clock readings,
 * the same chance and the same answers, until the two part: from then on it is a clone of a process image.
 */

import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Election, Leadership } from "../../election/api.js";
import { buildElection } from "../../election/election.js";
import type { Logger } from "../../election/events.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import type { HistoryEvent } from "../../history/line.js";
import { lease } from "../../lease/lease.js";
import { Dice, diceFor } from "../dice.js";
import { type Sight, nothingSeen } from "../judge/sight.js";
import type { TermStory } from "../judge/term-story.js";
import type { Mood } from "../settings.js";
import type { Doubt, ErrandGuard, ErrandWorld, Operation } from "./errands.js";
import type { Count } from "./ledger.js";
import { type Halt, Machine } from "./machine.js";
import { stampOf } from "./stamp.js";
import type { Wire } from "./wire.js";
import { Writing } from "./writing.js";

export interface Facts {
  readonly name: string;
  readonly slot: string;
  /** The node name of its election. */
  readonly label: string;
  readonly rate: number;
  readonly ttlMs: number;
  /** `runner` uses run(), `campaigner` campaign() and resign(), `visitor` only looks, asks and tries. */
  readonly style: "runner" | "campaigner" | "visitor";
  readonly mood: Mood;
  readonly drainMs: number;
  readonly openedEpoch: string;
  readonly byStoreClock: boolean;
  readonly writeEveryMs: number;
}

/** What a process has around it. */
export interface Surroundings {
  readonly seed: number;
  readonly nowMs: number;
  createClock(): VirtualClock;
  freshId(): string;
  connect(process: Process, original: Process | undefined): Connection;
  told(process: Process, event: HistoryEvent): void;
  traced(process: Process, rule: number, decision: string): void;
  warned(process: Process, code: string): void;
  happened(process: Process, event: "elected" | "lost" | "overrun"): void;
  refused(process: Process, leadership: Leadership, code: string): void;
  began(process: Process, leadership: Leadership): void;
  acknowledged(process: Process, operation: Operation): void;
  served(process: Process, resource: string, token: number, askedAt: number): void;
  breaks(why: string): void;
}

export interface Connection {
  readonly wire: Wire;
  readonly guard: Guard<ValueHandle<Count>>;
  /** Two more resources, where leaders of this world use them. */
  readonly errands:
    | { readonly guards: readonly [ErrandGuard, ErrandGuard]; readonly strict: boolean }
    | undefined;
  /** From now on it goes its own way. */
  part(): void;
}

export class Process extends Machine {
  readonly facts: Facts;
  readonly election: Election<Leadership>;
  readonly startedAt: number;
  /** What this election object was shown. */
  readonly seen: Sight = nothingSeen();
  /** How long it had seen nothing there when it sent its takes, by instance and token. */
  readonly absences: Map<string, number> = new Map();
  /** Tokens whose work has not settled. */
  readonly unsettled: Set<number> = new Set();
  readonly terms: TermStory[] = [];
  /** What its single tries were answered, in words. */
  readonly answers: string[] = [];
  leadership: Leadership | undefined;
  /** The next token must exceed it. */
  floor = 0;
  eligible = true;
  stopping = false;
  twin: Process | undefined;
  /** True while it follows its original: it is not there yet. */
  muted: boolean;
  partedAt: number | undefined;
  /** A term that had ended before this clone was born. */
  silentToken: number | undefined;
  readonly #around: Surroundings;
  readonly #connection: Connection;
  readonly #dice: Dice;
  readonly #jitter: Dice;
  readonly #ids: string[] = [];
  readonly #doubts: Doubt[] = [];
  readonly #original: Process | undefined;
  #drawn = 0;

  constructor(facts: Facts, around: Surroundings, original?: Process) {
    super(facts.name, facts.slot, around.createClock(), facts.rate);
    this.facts = facts;
    this.#around = around;
    this.#original = original;
    this.muted = original !== undefined;
    this.startedAt = around.nowMs;
    // A twin draws what its original draws.
    const lot = diceFor(around.seed, original?.name ?? facts.name);
    this.#dice = new Dice(lot.seed());
    this.#jitter = new Dice(lot.seed());
    this.#connection = around.connect(this, original);
    this.election = this.#build();
    if (original !== undefined) original.twin = this;
  }

  get wire(): Wire {
    return this.#connection.wire;
  }

  get term(): TermStory | undefined {
    return this.terms.at(-1);
  }

  start(): void {
    const { style } = this.facts;
    if (style === "runner") void this.#run();
    else if (style === "campaigner") void this.#campaign();
    else void this.#observe();
    this.twin?.start();
  }

  believes(): boolean {
    if (this.halted || this.dead) return false;
    const believes = this.election.leadership !== undefined;
    void this.twin?.believes();
    return believes;
  }

  override halt(how: Halt, nowMs: number): void {
    super.halt(how, nowMs);
    this.twin?.halt(how, nowMs);
  }

  override resume(how: Halt, nowMs: number): void {
    super.resume(how, nowMs);
    this.twin?.resume(how, nowMs);
  }

  /** Killed: nothing of it happens any more, what it sent is still on its way. */
  override kill(): void {
    super.kill();
    this.twin?.kill();
  }

  /** The image is running twice from now on. */
  part(): Process | undefined {
    const twin = this.twin;
    if (twin === undefined || this.dead) return undefined;
    this.twin = undefined;
    twin.muted = false;
    twin.partedAt = this.#around.nowMs;
    twin.resumedAt = twin.partedAt;
    Object.assign(twin.seen, this.seen);
    this.partedAt ??= twin.partedAt;
    twin.#connection.part();
    return twin;
  }

  also(act: (process: Process) => void): void {
    if (this.halted || this.dead) return;
    act(this);
    if (this.twin !== undefined) act(this.twin);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const stopped = this.election.stop();
    void this.twin?.stop();
    await stopped;
  }

  /** One try; says who was named as leader, and since when that was asked. */
  async attempt(immediate: boolean): Promise<{ token: number; askedAt: number } | undefined> {
    const askedAt = this.#around.nowMs;
    try {
      const attempted = await this.election.tryCampaign({ immediate });
      this.answers.push(attempted.kind);
      if (attempted.kind === "held") return { token: attempted.by.token ?? 0, askedAt };
      if (attempted.kind !== "elected") return undefined;
      this.#begin(attempted.leadership);
      void this.#ownTerm(attempted.leadership);
    } catch {
      // The store gave no answer, or another try is under way.
      this.answers.push("nothing");
    }
    return undefined;
  }

  #build(): Election<Leadership> {
    const { label, ttlMs, byStoreClock, drainMs, rate } = this.facts;
    const around = this.#around;
    const fieldOf = (fields: object, name: string) => String(new Map(Object.entries(fields)).get(name) ?? "");
    const warn: Logger["warn"] = (fields) => around.warned(this, fieldOf(fields, "code"));
    const election = buildElection(
      lease({ store: this.wire.store(), ttlMs, expiry: byStoreClock ? "store-clock" : "observed" }),
      {
        name: "job",
        node: label,
        drainMs,
        eligible: () => this.eligible,
        logger: {
          debug() {},
          info() {},
          warn,
          error: (fields) => around.breaks(`${this.name}: ${fieldOf(fields, "cause")}`),
        },
      },
      {
        clock: this.clock,
        chance: { id: () => this.freshId(), fraction: () => this.#jitter.fraction() },
        history: {
          // Deadlines are on the process's clock; the audit compares them in true time.
          instant: (aheadMs) => stampOf(around.nowMs + aheadMs / rate),
          write: (event) => around.told(this, event),
        },
        trace: (rule, decision) => around.traced(this, rule, decision),
      },
    );
    election.on("elected", () => around.happened(this, "elected"));
    election.on("lost", () => around.happened(this, "lost"));
    election.on("released", ({ token }) => {
      if (this.unsettled.has(token ?? 0)) around.happened(this, "overrun");
    });
    return election;
  }

  /** A twin draws what its original drew, and its own after they parted. */
  freshId(): string {
    if (this.muted) {
      this.#drawn += 1;
      return this.#original?.ids[this.#drawn - 1] ?? "ahead";
    }
    const id = this.#around.freshId();
    if (this.twin !== undefined) this.#ids.push(id);
    return id;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  #begin(leadership: Leadership): void {
    this.leadership = leadership;
    this.unsettled.add(leadership.token);
  }

  async #run(): Promise<void> {
    await this.election
      .run(async (leadership) => {
        this.#begin(leadership);
        try {
          await this.#work(leadership);
        } finally {
          this.unsettled.delete(leadership.token);
        }
      })
      .catch((cause: unknown) => this.#around.breaks(`run() of ${this.name} ended: ${String(cause)}`));
  }

  async #work(leadership: Leadership): Promise<void> {
    const luck = this.facts.mood === "mixed" ? this.#dice.fraction() : 1;
    const writing = this.#write(leadership);
    if (luck < 0.2) {
      await Promise.race([leadership.ended, this.#sleep(this.#dice.between(0, 30_000))]);
      writing?.stop();
      await writing?.over;
      if (luck < 0.1) throw new Error("the work failed");
      return;
    }
    await leadership.ended;
    await this.#linger();
    writing?.stop();
    await writing?.over;
  }

  /** Work that does not hear at once that its term is over. */
  async #linger(): Promise<void> {
    const { mood, drainMs } = this.facts;
    const share = { steady: 0, mixed: 0.4, stubborn: 0.9 }[mood];
    if (this.#dice.happens(share)) await this.#sleep(this.#dice.between(0, drainMs * 1.8));
  }

  #write(leadership: Leadership): Writing | undefined {
    const { writeEveryMs, mood } = this.facts;
    if (writeEveryMs === 0) return undefined;
    const share = { steady: 0, mixed: 0.3, stubborn: 0.9 }[mood];
    return new Writing(leadership, {
      clock: this.clock,
      guard: this.#connection.guard,
      everyMs: writeEveryMs,
      stubborn: this.#dice.happens(share),
      passes: () => leadership.isCurrent,
      opId: () => this.freshId(),
      refused: (code) => this.#around.refused(this, leadership, code),
      failed: (cause) => this.#around.breaks(`the work of ${this.name} failed: ${String(cause)}`),
      errands: this.#errands(leadership),
    });
  }

  #errands(leadership: Leadership): ErrandWorld | undefined {
    const { errands } = this.#connection;
    if (errands === undefined) return undefined;
    const around = this.#around;
    const { token } = leadership;
    return {
      ...errands,
      term: leadership,
      clock: this.clock,
      dice: new Dice(this.#dice.seed()),
      everyMs: this.facts.writeEveryMs * 0.7,
      doubts: this.#doubts,
      opId: () => this.freshId(),
      began: () => around.began(this, leadership),
      acknowledged: (resource, opId, result) => around.acknowledged(this, { resource, opId, result, token }),
      served: (resource, askedAt) => around.served(this, resource, token, askedAt),
      nowMs: () => around.nowMs,
      refused: (code) => around.refused(this, leadership, code),
      failed: (cause) => around.breaks(`the work of ${this.name} failed: ${String(cause)}`),
    };
  }

  async #campaign(): Promise<void> {
    while (!this.stopping && !this.dead) {
      try {
        const leadership = await this.election.campaign();
        this.#begin(leadership);
        void this.#ownTerm(leadership);
        await leadership.ended;
      } catch {
        // The term before is not over, or the election stops: look again later.
      }
      await this.#sleep(500);
    }
  }

  /** The work of `campaign()` settles when the user says so, which may be long after the end of its term. */
  async #ownTerm(leadership: Leadership): Promise<void> {
    const writing = this.#write(leadership);
    const gaveUp = this.#dice.happens(this.facts.mood === "steady" ? 0 : 0.2)
      ? this.#sleep(this.#dice.between(1_000, 30_000))
      : leadership.ended;
    await Promise.race([leadership.ended, gaveUp]);
    if (!leadership.isCurrent) await this.#linger();
    writing?.stop();
    await writing?.over;
    this.unsettled.delete(leadership.token);
    await leadership.resign();
  }

  async #observe(): Promise<void> {
    for await (const _ of this.election.observe()) if (this.dead) return;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.setTimer(ms, resolve));
  }
}
