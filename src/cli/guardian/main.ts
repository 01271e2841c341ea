/**
 * The guardian of a command: an entry of its own, started by `tenure run` in a session of its own.
 *
 * Promise: it starts the command, so that none runs without a guardian; it ends the
 * command's whole group before the last deadline it was told, also when `tenure` is
 * frozen, and at once when the pipe to it closes, which is how a killed `tenure` shows.
 * It reports the end only when nothing of the group is left. It ignores the signals
 * that end others, and writes nothing: a full pipe behind it must not stop it.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { realClock } from "../../base/real-clock.js";
import type { Timer } from "../../base/clock.js";
import { Countdown } from "./countdown.js";
import { groupLives, signalGroup } from "./group.js";
import { instantNow } from "./instant.js";
import type { Assignment, FromGuardian, ToGuardian } from "./messages.js";

const ignored = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGTERM",
  "SIGTSTP",
  "SIGTTIN",
  "SIGTTOU",
  "SIGUSR1",
  "SIGUSR2",
];
/** How often a group is looked at whose command has ended. */
const lookMs = 10;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

class Guardian {
  #group: number | undefined;
  #countdown: Countdown | undefined;
  #exit: Exit | undefined;
  #byItself = false;
  #timer: Timer | undefined;

  take(message: ToGuardian): void {
    if (message.type === "start") this.#start(message);
    else if (message.type === "until") this.#countdown?.extend(message.until);
    else if (message.type === "signal") this.#signal(message.signal);
    else if (message.type === "end") this.#end(message.signal);
    else this.#countdown?.kill();
    this.#look();
  }

  /** `tenure` is gone, whatever ended it: nobody renews any more. */
  abandon(): void {
    if (this.#group === undefined) process.exit(0);
    this.#end("SIGTERM");
    this.#look();
  }

  #start({ command, environment, until, graceMs, drainMs }: Assignment): void {
    const [file = "", ...args] = command;
    const bootResolutionMs = realClock.resolution.bootMs;
    const countdown = new Countdown({ until, graceMs, drainMs, bootResolutionMs });
    if (countdown.due(instantNow(realClock)) !== undefined) {
      tell({ type: "not-started", code: "late" });
      return;
    }
    let child: ChildProcess;
    try {
      const env = { ...process.env, ...environment };
      child = spawn(file, args, { stdio: "inherit", detached: true, env });
    } catch (cause) {
      tell({ type: "not-started", code: codeOf(cause) });
      return;
    }
    child.on("error", (cause) => {
      if (this.#group === undefined) tell({ type: "not-started", code: codeOf(cause) });
    });
    if (child.pid === undefined) return;
    this.#group = child.pid;
    this.#countdown = countdown;
    tell({ type: "started", group: child.pid });
    child.on("exit", (code, signal) => this.#ended({ code, signal }));
  }

  /** What the command left behind in its group must not outlive the term either. */
  #ended(exit: Exit): void {
    this.#exit = exit;
    this.#byItself = this.#countdown?.phase === "running";
    if (this.#group !== undefined && groupLives(this.#group)) this.#end("SIGTERM");
    this.#look();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#group !== undefined) signalGroup(this.#group, signal);
  }

  #end(signal: NodeJS.Signals): void {
    this.#signal(signal);
    this.#countdown?.end(instantNow(realClock));
  }

  #look(): void {
    const [group, countdown, exit] = [this.#group, this.#countdown, this.#exit];
    this.#timer?.cancel();
    if (group === undefined || countdown === undefined) return;
    if (exit !== undefined && !groupLives(group)) {
      this.#group = undefined;
      // Nothing else holds the process: without the pipe it ends.
      tell({ type: "gone", ...exit, byItself: this.#byItself }, () => process.disconnect());
      return;
    }
    const wasRunning = countdown.phase === "running";
    const signal = countdown.due(instantNow(realClock));
    if (signal !== undefined) this.#signal(signal);
    if (wasRunning && countdown.byDeadline) tell({ type: "ending" });
    const nextMs = countdown.nextMs(instantNow(realClock));
    this.#timer = realClock.setTimer(exit === undefined ? nextMs : Math.min(nextMs, lookMs), () =>
      this.#look(),
    );
  }
}

function tell(message: FromGuardian, sent: () => void = () => {}): void {
  // The end of `tenure` is noticed by "disconnect".
  if (process.connected) process.send?.(message, undefined, undefined, () => process.connected && sent());
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
}

const guardian = new Guardian();
for (const signal of ignored) process.on(signal, () => {});
process.on("message", (message) => guardian.take(message as ToGuardian));
process.on("disconnect", () => guardian.abandon());
