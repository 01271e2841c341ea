/** The lease as the engine of one election: the election's words on one side, the core's inputs on the other. */

import { offAbort, onAbort } from "../base/abort.js";
import type { Engine, EngineContext, HandoverRequest, Stand } from "../election/algorithm.js";
import type { Budget, TransferResult } from "../election/api.js";
import type { LeaderView, WantedEnd } from "../election/events.js";
import { leaseBudget, type LeaseTiming } from "./budget.js";
import { currentView } from "./core-view.js";
import { type LeaseParts, LeaseRunner } from "./runner.js";
import type { Store, StoreFinding } from "./store.js";

const exclusive: readonly string[] = [];
const unproven = "the store does not prove that a write read back will last";
const byStoreClock = "the store's clock judges expiry: when it steps forward, two nodes lead for a moment";

export class LeaseEngine implements Engine {
  readonly kind = "lease";
  readonly #options: EngineContext["options"];
  readonly #runner: LeaseRunner;
  readonly #store: Store;
  readonly #reasons: readonly string[];
  #findings: readonly StoreFinding[] | undefined;
  #advisory: readonly string[];

  constructor(context: EngineContext, parts: LeaseParts) {
    this.#options = context.options;
    this.#store = parts.store;
    this.#runner = new LeaseRunner(context, parts);
    this.#reasons = reasons(parts);
    this.#advisory = this.#reasons;
  }

  get lineage(): string {
    return `${this.#options.namespace}/lease`;
  }

  get drainMs(): number {
    return this.#options.drainMs;
  }

  get #timing(): LeaseTiming {
    return this.#runner.state.config;
  }

  get budget(): Budget {
    return leaseBudget(this.#timing, this.drainMs, this.#runner.state.config.expiry);
  }

  get advisory(): readonly string[] {
    const { findings } = this.#store;
    if (findings !== this.#findings) {
      this.#findings = findings;
      const found = findings?.filter(({ advisory }) => advisory).map(({ message }) => message) ?? [];
      this.#advisory = found.length === 0 ? this.#reasons : [...this.#reasons, ...found];
    }
    return this.#advisory;
  }

  get longestBeliefMs(): number {
    return this.#timing.beliefMs;
  }

  get requestTimeoutMs(): number {
    return this.#timing.requestTimeoutMs;
  }

  get describe(): string {
    return describe(this.#store, this.#timing, this.budget);
  }

  stand(stand: Stand, drainMs: number, backOff: boolean): void {
    this.#runner.step({ type: "stand", stand, drainMs, backOff });
  }

  withdraw(): void {
    this.#runner.step({ type: "withdraw" });
  }

  remainingMs(): number {
    return this.#runner.remainingMs();
  }

  end(reason: WantedEnd, drainMs: number, to?: string): void {
    this.#runner.step({ type: "end", reason, drainMs, ...(to === undefined ? {} : { to }) });
  }

  settle(): void {
    this.#runner.step({ type: "settle" });
  }

  renew(onOutcome: (confirmed: boolean) => void): void {
    this.#runner.reporter.awaitRenewal(onOutcome);
    this.#runner.step({ type: "renew" });
  }

  outpaced(watermark: number, drainMs: number): void {
    this.#runner.step({ type: "outpaced", watermark, drainMs });
  }

  watch(on: boolean): void {
    this.#runner.step({ type: "watch", on });
  }

  view(): LeaderView {
    return currentView({ ...this.#runner.state, now: this.#runner.now() });
  }

  state(): ReturnType<Engine["state"]> {
    const { term, race } = this.#runner.state;
    if (term?.phase === "leading") return "leader";
    if (term?.phase === "draining") return "draining";
    if (term !== undefined) return "settling";
    return race === undefined ? "idle" : "candidate";
  }

  lastError(): unknown {
    return this.#runner.state.lastError;
  }

  quiet(): boolean {
    const { term, race } = this.#runner.state;
    return race === undefined && term?.over !== false;
  }

  transfer(request: HandoverRequest): Promise<TransferResult> {
    return transfer(this.#runner, request);
  }

  close(): void {
    this.#runner.close();
  }
}

/** Why belief is advisory; one array for all elections that need none. */
function reasons({ store, expiry }: LeaseParts): readonly string[] {
  const found = [
    ...(store.capabilities.readBackProves ? [] : [unproven]),
    ...(expiry === "store-clock" ? [byStoreClock] : []),
  ];
  return found.length === 0 ? exclusive : found;
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

function transfer(runner: LeaseRunner, { to, orResign, signal }: HandoverRequest): Promise<TransferResult> {
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  // One request at a time: a second one from here came too late, as one from elsewhere would.
  if (runner.state.ask !== undefined) return Promise.resolve({ kind: "superseded" });
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      runner.step({ type: "retract" });
      reject(signal?.reason);
    };
    if (signal !== undefined) onAbort(signal, giveUp);
    runner.reporter.awaitAsked((result) => {
      if (signal !== undefined) offAbort(signal, giveUp);
      if (result.kind === "failed") reject(result.cause);
      else resolve(result);
    });
    runner.step({ type: "ask", resign: orResign, ...(to === undefined ? {} : { to }) });
  });
}
