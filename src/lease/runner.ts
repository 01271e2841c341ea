/**
 * The shell around the lease core: performs its effects, reports the answers.
 *
 * Promise: every call to the store ends within its own timeout, whatever the driver
 * does; answers that come later are still reported. It awaits nothing but store
 * calls, so nothing sits between reading a term and acting on it. Timers keep the
 * process alive while the election is live, and none is left after `close`.
 */

import type { Timer } from "../base/clock.js";
import { createTimeline } from "../base/timeline.js";
import type { Budget, TransferResult } from "../election/api.js";
import type { Engine, EngineContext } from "../election/algorithm.js";
import { createError, TenureError } from "../errors/index.js";
import { leaseBudget, type LeaseTiming } from "./budget.js";
import { createLeaseCore, type LeaseCore } from "./core.js";
import type { Answer, CoreConfig, Effect, Input, Now } from "./core-types.js";
import { createReporter, type Reporter } from "./reporter.js";
import { currentView } from "./core-view.js";
import type { Call, Store } from "./store.js";

interface OpenCall {
  readonly controller: AbortController;
  readonly timer: Timer;
  /** A late answer to a write still matters; a late read is old news. */
  readonly late: boolean;
  timedOut: boolean;
}

export interface LeaseParts {
  readonly store: Store;
  readonly key: string;
  readonly timing: LeaseTiming;
}

export function createLeaseEngine(context: EngineContext, parts: LeaseParts): Engine {
  const { store, key, timing } = parts;
  const { clock } = context;
  const timeline = createTimeline(clock);
  const now = (): Now => ({ upper: timeline.upperMs(), lower: timeline.lowerMs(), wall: clock.wallMs() });
  const core: LeaseCore = createLeaseCore(coreConfig(context, parts), context.chance, now());
  const reporter: Reporter = createReporter(context, () => timeline.upperMs());
  const budget = leaseBudget(timing, context.drainMs);
  const calls = new Map<number, OpenCall>();
  const queue: Effect[] = [];
  let performing = false;
  let timer: Timer | undefined;
  let watching: AbortController | undefined;
  let closed = false;

  function step(input: Input): void {
    if (closed) return;
    queue.push(...core.step(input, now()));
    // A listener may step again: its effects come after those that are already due.
    if (performing) return;
    performing = true;
    try {
      for (let effect = queue.shift(); effect !== undefined; effect = queue.shift()) perform(effect);
    } finally {
      performing = false;
    }
    if (closed) return;
    schedule();
    attend();
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case "read":
        return open(effect.call, false, async (call) => ({
          kind: "read",
          stored: await store.read(key, call),
        }));
      case "write":
        return write(effect);
      default:
        return reporter.report(effect);
    }
  }

  function write(effect: Extract<Effect, { type: "write" }>): void {
    const { record, expected, absence } = effect;
    // A boot-time reading per send: the deadline counts from here (rule 3).
    timeline.refresh();
    open(effect.call, true, (call) => store.write(key, record, expected, { ...call, absence }));
  }

  function open(id: number, late: boolean, send: (call: Call) => Promise<Answer>): void {
    const controller = new AbortController();
    const timeoutMs = timing.requestTimeoutMs;
    const opened: OpenCall = { controller, late, timedOut: false, timer: clock.setTimer(timeoutMs, timeOut) };
    calls.set(id, opened);

    function timeOut(): void {
      opened.timedOut = true;
      if (!late) calls.delete(id);
      const cause = createError("STORE_TIMEOUT", `${store.kind} store: no answer within ${timeoutMs} ms`);
      controller.abort(cause);
      step({ type: "answer", call: id, answer: { kind: "failed", cause, verdict: "unknown" } });
    }

    function settle(answer: Answer): void {
      opened.timer.cancel();
      calls.delete(id);
      const wanted = !opened.timedOut || (late && answer.kind !== "failed");
      if (wanted) step({ type: "answer", call: id, answer });
    }

    const call: Call = { signal: controller.signal, timeoutMs, absence: "waited", takeover: "observed" };
    // A driver that throws before it returns a promise is a driver whose outcome is unknown.
    new Promise<Answer>((resolve) => resolve(send(call))).then(settle, (cause: unknown) => {
      settle({ kind: "failed", cause, verdict: verdictOf(cause) });
    });
  }

  function schedule(): void {
    timer?.cancel();
    const due = core.nextTick();
    const { upper, lower } = now();
    const delayMs = Math.min(due.upper - upper, due.lower - lower);
    timer = Number.isFinite(delayMs) ? clock.setTimer(delayMs, () => step({ type: "tick" })) : undefined;
  }

  /** Hints are wanted while anything is going on; a driver that cannot give them is polled. */
  function attend(): void {
    const { race, term, ask, watching: observing } = core.state;
    const live = race !== undefined || term !== undefined || ask !== undefined || observing;
    if (!live) {
      watching?.abort();
      watching = undefined;
    } else if (watching === undefined && store.watch !== undefined) {
      watching = new AbortController();
      store.watch([key], () => step({ type: "wake" }), watching.signal);
    }
  }

  function remainingMs(): number {
    const { term } = core.state;
    if (term === undefined || term.phase !== "leading") return 0;
    const remaining = term.deadlineUpper - timeline.upperMs();
    if (remaining > 0) return remaining;
    // Rule 3: whoever asks first after the deadline ends the term, timers or not.
    step({ type: "tick" });
    return 0;
  }

  function close(): void {
    if (closed) return;
    step({ type: "close" });
    closed = true;
    timer?.cancel();
    watching?.abort();
    for (const call of calls.values()) {
      call.timer.cancel();
      call.controller.abort(createError("ELECTION_STOPPED", "the election was stopped"));
    }
    calls.clear();
    reporter.close();
  }

  return {
    kind: "lease",
    lineage: `${context.namespace}/lease`,
    budget,
    describe: describe(store, timing, budget),
    requestTimeoutMs: timing.requestTimeoutMs,
    advisory: store.capabilities.readBackProves
      ? []
      : ["the store does not prove that a write read back will last"],
    longestBeliefMs: timing.beliefMs,
    drainMs: context.drainMs,
    stand: (stand, drainMs, backOff) => step({ type: "stand", stand, drainMs, backOff }),
    withdraw: () => step({ type: "withdraw" }),
    remainingMs,
    end: (reason, drainMs, to) => step({ type: "end", reason, drainMs, ...(to === undefined ? {} : { to }) }),
    settle: () => step({ type: "settle" }),
    renew: (onOutcome) => {
      reporter.awaitRenewal(onOutcome);
      step({ type: "renew" });
    },
    outpaced: (watermark, drainMs) => step({ type: "outpaced", watermark, drainMs }),
    watch: (on) => step({ type: "watch", on }),
    view: () => currentView({ ...core.state, now: now() }),
    state: () => stateOf(core),
    lastError: () => core.state.lastError,
    quiet: () => core.state.race === undefined && core.state.term?.over !== false,
    transfer: (to, signal) => transfer(reporter, step, core, to, signal),
    close,
  };
}

