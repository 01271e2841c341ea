/**
 * One random world: three candidates and a visitor over one store, first with faults, then without.
 *
 * While faults last, nothing may break a promise. After the last one exactly one process leads within the bound
 * that the election prints.
 */

import { createVirtualWorld, type VirtualClock, type VirtualWorld } from "../../src/base/virtual-clock.js";
import type { HistoryEvent, HistoryLine } from "../../src/history/line.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import { Dice } from "./dice.js";
import { Hand } from "./hand.js";
import { verdict } from "./judge.js";
import { Law } from "./law.js";
import { noPower, type Power } from "./power.js";
import { type Facts, Process } from "./process.js";
import { type Entry, Register } from "./register.js";
import { drainMs, maxTtlMs, slotCount, slowestRate, type Temper, temperOf } from "./temper.js";
import { Timers } from "./timers.js";
import type { Fate, Roadway } from "./wire.js";

const safetyMs = 120_000;
const tickMs = 1_000;
const startWallMs = 1_700_000_000_000;

export interface Outcome {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly power: Power;
  /** What happened, in order. */
  readonly transcript: readonly string[];
}

export async function runSeed(seed: number): Promise<Outcome> {
  const world = new World(seed);
  try {
    return await world.run();
  } catch (cause) {
    world.breaks(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    return world.outcome;
  }
}

export class World {
  readonly seed: number;
  readonly temper: Temper;
  readonly dice: Dice;
  readonly time: VirtualWorld;
  readonly timers: Timers;
  readonly register: Register;
  readonly power: Power = noPower();
  readonly processes: Process[] = [];
  readonly law: Law;
  readonly transcript: string[] = [];
  readonly broken: string[] = [];
  readonly lines: HistoryLine[] = [];
  readonly cuts = new Map<Process, { readonly untilAt: number; readonly answersOnly: boolean }>();
  faulty = true;
  calmUntilAt = 0;
  clonesExist = false;
  readonly #trueClock: VirtualClock;
  readonly #hand: Hand;
  #ids = 0;
  #starts = 0;

  constructor(seed: number) {
    this.seed = seed;
    this.dice = new Dice(seed);
    this.temper = temperOf(this.dice, seed);
    // Before 1970 the wall clock seeds no token.
    this.time = createVirtualWorld(this.temper.wallUnset ? -1e12 : startWallMs);
    this.#trueClock = this.time.createClock();
    this.timers = new Timers(this.#trueClock);
    this.register = new Register(
      () => this.time.nowMs,
      this.temper,
      (entry, fault) => this.#executed(entry, fault),
    );
    this.law = new Law(this);
    this.#hand = new Hand(this);
  }

  get nowMs(): number {
    return this.time.nowMs;
  }

  get living(): readonly Process[] {
    return this.processes.filter(({ dead, muted }) => !dead && !muted);
  }

  get calm(): boolean {
    return !this.faulty || this.nowMs < this.calmUntilAt;
  }

  async run(): Promise<Outcome> {
    for (let slot = 0; slot < slotCount; slot += 1) this.start(slot);
    this.start(slotCount);
    this.#tick();
    this.#hand.begin();
    await this.#pass(safetyMs);
    if (this.broken.length === 0) await this.#heal();
    if (this.broken.length === 0) this.broken.push(...verdict(this, this.power));
    return this.outcome;
  }

  get outcome(): Outcome {
    return { seed: this.seed, broken: this.broken, power: this.power, transcript: this.transcript };
  }

  /** A new process in that slot; the last one is the visitor. */
  start(slot: number): Process {
    const { dice, temper, register } = this;
    this.#starts += 1;
    const visitor = slot === slotCount;
    const facts: Facts = {
      id: visitor ? "visitor" : `p${slot}.${this.#starts}`,
      label: visitor ? "visitor" : `n${temper.sharedLabel ? Math.max(slot, 1) : slot}`,
      slot,
      seed: dice.seed(),
      rate: temper.rates[slot] ?? 1,
      ttlMs: temper.ttlsMs[slot] ?? maxTtlMs,
      byStoreClock: temper.byStoreClock[slot] ?? false,
      style: visitor ? "visitor" : dice.happens(0.35) ? "campaigner" : "runner",
      openedEpoch: register.epoch,
    };
    this.note(`${facts.id} starts as ${facts.style}`);
    const process = new Process(facts, this);
    this.processes.push(process);
    if (!visitor && temper.acts.includes("fork") && dice.happens(0.4))
      this.processes.push(new Process({ ...facts, id: `${facts.id}'` }, this, process));
    process.start();
    return process;
  }

  createClock(): VirtualClock {
    return this.time.createClock();
  }

  /** Decimal, so that some ids are the beginning of others. */
  freshId(): string {
    this.#ids += 1;
    return String(this.#ids);
  }

  roadway(process: Process): Roadway {
    return {
      now: () => this.nowMs,
      provesAbsence: this.register.provesAbsence,
      storeClock: this.register.storeClock,
      fate: (write) => this.#fate(process, write),
      delay: (ms) => this.timers.delay(ms),
      read: () => this.register.read(),
      write: (order, sentAt) =>
        this.register.write({
          ...order,
          sentAt,
          by: { id: process.name, openedEpoch: process.facts.openedEpoch },
        }),
      awake: () => process.awake(),
      diverged: (call) =>
        this.breaks(`the twin ${process.name} does not follow its original at call ${call}`),
      sent: (record, expected, absence) => {
        this.note(`${process.name} sends ${outline(record)} on ${expected ?? absence}`);
        this.law.sent(process, record, expected, absence);
      },
      delivered: (answer, written, sentAt, late) =>
        this.law.delivered(process, answer, written, sentAt, late),
    };
  }

  #fate(process: Process, write: boolean): Fate {
    const { dice, temper, power } = this;
    const afterMs = dice.between(0, temper.latencyMs);
    // The observer's eyes are good, so that what it says can be judged.
    if (this.calm || (!write && process.facts.style === "visitor")) return { kind: "normal", afterMs };
    const cut = this.cuts.get(process);
    if (cut !== undefined && this.nowMs < cut.untilAt)
      return { kind: cut.answersOnly ? "lost-reply" : "lost-call" };
    const { refused, lostCall, lostReply, lateReply, lateExecution, twice } = temper.traffic;
    let luck = dice.fraction();
    const meets = (share: number) => (luck -= share) < 0;
    if (meets(refused)) return count(power, "refused", { kind: "refused" });
    if (meets(lostCall)) return count(power, "lostCalls", { kind: "lost-call" });
    if (meets(lostReply)) return count(power, "lostReplies", { kind: "lost-reply" });
    if (meets(lateReply))
      return count(power, "lateReplies", {
        kind: "late-reply",
        byMs: dice.between(0, dice.pick([3_000, 14_000])),
      });
    if (write && meets(lateExecution))
      return count(power, "lateExecutions", { kind: "late-execution", byMs: dice.between(0, 20_000) });
    if (write && meets(twice)) {
      const resent = dice.happens(0.5);
      const byMs = dice.between(0, resent ? 1_500 : 15_000);
      return count(power, "deliveredTwice", { kind: resent ? "resent" : "twice", byMs });
    }
    return { kind: "normal", afterMs };
  }

  told(process: Process, told: HistoryLine): void {
    const line = inTrueTime({ ...told, process: process.name }, process.facts.rate);
    this.law.told(process, line);
    if (process.muted) return;
    this.note(`${process.name} says ${line.event}${"reason" in line ? ` ${line.reason}` : ""}`);
    // Of a term that a clone was born after, nothing is told.
    if (!("token" in line) || process.silentToken !== line.token) this.lines.push(line);
  }

  warned(process: Process, code: string): void {
    if (process.muted || code !== "DUPLICATE_IDENTITY") return;
    this.power.clonesDetected += 1;
    if (!this.clonesExist) this.breaks(`${process.name} takes itself for a clone`);
  }

  happened(process: Process, event: "elected" | "lost" | "overrun"): void {
    if (process.muted) return;
    if (event === "overrun") this.power.overruns += 1;
    if (event === "lost") this.law.heard(process);
    if (event === "elected") this.lookAtBelievers();
  }

  /** What a clone remembers is told as its own from here on. */
  born(clone: Process): void {
    const { term } = clone;
    if (term === undefined) return;
    const { instance, token, untilAt, uncertain, lostAt } = term;
    if (lostAt !== undefined) {
      clone.silentToken = token;
      return;
    }
    const until = BigInt(Math.ceil(untilAt * 1e6)).toString();
    this.write(clone, { event: "elected", instance, token, until });
    if (uncertain) this.write(clone, { event: "uncertain", instance, token });
  }

  breaks(why: string): void {
    this.note(`BROKEN: ${why}`);
    this.broken.push(`${why} (at ${Math.round(this.nowMs)} ms)`);
  }

  note(what: string): void {
    this.transcript.push(`${this.nowMs.toFixed(1).padStart(9)} ${what}`);
  }

  processOf(id: string): Process | undefined {
    return this.processes.find(({ name }) => name === id);
  }

  /** Whoever believes says so in the history, which is judged in the end. */
  lookAtBelievers(): void {
    for (const process of this.living) this.witness(process);
  }

  witness(process: Process): void {
    if (!process.believes()) return;
    const fence = process.election.leadership?.fence;
    if (fence !== undefined)
      this.write(process, { event: "checked", instance: fence.owner, token: fence.token });
  }

  write(process: Process | undefined, event: HistoryEvent): void {
    const { nowMs } = this;
    this.lines.push({
      v: 1,
      boot: "virtual",
      at: BigInt(Math.round(nowMs * 1e6)).toString(),
      wall: 0,
      process: process?.name ?? "world",
      node: process?.facts.label ?? "world",
      namespace: "default",
      election: "job",
      ...event,
    });
  }

  #executed(entry: Entry, fault: string | undefined): void {
    this.note(`store: ${entry.version} is ${outline(entry.record)} by ${entry.by}`);
    this.law.executed(entry, fault);
    this.#hand.sees(entry);
    const { record, before } = entry;
    const changed =
      before === undefined || outline({ ...before.record, seq: 0 }) !== outline({ ...record, seq: 0 });
    if (!changed || !this.temper.hints || (this.faulty && this.dice.happens(0.1))) return;
    this.timers.after(this.dice.between(0.01, 3), () => {
      for (const process of this.living) if (!process.halted) process.wire.hint();
    });
  }

  #tick(): void {
    this.timers.every(tickMs, () => {
      for (const process of this.living) this.law.watch(process);
      this.lookAtBelievers();
      const visitor = this.living.find(({ facts }) => facts.style === "visitor");
      const view = visitor?.election.status.leader;
      // A machine that sleeps sees nothing.
      if (visitor?.halted === false && view?.kind === "held" && !view.self)
        this.write(visitor, { event: "observed", instance: "", token: view.token ?? 0 });
    });
  }

  /** In slices, so that a broken world ends early. */
  async #pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms && this.broken.length === 0; passedMs += 2_000)
      await this.time.advance(Math.min(2_000, ms - passedMs));
  }

  async #heal(): Promise<void> {
    this.faulty = false;
    this.#hand.end();
    await this.time.settle();
    const { living } = this;
    const budgets = living.map(({ election }) => election.budget);
    const stuck = living.some(({ unsettled }) => unsettled.size > 0);
    const longest = Math.max(...budgets.map(({ leaderlessMs }) => leaderlessMs));
    // What a store that has just come back shows as given back is waited for.
    const doubtedMs = this.register.doubtsFor(longest) ? maxTtlMs : 0;
    const withinMs = Math.ceil((longest + doubtedMs + (stuck ? 2 * drainMs : 0)) / slowestRate) + 1_000;
    this.note(`healed: one leader within ${withinMs} ms`);
    this.write(undefined, { event: "leader-by", withinMs });
    this.#hand.ask();
    await this.#pass(withinMs);
    const leaders = () => this.living.filter((process) => process.believes());
    // A handover or a term that ends by itself at this very instant is no failure.
    for (let tries = 0; tries < 40 && leaders().length !== 1 && this.broken.length === 0; tries += 1)
      await this.time.advance(500);
    if (this.broken.length === 0 && leaders().length !== 1)
      this.breaks(
        `${leaders().length} lead after the last fault: ${leaders()
          .map(({ name }) => name)
          .join(", ")}`,
      );
  }
}

function count(power: Power, name: keyof Power, fate: Fate): Fate {
  power[name] += 1;
  return fate;
}

/** Deadlines are on the process's clock; the audit compares them in true time. */
function inTrueTime(line: HistoryLine, rate: number): HistoryLine {
  if (line.event !== "elected" && line.event !== "extended") return line;
  const at = BigInt(line.at);
  const aheadNs = Number(BigInt(line.until) - at) / rate;
  return { ...line, until: (at + BigInt(Math.ceil(aheadNs))).toString() };
}

export function outline({ instance, token, seq, state, writer, request, bid }: LeaseRecord): string {
  const others = [
    writer === instance ? "" : ` by ${writer}`,
    request === undefined ? "" : ` asked ${request.id}${request.to === undefined ? "" : `>${request.to}`}`,
    bid === undefined ? "" : ` bid ${bid.instance}`,
  ];
  return `${state} ${instance}/${token}#${seq}${others.join("")}`;
}
