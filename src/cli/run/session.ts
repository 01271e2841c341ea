/**
 * One `tenure run`: a candidate whose work is a command under a guardian.
 *
 * Promise: the work of a term settles only when nothing of the command's group is left,
 * so the lease is given up after that and not before. What decides the end of the whole
 * is noted once and never changed; the candidacy ends when its last term was released.
 */

import type { Clock } from "../../base/clock.js";
import type { Election, Leadership } from "../../election/api.js";
import type { EndReason } from "../../election/events.js";
import { exitCodes, signalCode } from "../exit-codes.js";
import { type Ending, Guarded, noGuardian } from "../guardian/guarded.js";
import type { Instant } from "../guardian/instant.js";
import type { Deadlines } from "./deadlines.js";
import type { RunOutcome } from "./report.js";

export interface SessionOptions {
  readonly election: Election;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  readonly command: readonly string[];
  readonly once: boolean;
  readonly graceMs: number;
  readonly drainMs: number;
  readonly say: (text: string) => void;
}

export interface Conclusion {
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
}

/** Ends that nobody wanted: another may lead already, or soon. */
const unwanted: ReadonlySet<EndReason> = new Set<EndReason>([
  "deadline",
  "superseded",
  "store-lost",
  "duplicate-identity",
]);

export class Session {
  readonly #options: SessionOptions;
  readonly #leaving = new AbortController();
  #guarded: Guarded;
  #retired: Promise<void> = Promise.resolve();
  #running = false;
  #conclusion: Conclusion | undefined;
  #signal: NodeJS.Signals | undefined;
  terms = 0;
  token: number | null = null;
  endReason: EndReason | null = null;
  released: "released" | "left-to-expire" | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    // Started before it is needed, so that a new leader need not wait for it.
    this.#guarded = this.#guard();
    const { election } = options;
    election.on("lost", ({ reason }) => this.#lost(reason));
    election.on("released", ({ outcome }) => {
      this.released = outcome;
      if (this.#conclusion !== undefined) this.#leaving.abort();
    });
  }

  /** Ends the candidacy. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Undefined while nothing has decided the end. */
  get conclusion(): Conclusion | undefined {
    const signal = this.#signal;
    // A command that outlived its drain, and the kill after it, has no ending to tell of.
    const left = signal && { outcome: "signalled" as const, exitCode: signalCode(signal), signal };
    return this.#conclusion ?? left;
  }

  /** A deadline moved. */
  extend(until: Instant): void {
    this.#guarded.extend(until);
  }

  /** Passes a signal on that ends nothing here. */
  forward(signal: NodeJS.Signals): void {
    if (this.#running) this.#guarded.signal(signal);
  }

  /** The first signal ends the command in order, the second one at once. */
  interrupt(signal: NodeJS.Signals): void {
    if (this.#signal !== undefined) {
      this.#guarded.kill();
      return;
    }
    this.#signal = signal;
    if (this.#running) this.#guarded.end(signal);
    else this.conclude({ outcome: "signalled", exitCode: signalCode(signal), signal });
    this.#leaving.abort();
  }

  /** Ends a candidacy that leads nothing. The first conclusion counts. */
  conclude(conclusion: Conclusion): void {
    this.#conclusion ??= conclusion;
    this.#leaving.abort();
  }

  /** The work of a term. */
  readonly work = async (leadership: Leadership): Promise<void> => {
    const { deadlines, command, graceMs, drainMs, say } = this.#options;
    const until = deadlines.newest;
    if (!leadership.isCurrent || until === undefined) return;
    this.terms += 1;
    this.token = leadership.token;
    this.endReason = null;
    this.released = null;
    say(`leads ${leadership.election} as ${leadership.node} with token ${leadership.token}`);
    if (!this.#guarded.usable) this.#guarded = this.#guard();
    this.#running = true;
    const environment = environmentOf(leadership);
    const ending = await this.#guarded.run({ command, environment, until, graceMs, drainMs });
    this.#running = false;
    this.#conclusion ??= this.#judge(ending);
    this.#retired = this.#guarded.dispose();
    // Otherwise the candidacy ends when the term that is over now was released.
    if (this.#conclusion !== undefined && this.released !== null) this.#leaving.abort();
    if (this.#conclusion === undefined) this.#guarded = this.#guard();
  };

  /** Lets the guardians go, and waits until they have ended. */
  async dispose(): Promise<void> {
    await Promise.all([this.#retired, this.#guarded.dispose()]);
  }

  #guard(): Guarded {
    const { clock, election } = this.#options;
    return new Guarded(clock, `guardian of ${election.namespace}/${election.name}`);
  }

  #lost(reason: EndReason): void {
    this.endReason ??= reason;
    if (!this.#running) return;
    this.#options.say(`leads no longer: ${reason}`);
    if (unwanted.has(reason)) this.#guarded.kill();
    else if (this.#signal === undefined) this.#guarded.end("SIGTERM");
  }

  /** What the end of the command means for the whole; undefined: stand again. */
  #judge(ending: Ending): Conclusion | undefined {
    const { once, say } = this.#options;
    if (ending.kind === "not-started") return this.#notStarted(ending.code);
    const { code, signal, by } = ending;
    const exitCode = signal === null ? (code ?? exitCodes.failed) : signalCode(signal);
    if (by === "unguarded") say("the guardian is gone, so the command was killed");
    if (by === "deadline") {
      this.endReason ??= "deadline";
      say("the lease was not renewed in time, so the command was ended");
    }
    if (this.#signal !== undefined) return { outcome: "signalled", exitCode, signal };
    if (by === "itself") return { outcome: "exited", exitCode, signal };
    return once ? { outcome: "lost", exitCode: exitCodes.lost, signal } : undefined;
  }

  #notStarted(code: string): Conclusion | undefined {
    const { command, once, say } = this.#options;
    if (code === "late") {
      say("too little was left of the term to start the command");
      return once ? { outcome: "lost", exitCode: exitCodes.lost, signal: null } : undefined;
    }
    if (code === noGuardian) {
      say("the guardian could not be started, so the command was not");
      return { outcome: "failed", exitCode: exitCodes.failed, signal: null };
    }
    const missing = code === "ENOENT";
    say(`${command[0]}: ${missing ? "not found" : `cannot be executed (${code})`}`);
    const exitCode = missing ? exitCodes.notFound : exitCodes.notExecutable;
    return { outcome: "not-started", exitCode, signal: null };
  }
}

function environmentOf({ election, node, token }: Leadership): Readonly<Record<string, string>> {
  return { TENURE_ELECTION: election, TENURE_NODE: node, TENURE_FENCING_TOKEN: String(token) };
}
