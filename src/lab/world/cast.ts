/** The processes of a world: who runs in which slot, who lives, who leads. */

import { diceFor } from "../dice.js";
import { maxTtlMs, type Settings } from "../settings.js";
import { type Facts, Process, type Surroundings } from "./process.js";
import type { Register } from "./register.js";
import type { Moment } from "../timeline.js";

export const visitorSlot = "visitor";

interface Stage extends Surroundings {
  readonly settings: Settings;
  readonly register: Register;
  readonly time: { removeClock(clock: Process["clock"]): void };
  say(kind: Moment["kind"], party: string, text: string): void;
}

export class Cast {
  readonly #stage: Stage;
  readonly processes: Process[] = [];
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

  named(name: string): Process | undefined {
    return this.processes.find((process) => process.name === name);
  }

  /** A new process in that slot. */
  start(slot: string): Process {
    const { settings } = this.#stage;
    const count = (this.#starts.get(slot) ?? 0) + 1;
    this.#starts.set(slot, count);
    const name = count === 1 ? slot : `${slot}.${count}`;
    const facts = this.#factsOf(name, slot);
    this.#stage.say("process", name, facts.style === "runner" ? "starts" : `starts as ${facts.style}`);
    const process = new Process(facts, this.#stage);
    this.processes.push(process);
    if (settings.twins && facts.style !== "visitor")
      this.processes.push(new Process({ ...facts, name: `${name}'` }, this.#stage, process));
    this.#living = undefined;
    process.start();
    return process;
  }

  kill(process: Process): void {
    this.#stage.say("process", process.name, "is killed");
    process.kill();
    this.#stage.time.removeClock(process.clock);
    if (process.twin !== undefined) this.#stage.time.removeClock(process.twin.clock);
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
      ttlMs: ttlsMs[place] ?? maxTtlMs,
      style: visits ? "visitor" : campaigns ? "campaigner" : "runner",
      mood,
      drainMs,
      openedEpoch: register.epoch,
      byStoreClock: byStoreClock[place] ?? false,
      writeEveryMs: visits ? 0 : writeEveryMs,
    };
  }
}
