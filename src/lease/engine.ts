/** The lease as the engine of one election: the election's words on one side, the core's inputs on the other. */

import type { Engine, EngineContext } from "../election/algorithm.js";
import type { Budget, TransferResult } from "../election/api.js";
import { leaseBudget, type LeaseTiming } from "./budget.js";
import { currentView } from "./core-view.js";
import { type LeaseParts, LeaseRunner } from "./runner.js";
import type { Store } from "./store.js";

export function createLeaseEngine(context: EngineContext, parts: LeaseParts): Engine {
  const { store, timing } = parts;
  const runner = new LeaseRunner(context, parts);
  const budget = leaseBudget(timing, context.drainMs);
  const { reporter } = runner;
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
    stand: (stand, drainMs, backOff) => runner.step({ type: "stand", stand, drainMs, backOff }),
    withdraw: () => runner.step({ type: "withdraw" }),
    remainingMs: () => runner.remainingMs(),
    end(reason, drainMs, to) {
      runner.step({ type: "end", reason, drainMs, ...(to === undefined ? {} : { to }) });
    },
    settle: () => runner.step({ type: "settle" }),
    renew(onOutcome) {
      reporter.awaitRenewal(onOutcome);
      runner.step({ type: "renew" });
    },
    outpaced: (watermark, drainMs) => runner.step({ type: "outpaced", watermark, drainMs }),
    watch: (on) => runner.step({ type: "watch", on }),
    view: () => currentView({ ...runner.state, now: runner.now() }),
    state: () => stateOf(runner),
    lastError: () => runner.state.lastError,
    quiet: () => runner.state.race === undefined && runner.state.term?.over !== false,
    transfer: (to, signal) => transfer(runner, to, signal),
    close: () => runner.close(),
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

function stateOf({ state }: LeaseRunner): ReturnType<Engine["state"]> {
  const { term, race } = state;
  if (term?.phase === "leading") return "leader";
  if (term?.phase === "draining") return "draining";
  if (term !== undefined) return "settling";
  return race === undefined ? "idle" : "candidate";
}

function transfer(
  runner: LeaseRunner,
  to: string | undefined,
  signal: AbortSignal | undefined,
): Promise<TransferResult> {
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  // One request at a time: a second one from here came too late, as one from elsewhere would.
  if (runner.state.ask !== undefined) return Promise.resolve({ kind: "superseded" });
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      runner.step({ type: "retract" });
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    runner.reporter.awaitAsked((result) => {
      signal?.removeEventListener("abort", onAbort);
      if (result.kind === "failed") reject(result.cause);
      else resolve(result);
    });
    runner.step({ type: "ask", ...(to === undefined ? {} : { to }) });
  });
}
