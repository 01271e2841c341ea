/**
 * Judges foreign electors by what `check` and `token` answer, and by nothing else: their protocol is their own.
 *
 * Everybody who can run is asked at one instant, so two that pass have both been told that they may act now.
 */

import type { Power } from "../judge/power.js";
import type { Moment } from "../timeline.js";
import type { ElectorProcess } from "../world/elector-process.js";

export interface ElectorScene {
  readonly nowMs: number;
  readonly power: Power;
  breaks(why: string): void;
  say(kind: Moment["kind"], party: string, text: string): void;
}

interface Term {
  readonly process: ElectorProcess;
  readonly token: number;
  readonly sinceMs: number;
}

export class ElectorCourt {
  readonly #scene: ElectorScene;
  readonly #terms = new Map<ElectorProcess, Term>();
  readonly #overlaps = new Set<string>();
  #highest: Term | undefined;
  #asking = false;

  constructor(scene: ElectorScene) {
    this.#scene = scene;
  }

  /** Asks all of them. An elector that calls its store while it is asked is not asked once more for that. */
  look(processes: readonly ElectorProcess[]): void {
    if (this.#asking) return;
    this.#asking = true;
    const passing = processes.flatMap((process) => this.#ask(process) ?? []);
    this.#asking = false;
    for (const [place, one] of passing.entries())
      for (const other of passing.slice(place + 1)) this.#overlap(one, other);
    for (const { process, token } of passing) process.work({ token });
  }

  #ask(process: ElectorProcess): Term | undefined {
    // Who stands still believes nothing new, and may not be asked.
    if (process.halted) return undefined;
    const belief = process.belief();
    const before = this.#terms.get(process);
    if (belief === undefined) {
      if (before !== undefined)
        this.#scene.say("belief", process.name, `check() passes no more for token ${before.token}`);
      this.#terms.delete(process);
      return undefined;
    }
    this.#scene.power.count("checked");
    if (process.stoppedAt !== undefined)
      this.#scene.breaks(`createElector: check() of ${process.name} passes after stop() has settled`);
    if (before?.token === belief.token) return before;
    return this.#begin(process, belief.token);
  }

  #begin(process: ElectorProcess, token: number): Term {
    const { nowMs, power } = this.#scene;
    const term = { process, token, sinceMs: nowMs };
    const highest = this.#highest;
    this.#scene.say("belief", process.name, `check() passes with token ${token}`);
    this.#terms.set(process, term);
    // Its own token, after it was in doubt and nobody else has led: the same term.
    if (highest?.process === process && highest.token === token) return term;
    power.count("terms");
    if (highest !== undefined && token <= highest.token)
      this.#scene.breaks(
        `I1: check() of ${process.name} passes with token ${token}, and ${highest.process.name} has led ` +
          `with ${highest.token} since ${Math.round(highest.sinceMs)} ms: tokens rise from term to term`,
      );
    else this.#highest = term;
    return term;
  }

  #overlap(one: Term, other: Term): void {
    const key = JSON.stringify([one, other].map(({ process, token }) => [process.name, token]));
    if (this.#overlaps.has(key)) return;
    this.#overlaps.add(key);
    this.#scene.power.count("overlaps");
    this.#scene.breaks(`I2: check() of ${who(one)} and of ${who(other)} passed at one instant`);
  }
}

function who({ process, token, sinceMs }: Term): string {
  const { name, rate } = process;
  const pace = rate === 1 ? "" : `, on clocks of ${Math.round(rate * 100) / 100} : 1`;
  return `${name} (token ${token} since ${Math.round(sinceMs)} ms${pace})`;
}