function coreConfig(context: EngineContext, { store, timing }: LeaseParts): CoreConfig {
  const { node, metadata, logger } = context;
  const { provesAbsence, readBackProves } = store.capabilities;
  return {
    node,
    metadata,
    ...timing,
    maxTtlMs: store.maxTtlMs,
    provesAbsence,
    readBackProves,
    eligible() {
      try {
        return context.eligible();
      } catch (cause) {
        logger.error(
          { election: context.name, cause },
          "eligible() threw; this node does not stand meanwhile",
        );
        return false;
      }
    },
  };
}

const reach = {
  process: "this process only",
  host: "this host only: other hosts elect their own leader",
  network: "all hosts that reach it",
};

function describe(store: Store, timing: LeaseTiming, budget: Budget): string {
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
  return [
    `lease of ${seconds(timing.ttlMs)} in store ${store.kind} (${reach[store.scope]})`,
    `a crashed leader is replaced within ${seconds(budget.leaderlessMs)}`,
    `a leader without the store stops after ${seconds(budget.stopMs)}`,
  ].join("; ");
}

function verdictOf(cause: unknown): "unknown" | "definite" | "permanent" {
  if (!TenureError.is(cause)) return "unknown";
  if (cause.retry === "never") return "permanent";
  return cause.outcome;
}

function stateOf(core: LeaseCore): ReturnType<Engine["state"]> {
  const { term, race } = core.state;
  if (term?.phase === "leading") return "leader";
  if (term?.phase === "draining") return "draining";
  if (term !== undefined) return "settling";
  return race === undefined ? "idle" : "candidate";
}

function transfer(
  reporter: Reporter,
  step: (input: Input) => void,
  core: LeaseCore,
  to: string | undefined,
  signal: AbortSignal | undefined,
): Promise<TransferResult> {
  // One request at a time: a second one from here came too late, as one from elsewhere would.
  if (core.state.ask !== undefined) return Promise.resolve({ kind: "superseded" });
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      step({ type: "retract" });
      reject(signal?.reason);
    };
    if (signal?.aborted === true) return reject(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    reporter.awaitAsked((result) => {
      signal?.removeEventListener("abort", onAbort);
      if (result.kind === "failed") reject(result.cause);
      else resolve(result);
    });
    step({ type: "ask", ...(to === undefined ? {} : { to }) });
    return undefined;
  });
}
