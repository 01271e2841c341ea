/**
 * The four ways to campaign: for life, for one piece of work, until elected, and one try.
 */

import { callable, oneOf, optionError } from "../base/options.js";
import { createError } from "../errors/index.js";
import type { Stand } from "./algorithm.js";
import type { AnyLeadership, Attempted, RunOptions } from "./api.js";
import { Leaving } from "./leaving.js";
import { resolveDrainMs, resolveMaxTermMs } from "./options.js";
import type { Shell } from "./shell.js";
import type { TermHandle } from "./term.js";
import { runWork, type WorkResult } from "./work.js";

interface Limits {
  readonly drainMs: number;
  readonly maxTermMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

interface TryOptions {
  readonly signal?: AbortSignal;
  readonly immediate?: boolean;
}

/** Work that returns sooner than this was probably not awaited. */
const atOnceMs = 1_000;
const atOnceCount = 3;

export class Campaigns<L extends AnyLeadership> {
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  async run(work: (leadership: L) => Promise<void>, options: RunOptions = {}): Promise<void> {
    const { candidacy, stopped } = this.#shell;
    callable("work", work);
    const { onError = "retry" } = options;
    oneOf("onError", onError, ["retry", "throw"]);
    const limits = this.#limits(options);
    const { drainMs } = limits;
    this.#enter("run");
    const leaving = new Leaving(stopped, limits.signal);
    let returnedAtOnce = 0;
    try {
      while (!leaving.left.closed) {
        const outcome = await candidacy.stand("patient", { drainMs, left: leaving.left, backOff: true });
        if (outcome.kind !== "elected") return;
        const result = await this.#underTerm(work, outcome.term, limits, leaving);
        const atOnce = result?.kind === "returned" && result.afterMs < atOnceMs;
        returnedAtOnce = atOnce ? returnedAtOnce + 1 : 0;
        if (returnedAtOnce === atOnceCount) this.#warnOfReturns();
        if (result?.kind === "failed") {
          this.#shell.emit("workFailed", { cause: result.cause });
          if (onError === "throw") throw result.cause;
        }
      }
    } finally {
      leaving.dispose();
      candidacy.leave();
    }
  }

  async runOnce<R>(
    work: (leadership: L) => Promise<R>,
    options: Omit<RunOptions, "onError"> = {},
  ): Promise<R> {
    const { candidacy, stopped } = this.#shell;
    callable("work", work);
    const limits = this.#limits(options);
    this.#enter("run");
    const leaving = new Leaving(stopped, limits.signal);
    try {
      const { drainMs } = limits;
      const outcome = await candidacy.stand("patient", { drainMs, left: leaving.left, backOff: false });
      if (outcome.kind !== "elected") throw this.#whyLeft(limits.signal);
      const result = await this.#underTerm(work, outcome.term, limits, leaving);
      if (result?.kind === "returned") return result.value;
      throw result?.kind === "failed" ? result.cause : outcome.term.lossError();
    } finally {
      leaving.dispose();
      candidacy.leave();
    }
  }

  async campaign({ signal }: Pick<TryOptions, "signal"> = {}): Promise<L> {
    const attempted = await this.#untilAnswered("patient", signal);
    if (attempted.kind === "elected") return attempted.leadership;
    // A patient candidate gets no other answer.
    throw this.#whyLeft(signal);
  }

  tryCampaign({ signal, immediate }: TryOptions = {}): Promise<Attempted<L>> {
    return this.#untilAnswered(immediate === true ? "immediate" : "evidence", signal);
  }

  async #untilAnswered(stand: Stand, signal: AbortSignal | undefined): Promise<Attempted<L>> {
    const { candidacy, engine, stopped } = this.#shell;
    resolveSignal(signal);
    this.#enter("user");
    const leaving = new Leaving(stopped, signal);
    let led: TermHandle | undefined;
    try {
      const options = { drainMs: engine.drainMs, backOff: false, left: leaving.left };
      const outcome = await candidacy.stand(stand, options);
      if (outcome.kind === "withdrawn") throw this.#whyLeft(signal);
      if (outcome.kind !== "elected") return outcome;
      led = outcome.term;
      if (!leaving.left.closed) return { kind: "elected", leadership: led.leadership as L };
      await led.leadership.resign();
      throw this.#whyLeft(signal);
    } finally {
      leaving.dispose();
      // Else the campaign lasts for as long as the term.
      if (led === undefined) candidacy.leave();
    }
  }

  /** Runs the work of one term and waits for its release; undefined when it was left behind, still running. */
  #underTerm<R>(
    work: (leadership: L) => Promise<R>,
    term: TermHandle,
    { drainMs, maxTermMs }: Limits,
    { left }: Leaving,
  ): Promise<WorkResult<R> | undefined> {
    const { engine, clock } = this.#shell;
    return runWork(work, { engine, clock, term, drainMs, left, maxTermMs });
  }

  #enter(owner: "run" | "user"): void {
    if (this.#shell.stopped.closed) throw this.#whyLeft(undefined);
    this.#shell.candidacy.enter(owner);
  }

  #limits(options: RunOptions): Limits {
    const { drainMs = this.#shell.engine.drainMs, maxTermMs, signal } = options;
    return {
      drainMs: resolveDrainMs(drainMs),
      maxTermMs: maxTermMs === undefined ? undefined : resolveMaxTermMs(maxTermMs),
      signal: resolveSignal(signal),
    };
  }

  #whyLeft(signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    return createError("ELECTION_STOPPED", `the election "${this.#shell.options.name}" was stopped`);
  }

  #warnOfReturns(): void {
    const { name, logger } = this.#shell.options;
    const advice = "await your loop, or await leadership.ended";
    logger.warn({ election: name }, `work for "${name}" returned at once ${atOnceCount} times; ${advice}`);
  }
}

function resolveSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw optionError("signal", signal, "an AbortSignal");
  }
  return signal;
}
