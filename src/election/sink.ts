/** What the engine tells the election. Belief has changed already when any of these is called. */

import type { EngineSink } from "./algorithm.js";
import type { HeldBy } from "./api.js";
import type { EndReason, LeaderView } from "./events.js";
import type { Shell } from "./shell.js";
import { TermHandle } from "./term.js";

export class Sink implements EngineSink {
  readonly #shell: () => Shell;

  /** The engine reports to the shell and the shell drives the engine: the shell is found when first needed. */
  constructor(shell: () => Shell) {
    this.#shell = shell;
  }

  elected({ instance, token }: { readonly instance: string; readonly token: number | undefined }): void {
    const shell = this.#shell();
    const term = openTerm(shell, instance, token);
    shell.term = term;
    shell.events.emit("elected", { node: shell.options.node, token });
    shell.candidacy.settle({ kind: "elected", term });
  }

  uncertain(sinceMs: number, cause: unknown): void {
    this.#shell().events.emit("uncertain", { sinceMs, cause });
  }

  confirmed(afterMs: number): void {
    this.#shell().events.emit("confirmed", { afterMs });
  }

  renewFailed(cause: unknown, remainingMs: number): void {
    this.#shell().events.emit("renewFailed", { cause, remainingMs });
  }

  lost(reason: EndReason, lateByMs: number): void {
    const { term, events } = this.#shell();
    term?.end(reason);
    events.emit("lost", { reason, token: term?.parts.token, lateByMs });
  }

  released(outcome: "released" | "left-to-expire"): void {
    const { term, events } = this.#shell();
    events.emit("released", { outcome, token: term?.parts.token });
    term?.finish();
    this.#quietNow();
  }

  answered(answer: { readonly kind: "held"; readonly by: HeldBy } | { readonly kind: "unknown" }): void {
    this.#shell().candidacy.settle(answer);
  }

  refused(cause: unknown): void {
    this.#shell().candidacy.refuse(cause);
  }

  withdrawn(): void {
    this.#shell().candidacy.settle({ kind: "withdrawn" });
    this.#quietNow();
  }

  view(view: LeaderView): void {
    const { events, observers } = this.#shell();
    events.emit("leaderChanged", view);
    for (const observer of observers) observer.notify();
  }

  #quietNow(): void {
    const { engine, onQuiet } = this.#shell();
    if (onQuiet !== undefined && engine.quiet()) onQuiet();
  }
}

function openTerm(shell: Shell, instance: string, token: number | undefined): TermHandle {
  const { options, engine, candidacy } = shell;
  const { workOwner, drainMs } = candidacy;
  const term: TermHandle = new TermHandle({
    engine,
    namespace: options.namespace,
    election: options.name,
    node: options.node,
    instance,
    token,
    drainMs,
    async resign(to) {
      // A term that is over has no say in the one that follows it: `await using` resigns once more.
      if (shell.term === term) {
        // Who calls `resign()` on a campaign of its own says with it that the work is done.
        if (workOwner === "user") engine.settle();
        engine.end("resigned", drainMs, to);
      }
      // Inside `run` the release waits for the work, and the work may be waiting for this.
      await (workOwner === "user" ? term.over : term.ended);
    },
  });
  return term;
}
