/**
 * One process of the world: a clock of its own, the shipped election on it, and work that behaves like work.
 *
 * A twin is a second process that lives through everything its original lives through, on the same clock readings,
 * the same chance and the same answers, until the two part: from then on it is a clone of a process image.
 */

import type { VirtualClock } from "../../src/base/virtual-clock.js";
import type { Election, Leadership } from "../../src/election/api.js";
import { buildElection } from "../../src/election/election.js";
import type { Logger } from "../../src/election/events.js";
import type { HistoryLine } from "../../src/history/line.js";
import { lease } from "../../src/lease/lease.js";
import { Dice } from "./dice.js";
import { drainMs } from "./temper.js";
import type { TermStory } from "./term-story.js";
import { type Roadway, Wire } from "./wire.js";

export interface Facts {
  readonly id: string;
  /** The node name of its election. */
  readonly label: string;
  readonly slot: number;
  readonly seed: number;
  readonly rate: number;
  readonly ttlMs: number;
  /** `runner` uses run(), `campaigner` campaign() and resign(), `visitor` only looks, asks and tries. */
  readonly style: "runner" | "campaigner" | "visitor";
  readonly openedEpoch: string;
  readonly byStoreClock: boolean;
}

interface Sight {
  /** First. */
  presentAt: number;
  /** First since it was last present. */
  absentAt: number;
  highestToken: number;
  highestAt: number;
  highestOwner: string;
  /** Last shown. */
  epoch: string | undefined;
}

export interface Surroundings {
  readonly nowMs: number;
  createClock(): VirtualClock;
  freshId(): string;
  roadway(process: Process): Roadway;
  told(process: Process, line: HistoryLine): void;
  warned(process: Process, code: string): void;
  happened(process: Process, event: "elected" | "lost" | "overrun"): void;
  breaks(why: string): void;
}

export class Process {
  readonly facts: Facts;
  readonly clock: VirtualClock;
  readonly election: Election<Leadership>;
  readonly wire: Wire;
  readonly startedAt: number;
  /** What this election object was shown. */
  readonly seen: Sight = {
    presentAt: Number.POSITIVE_INFINITY,
    absentAt: Number.POSITIVE_INFINITY,
    highestToken: 0,
    highestAt: Number.NEGATIVE_INFINITY,
    highestOwner: "",
    epoch: undefined,
  };
  /** How long it had seen nothing there when it sent its takes, by instance and token. */
  readonly absences = new Map<string, number>();
  /** Tokens whose work has not settled. */
  readonly unsettled = new Set<number>();
  readonly terms: TermStory[] = [];
  readonly lines: HistoryLine[] = [];
  leadership: Leadership | undefined;
  /** The next token must exceed it. */
  floor = 0;
  eligible = true;
  dead = false;
  stopping = false;
  twin: Process | undefined;
  /** True while it follows its original: it is not there yet. */
  muted: boolean;
  partedAt: number | undefined;
  /** A term that had ended before this clone was born. */
  silentToken: number | undefined;
  haltedAt: number | undefined;
  resumedAt = 0;
  readonly #around: Surroundings;
  readonly #dice: Dice;
  readonly #jitter: Dice;
  readonly #ids: string[] = [];
  readonly #original: Process | undefined;
  #drawn = 0;
  #running: Promise<void> = Promise.resolve();
  #resume: () => void = () => {};

  constructor(facts: Facts, around: Surroundings, original?: Process) {
    this.facts = facts;
    this.#around = around;
    this.#original = original;
    this.muted = original !== undefined;
    this.startedAt = around.nowMs;
    this.#dice = new Dice(facts.seed);
    this.#jitter = new Dice(facts.seed + 1);
    this.clock = around.createClock();
    for (const reading of ["monotonic", "boot", "wall"] as const) this.clock.setRate(reading, facts.rate);
    this.wire = new Wire(around.roadway(this), original?.wire);
    this.election = this.#build();
    if (original !== undefined) original.twin = this;
  }

