/**
 * The four ways to campaign: for life, for one piece of work, until elected, and one try.
 */

import type { Clock } from "../base/clock.js";
import type { Emitter } from "../base/emitter.js";
import { callable, optionError } from "../base/options.js";
import { createError } from "../errors/index.js";
import type { Engine, Stand } from "./algorithm.js";
import type { AnyLeadership, Attempted, Election, RunOptions } from "./api.js";
import type { Candidacy } from "./candidacy.js";
import type { ElectionEvents, Logger } from "./events.js";
import { resolveDrainMs, resolveMaxTermMs } from "./options.js";
import type { TermHandle } from "./term.js";
import { runWork, type WorkResult } from "./work.js";

export interface CampaignParts {
  readonly name: string;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly candidacy: Candidacy;
  readonly events: Emitter<ElectionEvents>;
  readonly logger: Logger;
  /** Aborted by `stop()`. */
  readonly stopped: AbortSignal;
}

type Campaigns<L extends AnyLeadership> = Pick<Election<L>, "run" | "runOnce" | "campaign" | "tryCampaign">;

/** Work that returns sooner than this was probably not awaited. */
const atOnceMs = 1_000;
const atOnceCount = 3;

interface Limits {
  readonly drainMs: number;
  readonly maxTermMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export function createCampaigns<L extends AnyLeadership>(parts: CampaignParts): Campaigns<L> {
  const { name, engine, candidacy, events, logger, stopped } = parts;

  function limitsOf(options: RunOptions): Limits {
    const { drainMs = engine.drainMs, maxTermMs, signal } = options;
    return {
      drainMs: resolveDrainMs(drainMs),
      maxTermMs: maxTermMs === undefined ? undefined : resolveMaxTermMs(maxTermMs),
      signal: resolveSignal(signal),
    };
  }

  function whyLeft(signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    return createError("ELECTION_STOPPED", `the election "${name}" was stopped`);
  }

  async function run(work: (leadership: L) => Promise<void>, options: RunOptions = {}): Promise<void> {
    callable("work", work);
    const { onError = "retry" } = options;
    if (onError !== "retry" && onError !== "throw")
      throw optionError("onError", onError, '"retry" or "throw"');
    const limits = limitsOf(options);
    enter("run");
    const leaving = watchLeaving(stopped, limits.signal);
    let returnedAtOnce = 0;
    try {
      while (!leaving.now()) {
        const outcome = await candidacy.stand("patient", { ...limits, backOff: true });
        if (outcome.kind !== "elected") return;
        const result = await underTerm(work, outcome.term, limits, leaving);
        const atOnce = result?.kind === "returned" && result.afterMs < atOnceMs;
        returnedAtOnce = atOnce ? returnedAtOnce + 1 : 0;
        if (returnedAtOnce === atOnceCount) warnOfReturns();
        if (result?.kind === "failed") {
          events.emit("workFailed", { cause: result.cause });
          if (onError === "throw") throw result.cause;
        }
      }
    } finally {
      leaving.dispose();
      candidacy.leave();
    }
  }

  async function runOnce<R>(
    work: (leadership: L) => Promise<R>,
    options: Omit<RunOptions, "onError"> = {},
  ): Promise<R> {
    callable("work", work);
    const limits = limitsOf(options);
    enter("run");
    const leaving = watchLeaving(stopped, limits.signal);
    try {
      const outcome = await candidacy.stand("patient", { ...limits, backOff: false });
      if (outcome.kind !== "elected") throw whyLeft(limits.signal);
      const result = await underTerm(work, outcome.term, limits, leaving);
      if (result?.kind === "returned") return result.value;
      throw result?.kind === "failed" ? result.cause : outcome.term.lossError();
    } finally {
      leaving.dispose();
      candidacy.leave();
    }
  }

  /** Runs the work of one term and waits for its release; undefined when it was left behind, still running. */
  async function underTerm<R>(
    work: (leadership: L) => Promise<R>,
    term: TermHandle,
    limits: Limits,
    leaving: Leaving,
  ): Promise<WorkResult<R> | undefined> {
    const working = runWork(work, { ...parts, ...limits, signal: leaving.signal, term });
    const done = working.then(async (result) => {
      await term.over;
      return result;
    });
    const abandoned = Promise.all([term.over, leaving.left]).then(() => undefined);
    return Promise.race([done, abandoned]);
  }

  async function untilElected(stand: Stand, signal: AbortSignal | undefined): Promise<Attempted<L>> {
    resolveSignal(signal);
    enter("user");
    try {
      const { drainMs } = engine;
      const outcome = await candidacy.stand(stand, { drainMs, backOff: false, signal });
      if (outcome.kind === "withdrawn") throw whyLeft(signal);
      if (outcome.kind !== "elected") {
        candidacy.leave();
        return outcome;
      }
      const { term } = outcome;
      void term.over.then(() => candidacy.leave());
      const left = signal?.aborted === true || stopped.aborted;
      if (!left) return { kind: "elected", leadership: term.leadership as L };
      await term.leadership.resign();
      throw whyLeft(signal);
    } catch (cause) {
      candidacy.leave();
      throw cause;
    }
  }

  async function campaign(options: { readonly signal?: AbortSignal } = {}): Promise<L> {
    const outcome = await untilElected("patient", options.signal);
    if (outcome.kind === "elected") return outcome.leadership;
    // A patient candidate gets no other answer.
    throw whyLeft(options.signal);
  }

  async function tryCampaign(
    options: { readonly signal?: AbortSignal; readonly immediate?: boolean } = {},
  ): Promise<Attempted<L>> {
    return untilElected(options.immediate === true ? "immediate" : "evidence", options.signal);
  }

  function enter(owner: "run" | "user"): void {
    if (stopped.aborted) throw whyLeft(undefined);
    candidacy.enter(owner);
  }

  function warnOfReturns(): void {
    logger.warn(
      { election: name },
      `work for "${name}" returned at once ${atOnceCount} times; await your loop, or await leadership.ended`,
    );
  }

  // The overloads of tryCampaign differ in what "immediate" lets through; the engine answers accordingly.
  return { run, runOnce, campaign, tryCampaign: tryCampaign as Campaigns<L>["tryCampaign"] };
}

function resolveSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw optionError("signal", signal, "an AbortSignal");
  }
  return signal;
}

/** The candidate's wish to leave: by its own signal, or because the election stops. */
interface Leaving {
  readonly signal: AbortSignal;
  readonly left: Promise<void>;
  now(): boolean;
  dispose(): void;
}

function watchLeaving(stopped: AbortSignal, own: AbortSignal | undefined): Leaving {
  const controller = new AbortController();
  const leave = () => controller.abort();
  const signals = own === undefined ? [stopped] : [stopped, own];
  for (const signal of signals) {
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  }
  const left = new Promise<void>((resolve) => {
    if (controller.signal.aborted) resolve();
    else controller.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return {
    signal: controller.signal,
    left,
    now: () => controller.signal.aborted,
    dispose() {
      for (const signal of signals) signal.removeEventListener("abort", leave);
    },
  };
}
