/**
 * A guardian as `tenure run` sees it: one process, at most one command.
 *
 * Promise: `run` resolves when nothing of the command's group is left, as far as can
 * be told; a guardian that dies is noticed, and the group is killed from here.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../base/clock.js";
import { groupLives, signalGroup } from "./group.js";
import type { Instant } from "./instant.js";
import type { Assignment, FromGuardian, ToGuardian } from "./messages.js";

export type Ending =
  | {
      readonly kind: "ended";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      /** `itself`: nobody had asked. `deadline`: the guardian ended it. `asked`: we did. `unguarded`: the guardian died. */
      readonly by: "itself" | "deadline" | "asked" | "unguarded";
    }
  | { readonly kind: "not-started"; readonly code: string };

const mainFile = fileURLToPath(new URL("./main.js", import.meta.url));
/** In place of the system's name of an error: it is not the command that failed. */
export const noGuardian = "no-guardian";
const lookMs = 20;
/** A guardian that has not told of a dead group after this long is frozen. */
const silentMs = 500;

export class Guarded {
  readonly #clock: Clock;
  readonly #process: ChildProcess;
  #group: number | undefined;
  #asked = false;
  #byDeadline = false;
  #settled = false;
  #exited = false;
  #killing = false;
  #silentAtMs: number | undefined;
  #resolve: ((ending: Ending) => void) | undefined;
  readonly #onExit = new Set<() => void>();

  /** Starts the guardian; it waits for its command. `label` is what a list of processes shows. */
  constructor(clock: Clock, label: string) {
    this.#clock = clock;
    this.#process = spawn(process.execPath, [mainFile, label], {
      // The command's own standard streams go through untouched.
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      // A session of its own: what the terminal sends to us does not reach it.
      detached: true,
    });
    this.#process.on("message", (message) => this.#take(message as FromGuardian));
    this.#process.on("error", () => this.#gone());
    this.#process.on("disconnect", () => this.#gone());
    this.#process.on("exit", () => this.#gone());
  }

  /** False when another one is needed. */
  get usable(): boolean {
    return !this.#exited && this.#process.pid !== undefined && this.#process.connected;
  }

  run(assignment: Assignment): Promise<Ending> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#send({ type: "start", ...assignment });
      if (!this.usable) this.#gone();
    });
  }

  extend(until: Instant): void {
    this.#send({ type: "until", until });
  }

  /** Passes a signal on. */
  signal(signal: NodeJS.Signals): void {
    this.#send({ type: "signal", signal });
  }

  /** Passes a signal on; what is left after the drain is killed. */
  end(signal: NodeJS.Signals): void {
    this.#asked = true;
    this.#send({ type: "end", signal });
  }

  /** At once, also past a guardian that does not answer. */
  kill(): void {
    this.#asked = true;
    this.#send({ type: "kill" });
    this.#killFromHere();
  }

  /** Lets the guardian go. Waits for the end of an idle one; one with a command ends that first, by itself. */
  async dispose(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    if (this.#exited || this.#resolve !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#onExit.add(resolve);
      const limit = this.#clock.setTimer(silentMs, () => {
        this.#process.kill("SIGKILL");
        resolve();
      });
      this.#onExit.add(() => limit.cancel());
    });
  }

  #take(message: FromGuardian): void {
    if (message.type === "started") this.#group = message.group;
    else if (message.type === "ending") this.#byDeadline = true;
    else if (message.type === "not-started") this.#settle({ kind: "not-started", code: message.code });
    else {
      const { code, signal, byItself } = message;
      const asked = this.#byDeadline ? "deadline" : "asked";
      this.#settle({ kind: "ended", code, signal, by: byItself && !this.#asked ? "itself" : asked });
    }
  }

  /** The guardian is gone, or no longer listens. */
  #gone(): void {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
      this.#exited = true;
      for (const tell of this.#onExit) tell();
      this.#onExit.clear();
    }
    if (this.#settled || this.#resolve === undefined) return;
    if (this.#group !== undefined) this.#killFromHere();
    // It gave up by itself, or there never was one: nothing was started.
    else if (this.#process.pid === undefined || this.#process.exitCode !== null)
      this.#settle({ kind: "not-started", code: noGuardian });
    else if (this.#exited) this.#settle({ kind: "ended", code: null, signal: null, by: "unguarded" });
  }

  #killFromHere(): void {
    if (this.#killing || this.#group === undefined) return;
    this.#killing = true;
    this.#killGroup(this.#group);
  }

  /** Until nothing is left of it. */
  #killGroup(group: number): void {
    if (this.#settled) return;
    // Once it is dead its number may become another's.
    if (this.#silentAtMs === undefined && groupLives(group)) {
      signalGroup(group, "SIGKILL");
    } else {
      this.#silentAtMs ??= this.#clock.monotonicMs() + silentMs;
      // Its guardian knows how it ended, if it is there to tell.
      if (!this.usable || this.#clock.monotonicMs() >= this.#silentAtMs) {
        this.#process.kill("SIGKILL");
        this.#settle({
          kind: "ended",
          code: null,
          signal: "SIGKILL",
          by: this.#asked ? "asked" : "unguarded",
        });
        return;
      }
    }
    this.#clock.setTimer(lookMs, () => this.#killGroup(group));
  }

  #settle(ending: Ending): void {
    this.#settled = true;
    this.#resolve?.(ending);
    this.#resolve = undefined;
  }

  #send(message: ToGuardian): void {
    if (this.#process.connected) this.#process.send(message, () => {});
  }
}
