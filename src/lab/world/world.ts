/**
 * One world: candidates over one store and one guarded resource, a network between them, and whoever disturbs them.
 *
 * One thread, one seed: the same seed, settings and faults make the same run. While faults last, nothing may break a
 * promise. After the last one exactly one process leads within the bound that the election prints.
 */

import { createVirtualWorld, type VirtualClock, type VirtualWorld } from "../../base/virtual-clock.js";
import type { Leadership } from "../../election/api.js";
import type { Fence } from "../../fence/fence.js";
import type { HistoryEvent, HistoryLine } from "../../history/line.js";
import type { Director } from "../director.js";
import { type Dice, diceFor } from "../dice.js";
import { type Act, type Fault, kindOf } from "../faults/fault.js";
import { advisoryAfter, advisoryFromTheStart } from "../judge/advisory.js";
import { Law } from "../judge/law.js";
import { Power } from "../judge/power.js";
import { Guarding } from "../judge/guarding.js";
import { Conduct } from "../judge/conduct.js";
import { Timing } from "../judge/timing.js";
import { type Settings, startWallMs } from "../settings.js";
import type { Moment } from "../timeline.js";
import type { CreateElector } from "../foreign/elector.js";
import type { HostedStore } from "../foreign/hosted-store.js";
import { InstalledParts } from "../foreign/installed.js";
import type { Parts } from "../foreign/parts.js";
import { type Actor, Cast } from "./cast.js";
import { CallLog } from "./call-log.js";
import { type ElectorConnection, ElectorProcess, type ElectorSurroundings } from "./elector-process.js";
import type { Operation } from "./errands.js";
import { Ledger } from "./ledger.js";
import { Network } from "./network.js";
import type { Connection, Process, Surroundings } from "./process.js";
import { stampOf } from "./stamp.js";
import { electionKey, Register } from "./register.js";
import type { Account, Entry } from "./store-account.js";
import { Timers } from "./timers.js";
import { InstantCalls } from "./instant-calls.js";
import { isNews, outline, told } from "./outline.js";
import { Plans } from "./plans.js";

/** A world that goes on after something broke ends here. */
const mostCounted = 1_000;

export type CreateDirector = (world: World) => Director;

/** What works on a world. It knows the world, so it is handed in. */
export interface Machinery {
  readonly isPossible: (world: World, act: Act) => boolean;
  readonly perform: (world: World, act: Act) => void;
  readonly connect: (world: World, process: Process, original: Process | undefined) => Connection;
  readonly connectElector: (world: World, process: ElectorProcess, hosted: HostedStore) => ElectorConnection;
}

export interface WorldOptions {
  readonly seed: number;
  readonly settings: Settings;
  readonly director: CreateDirector;
  readonly machinery: Machinery;
  /** Keeps what happened for a reader; costs time. */
  readonly recording: boolean;
  readonly onPassed?: () => void;
  readonly parts?: Parts | undefined;
  /** Goes on after something broke, for counts. */
  readonly counting?: boolean;
}

export class World implements Surroundings, ElectorSurroundings, Account {
  readonly seed: number;
  readonly settings: Settings;
  readonly recording: boolean;
  readonly onPassed: (() => void) | undefined;
  readonly dice: Dice;
  readonly time: VirtualWorld;
  readonly timers: Timers;
  /** Of the director: all that it does, it plans, except for what becomes of a call that is sent now. */
  readonly plans: Plans;
  readonly network: Network;
  readonly installed: InstalledParts | undefined;
  readonly register: Register;
  readonly ledger: Ledger;
  /** Two more resources, in some worlds. */
  readonly errands:
    | { readonly strict: boolean; readonly ledgers: Readonly<Record<"errands-1" | "errands-2", Ledger>> }
    | undefined;
  readonly guarding: Guarding = new Guarding(this);
  /** Of every fourth seed: to judge all of them would cost more than it finds. */
  readonly calls: CallLog | undefined;
  readonly instantCalls: InstantCalls = new InstantCalls();
  readonly power: Power = new Power();
  readonly cast: Cast;
  readonly law: Law;
  readonly timing: Timing;
  readonly conduct: Conduct;
  readonly director: Director;
  readonly moments: Moment[] = [];
  readonly broken: string[] = [];
  readonly lines: HistoryLine[] = [];
  /** What was done to this world, in order. */
  readonly faults: Fault[] = [];
  readonly #counting: boolean;
  readonly #machinery: Machinery;
  faulty = true;
  faultyUntilMs = 0;
  /** Why belief is not exclusive here; undefined where it is. */
  advisory: string | undefined;
  calmUntilAt = 0;
  clonesExist = false;
  #ids = 0;