  get name(): string {
    return this.facts.id;
  }

  get halted(): boolean {
    return this.haltedAt !== undefined;
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

  /** Resolves when it can go on; never for a dead one. */
  async awake(): Promise<void> {
    while (this.halted || this.dead) await this.#running;
  }

  believes(): boolean {
    if (this.halted || this.dead) return false;
    const believes = this.election.leadership !== undefined;
    void this.twin?.believes();
    return believes;
  }

  /** A stopped process, a blocked event loop, or a machine that sleeps. */
  halt(how: "freeze" | "suspend"): void {
    if (this.halted) return;
    this.haltedAt = this.#around.nowMs;
    this.#running = new Promise((resolve) => {
      this.#resume = resolve;
    });
    if (how === "freeze") this.clock.freeze();
    else this.clock.suspend();
    this.twin?.halt(how);
  }

  resume(how: "freeze" | "suspend"): void {
    if (!this.halted || this.dead) return;
    this.haltedAt = undefined;
    this.resumedAt = this.#around.nowMs;
    if (how === "freeze") this.clock.thaw();
    else this.clock.wake();
    this.#resume();
    this.twin?.resume(how);
  }

  /** Killed: nothing of it happens any more, what it sent is still on its way. */
  kill(): void {
    this.dead = true;
    this.#running = new Promise(() => {});
    this.clock.freeze();
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
    twin.wire.part();
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
      if (attempted.kind === "held") return { token: attempted.by.token ?? 0, askedAt };
      if (attempted.kind !== "elected") return undefined;
      this.leadership = attempted.leadership;
      this.unsettled.add(attempted.leadership.token);
      void this.#ownTerm(attempted.leadership);
    } catch {
      // The store gave no answer, or another try is under way.
    }
    return undefined;
  }

  #build(): Election<Leadership> {
    const { label, ttlMs, byStoreClock } = this.facts;
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
        history: (line) => around.told(this, JSON.parse(line) as HistoryLine),
        logger: { debug() {}, info() {}, warn, error: (fields) => around.breaks(fieldOf(fields, "cause")) },
      },
      { clock: this.clock, chance: { id: () => this.#id(), fraction: () => this.#jitter.fraction() } },
    );
    election.on("elected", () => around.happened(this, "elected"));
    election.on("lost", () => around.happened(this, "lost"));
    election.on("released", ({ token }) => {
      if (this.unsettled.has(token ?? 0)) around.happened(this, "overrun");
    });
    return election;
  }

  /** A twin draws what its original drew, and its own after they parted. */
  #id(): string {
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

  async #run(): Promise<void> {
    await this.election
      .run(async (leadership) => {
        this.leadership = leadership;
        this.unsettled.add(leadership.token);
        try {
          await this.#work(leadership);
        } finally {
          this.unsettled.delete(leadership.token);
        }
      })
      .catch((cause: unknown) => this.#around.breaks(`run() of ${this.name} ended: ${String(cause)}`));
  }

  async #work(leadership: Leadership): Promise<void> {
    const mood = this.#dice.fraction();
    if (mood < 0.2) {
      await Promise.race([leadership.ended, this.#sleep(this.#dice.between(0, 30_000))]);
      if (mood < 0.1) throw new Error("the work failed");
      return;
    }
    await leadership.ended;
    await this.#linger();
  }

  async #linger(): Promise<void> {
    if (this.#dice.happens(0.4)) await this.#sleep(this.#dice.between(0, drainMs * 1.8));
  }

  async #campaign(): Promise<void> {
    while (!this.stopping && !this.dead) {
      try {
        const leadership = await this.election.campaign();
        this.leadership = leadership;
        this.unsettled.add(leadership.token);
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
    const gaveUp = this.#dice.happens(0.2)
      ? this.#sleep(this.#dice.between(1_000, 30_000))
      : leadership.ended;
    await Promise.race([leadership.ended, gaveUp]);
    if (!leadership.isCurrent) await this.#linger();
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
