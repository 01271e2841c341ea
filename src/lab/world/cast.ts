/** The processes of a world: who runs in which slot, who lives, who leads. */

import { diceFor } from "../dice.js";
import { maxTtlMs, type Settings } from "../settings.js";
import type { CreateElector } from "../foreign/elector.js";
import { ElectorProcess, type ElectorSurroundings } from "./elector-process.js";
import { type Facts, Process, type Surroundings } from "./process.js";
import type { Register } from "./register.js";
import type { Moment } from "../timeline.js";

export const visitorSlot = "visitor";

/** What runs in a slot: our election, or a foreign elector. */
export type Actor = Process | ElectorProcess;

interface Stage extends Surroundings, ElectorSurroundings {
  /** Where electors are foreign. */
  readonly createElector: CreateElector | undefined;
  readonly settings: Settings;
  readonly register: Register;
  readonly timing: { started(process: Process): void };
  readonly time: { removeClock(clock: Process["clock"]): void };
  say(kind: Moment["kind"], party: string, text: string): void;
}

export class Cast {
  readonly #stage: Stage;
  readonly processes: Process[] = [];
  readonly #named = new Map<string, Process>();
  readonly electors: ElectorProcess[] = [];
  readonly #starts = new Map<string, number>();
  #living: readonly Process[] | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Those that run and have a mind of their own. */
  get living(): readonly Process[] {
    this.#living ??= this.processes.filter(({ dead, muted }) => !dead && !muted);
    return this.#living;
  }

  get livingElectors(): readonly ElectorProcess[] {
    return this.electors.filter(({ dead }) => !dead);
  }

  get visitor(): Process | undefined {
    return this.living.find(({ slot }) => slot === visitorSlot);
  }

  /** As their histories tell: to ask a process would make it look at its clock. */
  get leader(): Process | undefined {
    const { nowMs } = this.#stage;
    return this.living.find(({ halted, term }) => {
      return !halted && term !== undefined && term.lostAt === undefined && term.untilAt > nowMs;
    });
  }

  /** `a` is what runs in that slot, `a'` its clone, `leader` whoever believes. */
  find(who: string): Process | undefined {
    if (who === "leader") return this.leader;
    const cloned = who.endsWith("'");
    const slot = cloned ? who.slice(0, -1) : who;
    return this.living.findLast((process) => process.slot === slot && process.name.endsWith("'") === cloned);
  }

  /** The same, whatever elects in it. */
  actor(who: string): Actor | undefined {
    if (this.#stage.createElector === undefined) return this.find(who);
    const { livingElectors } = this;
    if (who === "leader") return livingElectors.find((process) => process.believes());
    return livingElectors.findLast(({ slot }) => slot === who);
  }

  named(name: string): Process | undefined {
    return this.#named.get(name);
  }

  /** A new process in that slot. */
  start(slot: string): void {
    const { settings, createElector } = this.#stage;
    const count = (this.#starts.get(slot) ?? 0) + 1;
    this.#starts.set(slot, count);
    const name = count === 1 ? slot : `${slot}.${count}`;
    if (createElector !== undefined) {
      this.#startElector(name, slot, createElector);
      return;
    }
    const facts = this.#factsOf(name, slot);
    this.#stage.say("process", name, facts.style === "runner" ? "starts" : `starts as ${facts.style}`);
    const process = this.#add(new Process(facts, this.#stage));
    if (settings.twins && facts.style !== "visitor")
      this.#add(new Process({ ...facts, name: `${name}'` }, this.#stage, process));
    this.#living = undefined;
    process.start();
    this.#stage.timing.started(process);
  }

  #add(process: Process): Process {
    this.processes.push(process);
    this.#named.set(process.name, process);
    return process;
  }

  #startElector(name: string, slot: string, createElector: CreateElector): void {
    const { slots, ttlsMs, rates, mood, fenced, writeEveryMs } = this.#stage.settings;
    const place = slots.indexOf(slot);
    const [rate, ttlMs] = [rates[place] ?? 1, ttlsMs[place] ?? maxTtlMs];
    const facts = { name, slot, rate, ttlMs, mood, fenced, writeEveryMs };
    this.#stage.say("process", name, "starts");
    const process = new ElectorProcess(facts, this.#stage, createElector);
    this.electors.push(process);
    process.start();
  }

  kill(process: Actor): void {
    this.#stage.say("process", process.name, "is killed");
    process.kill();
    this.#stage.time.removeClock(process.clock);
    if ("twin" in process && process.twin !== undefined) this.#stage.time.removeClock(process.twin.clock);
    this.#living = undefined;
  }

  /** The image of a process runs twice from now on. */
  clone(original: Process): Process | undefined {
    const clone = original.part();
    this.#living = undefined;
    return clone;
  }

  #factsOf(name: string, slot: string): Facts {
    const { settings, register, seed } = this.#stage;
    const { slots, ttlsMs, rates, drainMs, byStoreClock, writeEveryMs, sharedLabel, mood } = settings;
    const visits = slot === visitorSlot;
    const place = visits ? slots.length : slots.indexOf(slot);
    const label = sharedLabel && place === 0 ? (slots[1] ?? slot) : slot;
    const campaigns = mood === "mixed" && diceFor(seed, `style of ${name}`).happens(0.35);
    return {
      name,
      slot,
      label,
      rate: rates[place] ?? 1,
      ttlMs: Math.min(ttlsMs[place] ?? maxTtlMs, register.maxTtlMs),
      style: visits ? "visitor" : campaigns ? "campaigner" : "runner",
      mood,
      drainMs,
      openedEpoch: register.epoch,
      byStoreClock: (byStoreClock[place] ?? false) && register.capabilities.storeClock,
      writeEveryMs: visits ? 0 : writeEveryMs,
    };
  }
}
