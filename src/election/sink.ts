/** What the engine tells the election. Belief has changed already when any of these is called. */

import type { EngineSink } from "./algorithm.js";
import type { HeldBy } from "./api.js";
import type { EndReason, LeaderView } from "./events.js";
import type { Shell } from "./shell.js";
import { TermHandle } from "./term.js";

export class Sink implements EngineSink {
  /** The shell is built around the engine: set before that is told anything, so before it says anything. */
  shell!: Shell;

  elected({ instance, token }: { readonly instance: string; readonly token: number | undefined }): void {
    const { shell } = this;
    const { engine, options, candidacy } = shell;
    const { drainMs } = candidacy;
    const settledByUser = candidacy.workOwner === "user";
    const term = new TermHandle({ engine, options, instance, token, drainMs, settledByUser });
    if (shell.term !== undefined) shell.term.past = true;
    shell.term = term;
    shell.emit("elected", { node: shell.options.node, token });
    shell.candidacy.settle({ kind: "elected", term });
  }

  uncertain(sinceMs: number, cause: unknown): void {
    this.shell.emit("uncertain", { sinceMs, cause });
  }

  confirmed(afterMs: number): void {
    this.shell.emit("confirmed", { afterMs });
  }

  renewFailed(cause: unknown, remainingMs: number): void {
    this.shell.emit("renewFailed", { cause, remainingMs });
  }

  lost(reason: EndReason, lateByMs: number): void {
    const { term } = this.shell;
    term?.end(reason);
    this.shell.emit("lost", { reason, token: term?.token, lateByMs });
  }

  released(outcome: "released" | "left-to-expire"): void {
    const { term, candidacy } = this.shell;
    this.shell.emit("released", { outcome, token: term?.token });
    term?.over.close();
    if (candidacy.workOwner === "user") candidacy.leave();
    this.#quietNow();
  }

  answered(answer: { readonly kind: "held"; readonly by: HeldBy } | { readonly kind: "unknown" }): void {
    this.shell.candidacy.settle(answer);
  }

  refused(cause: unknown): void {
    this.shell.candidacy.refuse(cause);
  }

  withdrawn(): void {
    this.shell.candidacy.settle({ kind: "withdrawn" });
    this.#quietNow();
  }

  view(view: LeaderView): void {
    this.shell.viewChanged(view);
  }

  #quietNow(): void {
    const { engine, onQuiet } = this.shell;
    if (onQuiet !== undefined && engine.quiet()) onQuiet();
  }
}