  constructor(options: WorldOptions) {
    const { seed, settings, director, recording, onPassed, parts, counting = false } = options;
    this.seed = seed;
    this.recording = recording;
    this.onPassed = onPassed;
    this.#counting = counting;
    this.#machinery = options.machinery;
    this.advisory = advisoryFromTheStart(settings);
    this.dice = diceFor(seed, "world");
    this.time = createVirtualWorld(startWallMs[settings.wall]);
    this.timers = new Timers(this.time.createClock());
    this.plans = new Plans(this.time);
    const brought = parts ?? (settings.store === "file" ? {} : undefined);
    this.installed = brought && new InstalledParts(this, brought, settings);
    this.settings = this.installed?.settingsFor(settings) ?? settings;
    const isJudged = seed % 4 === 0 && this.installed?.store === undefined;
    this.calls = isJudged ? new CallLog(this, true) : undefined;
    this.register = new Register(this.settings, this, this.installed?.store);
    this.installed?.hintAt(electionKey, () => this.#hint());
    this.ledger = new Ledger({
      claimed: (row) => this.#guarded("claimed", row.watermark, row.owner),
      applied: ({ watermark, owner, last }) => this.#guarded("applied", watermark, owner, last ?? undefined),
      wrote: (count, before) => this.law.wrote(count, before, settings.fenced),
    });
    this.errands = this.#openErrands();
    this.network = new Network({
      seed,
      time: this.time,
      timers: this.timers,
      latency: settings.latency,
      instant: this.register.instant,
      fate: (sender, kind) => {
        this.instantCalls.sent(this.nowMs, sender, kind);
        return this.calm ? undefined : this.director.fate(sender, kind);
      },
    });
    this.law = new Law(this);
    this.conduct = new Conduct(this);
    this.timing = new Timing(this, this.conduct);
    this.cast = new Cast(this);
    this.director = director(this);
  }

  get nowMs(): number {
    return this.time.nowMs;
  }

  get calm(): boolean {
    return !this.faulty || this.nowMs < this.calmUntilAt;
  }

  /** A broken world ends early. */
  get over(): boolean {
    return this.broken.length > (this.#counting ? mostCounted : 0);
  }

  get createElector(): CreateElector | undefined {
    return this.installed?.parts.createElector;
  }

  createClock(): VirtualClock {
    return this.time.createClock();
  }

  /** Decimal, so that some ids are the beginning of others. */
  freshId(): string {
    this.#ids += 1;
    return String(this.#ids);
  }

  connect(process: Process, original: Process | undefined): Connection {
    return this.#machinery.connect(this, process, original);
  }

  connectElector(process: ElectorProcess): ElectorConnection {
    const hosted = this.installed?.store;
    if (hosted === undefined) throw new Error("foreign electors need a store that keeps any key");
    return this.#machinery.connectElector(this, process, hosted);
  }

  /** Does it now, and remembers that it was done. */
  perform(act: Act): void {
    if (!this.#machinery.isPossible(this, act)) return;
    const others = act.verb === "fate" ? this.instantCalls.others(act.who, act.call) : 0;
    this.faults.push({ ...act, ...(others > 0 && { others }), atMs: this.nowMs });
    this.power.count(`fault-${kindOf(act)}`);
    this.advisory ??= advisoryAfter(this.settings, act);
    this.#machinery.perform(this, act);
  }

  told(process: Process, event: HistoryEvent): void {
    const line = this.#lineOf(process, event);
    this.law.told(process, line);
    this.timing.told(process, line);
    if (event.event === "lost") this.guarding.lost(process, event.token, event.reason);
    if (process.muted) return;
    if (this.recording && event.event !== "extended") this.say("belief", process.name, told(event));
    // Of a term that a clone was born after, nothing is told.
    if (!("token" in event) || process.silentToken !== event.token) this.lines.push(line);
    this.director.onTold?.(process, event);
  }

  traced(process: Process, rule: number, decision: string): void {
    if (!process.muted) this.power.count(`rule-${rule}-${decision}`);
  }

  toldByElector(process: ElectorProcess, event: HistoryEvent): void {
    if (this.recording && event.event !== "extended")
      this.say("belief", process.name, `says: ${told(event)}`);
  }

  warned(process: Process, code: string): void {
    if (process.muted || code !== "DUPLICATE_IDENTITY") return;
    this.power.count("clones-detected");
    if (!this.clonesExist) this.breaks(`${process.name} takes itself for a clone`);
  }

  happened(process: Process, event: "elected" | "lost" | "overrun"): void {
    if (process.muted) return;
    if (event === "overrun") this.power.count("overruns");
    if (event === "lost") this.law.heard(process);
    if (event === "elected") this.lookAtBelievers();
  }

  began(process: Process, { token }: Leadership): void {
    const ledgers = Object.values(this.errands?.ledgers ?? {});
    if (!process.muted)
      this.guarding.began(
        process,
        token,
        ledgers.map((ledger) => ledger.watermark),
      );
  }

  acknowledged(process: Process, operation: Operation): void {
    if (!process.muted) this.guarding.acknowledged(process, operation);
  }

  served(process: Process, resource: string, token: number, askedAt: number): void {
    if (!process.muted) this.guarding.served(process, resource, token, askedAt);
  }

  refused(process: Process, leadership: Leadership, code: string): void {
    // Asked of a twin as well: it reads the clock.
    const { fence, isCurrent } = leadership;
    if (process.muted) return;
    this.guarding.refused(process, fence.token, code, isCurrent);
    this.#refused(process, fence, code);
  }

  electorRefused(process: ElectorProcess, fence: Fence, code: string): void {
    this.#refused(process, fence, code);
  }

  #refused(process: Actor, fence: Fence, code: string): void {
    this.power.count(code === "STALE" ? "stale-refused" : "writes-refused");
    this.say("guard", process.name, `is refused by the ledger with token ${fence.token}: ${code}`);
    this.write(process, {
      event: "refused",
      resource: "ledger",
      instance: fence.owner,
      token: fence.token,
      code,
    });
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
    this.write(clone, { event: "elected", instance, token, until: stampOf(untilAt) });
    if (uncertain) this.write(clone, { event: "uncertain", instance, token });
  }

  /** Its clocks will stand still with its host, so it will believe for longer than it has said. */
  deadlineMoves(process: Process, byMs: number): void {
    const { leadership } = process.election;
    if (leadership === undefined) return;
    const { owner: instance, token } = leadership.fence;
    const until = stampOf(this.nowMs + leadership.remainingMs() / process.rate + byMs);
    this.told(process, { event: "extended", instance, token, until });
    if (process.twin !== undefined) this.deadlineMoves(process.twin, byMs);
  }

  breaks(why: string): void {
    this.say("broken", "world", why);
    this.broken.push(`${why} (at ${Math.round(this.nowMs)} ms)`);
  }

  say(kind: Moment["kind"], party: string, text: string): void {
    if (this.recording) this.moments.push({ atMs: this.nowMs, party, kind, text });
  }

  /** Whoever believes says so in the history, which is judged in the end. */
  lookAtBelievers(): void {
    for (const process of this.cast.living) this.witness(process);
    this.installed?.electors?.look(this.cast.livingElectors);
  }

  /** After it went on, and where somebody wants to know. */
  look(process: Actor): void {
    if (process instanceof ElectorProcess) this.lookAtBelievers();
    else this.witness(process);
  }

  witness(process: Process): void {
    if (!process.believes()) return;
    const fence = process.election.leadership?.fence;
    if (fence === undefined) return;
    this.write(process, { event: "checked", instance: fence.owner, token: fence.token });
    this.law.checked(process);
  }

  write(process: Actor | undefined, event: HistoryEvent): void {
    this.lines.push(this.#lineOf(process, event));
  }

  onEntry(entry: Entry, fault: string | undefined): void {
    if (this.recording) this.say("store", "store", `holds ${outline(entry.record)}, written by ${entry.by}`);
    this.law.executed(entry, fault);
    this.conduct.executed(entry);
    this.director.onEntry?.(entry);
    if (isNews(entry) && this.installed?.hintsItself !== true) this.#hint();
  }

  /** Wakes may be lost. */
  #hint(): void {
    if (!this.settings.hints || (this.faulty && this.dice.happens(0.1))) return;
    this.timers.after(this.dice.between(0.01, 3), () => {
      for (const process of this.cast.living) process.also(({ wire }) => wire.hint());
    });
  }

  #openErrands(): World["errands"] {
    const { fenced, oneResource } = this.settings;
    const dice = diceFor(this.seed, "errands");
    if (!fenced || oneResource || this.installed?.guard !== undefined || !dice.happens(0.5)) return undefined;
    const open = (resource: string, claimed: (token: number) => void) =>
      new Ledger({
        claimed: ({ watermark }) => {
          this.guarding.claimed(resource, watermark);
          claimed(watermark);
        },
        applied() {},
        wrote: ({ count, opId }) => this.guarding.applied(resource, opId, count),
      });
    const first = open("errands-1", () => {});
    const second = open("errands-2", (token) =>
      this.guarding.claimedInTurn("errands-2", token, first.watermark),
    );
    return { strict: dice.happens(0.5), ledgers: { "errands-1": first, "errands-2": second } };
  }

  #guarded(
    event: "claimed" | "applied",
    token: number,
    owner: string,
    last?: { readonly seq: number; readonly opId: string },
  ): void {
    this.power.count(event === "claimed" ? "claims" : "guarded-writes");
    if (this.recording && event === "claimed") this.say("guard", "ledger", `is claimed with token ${token}`);
    const seq = last === undefined ? {} : { seq: last.seq, opId: last.opId };
    this.write(undefined, { event, resource: "ledger", instance: owner, token, ...seq });
  }

  #lineOf(process: Actor | undefined, event: HistoryEvent): HistoryLine {
    return {
      v: 1,
      boot: "virtual",
      at: stampOf(this.nowMs),
      wall: 0,
      process: process?.name ?? "world",
      node: process === undefined ? "world" : labelOf(process),
      namespace: "default",
      election: "job",
      ...event,
    };
  }
}

function labelOf(process: Actor): string {
  return process instanceof ElectorProcess ? process.slot : process.facts.label;
}
