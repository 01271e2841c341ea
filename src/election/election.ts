/**
 * An election as users hold it: campaigns, events, observers, and the end of all of them.
 *
 * Promise: listeners, loggers and work cannot hurt the election; no unhandled
 * rejection leaves it; after `stop` nothing of it is left. The algorithm behind it is
 * a port, so nothing here knows of leases.
 */

import type { Chance } from "../base/random.js";
import type { Clock } from "../base/clock.js";
import { createEmitter, type Emitter } from "../base/emitter.js";
import { createError } from "../errors/index.js";
import { createHistory } from "../history/writer.js";
import { type Algorithm, type Engine, type EngineSink, engineOf } from "./algorithm.js";
import type { AnyLeadership, Election, ElectionStatus } from "./api.js";
import { Campaigns } from "./campaigns.js";
import { type Candidacy, createCandidacy } from "./candidacy.js";
import type { ElectionEvents, LeaderView } from "./events.js";
import { createObserver, type OpenObserver } from "./observer.js";
import { type CommonOptions, type ResolvedOptions, resolveDrainMs, resolveOptions } from "./options.js";
import { createTerm, type TermHandle } from "./term.js";

/** What an election takes from its surroundings; tests hand in virtual ones. */
export interface Surroundings {
  readonly clock: Clock;
  readonly chance: Chance;
}

/** What the parts of one election share. */
interface Shell {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly candidacy: Candidacy;
  readonly events: Emitter<ElectionEvents>;
  readonly observers: Set<OpenObserver>;
  readonly stopped: AbortController;
  term: TermHandle | undefined;
  onQuiet: (() => void) | undefined;
}

export function buildElection<L extends AnyLeadership>(
  algorithm: Algorithm<L>,
  common: CommonOptions,
  { clock, chance }: Surroundings,
): Election<L> {
  const options = resolveOptions(common);
  const { name, namespace, node, logger } = options;
  const events = createEmitter<ElectionEvents>((event, cause) => {
    logger.error({ election: name, event, cause }, `a listener of "${event}" failed`);
  });
  const history = createHistory(clock, options.history, { node, namespace, election: name }, (cause) => {
    logger.error({ election: name, cause }, "the history sink failed; its lines are lost");
  });
  // The engine reports to the shell, and the shell drives the engine: the sink finds the shell when first called.
  const engine = engineOf(algorithm, { ...options, clock, chance, history, sink: createSink(() => shell) });
  const shell: Shell = {
    options,
    clock,
    engine,
    candidacy: createCandidacy(name, engine),
    events,
    observers: new Set(),
    stopped: new AbortController(),
    term: undefined,
    onQuiet: undefined,
  };
  logger.info({ election: name, namespace, node, budget: engine.budget }, `${name}: ${engine.describe}`);
  return faceOf<L>(shell);
}

function faceOf<L extends AnyLeadership>(shell: Shell): Election<L> {
  const { options, engine, events, stopped } = shell;
  const parts = { ...shell, name: options.name, logger: options.logger, stopped: stopped.signal };
  const campaigns = new Campaigns<L>(parts);
  let stopping: Promise<void> | undefined;

  async function stop(request: { readonly drainMs?: number } = {}): Promise<void> {
    const drainMs = resolveDrainMs(request.drainMs ?? options.drainMs);
    stopping ??= shutDown(shell, drainMs);
    return stopping;
  }

  return {
    name: options.name,
    namespace: options.namespace,
    node: options.node,
    get leadership() {
      const { term } = shell;
      const leads = term !== undefined && term.endReason === undefined && engine.remainingMs() > 0;
      return leads ? (term.leadership as L) : undefined;
    },
    get status() {
      return statusOf(shell);
    },
    budget: engine.budget,
    run: (work, request) => campaigns.run(work, request),
    runOnce: (work, request) => campaigns.runOnce(work, request),
    campaign: (request) => campaigns.campaign(request),
    // The overloads differ in what "immediate" lets through; the engine answers accordingly.
    tryCampaign: ((request) => campaigns.tryCampaign(request)) as Election<L>["tryCampaign"],
    observe: ({ signal } = {}) => observe(shell, signal),
    async transfer({ to, signal } = {}) {
      if (stopped.signal.aborted) throw stoppedError(shell);
      return engine.transfer(to, signal);
    },
    stop,
    on: events.on,
    [Symbol.asyncDispose]: () => stop(),
  };
}

function stoppedError({ options }: Shell): Error {
  return createError("ELECTION_STOPPED", `the election "${options.name}" was stopped`);
}

function statusOf({ engine, stopped, term }: Shell): ElectionStatus {
  const remainingMs = engine.remainingMs();
  return {
    state: stopped.signal.aborted && engine.state() === "idle" ? "stopped" : engine.state(),
    belief: engine.advisory.length === 0 ? "exclusive" : "advisory",
    reasons: engine.advisory,
    token: remainingMs > 0 ? term?.token : undefined,
    remainingMs,
    leader: engine.view(),
    lastError: engine.lastError(),
  };
}

function observe(shell: Shell, signal: AbortSignal | undefined): OpenObserver {
  const { engine, observers, stopped } = shell;
  if (stopped.signal.aborted) throw stoppedError(shell);
  const observer = createObserver({
    view: () => engine.view(),
    signal,
    onClose(closing) {
      observers.delete(closing);
      if (observers.size === 0) engine.watch(false);
    },
  });
  observers.add(observer);
  engine.watch(true);
  return observer;
}

/** Ends everything in order; what has not ended by then is cut off. */
async function shutDown(shell: Shell, drainMs: number): Promise<void> {
  const { clock, engine, events, observers, stopped } = shell;
  // Before the campaign hears of it, so that this drain counts and not the campaign's own.
  engine.end("stopped", drainMs);
  stopped.abort();
  engine.withdraw();
  for (const observer of observers) observer.close();
  if (!engine.quiet()) {
    await new Promise<void>((resolve) => {
      const limit = clock.setTimer(Math.max(drainMs, engine.requestTimeoutMs), resolve);
      shell.onQuiet = () => {
        limit.cancel();
        resolve();
      };
    });
  }
  engine.close();
  shell.candidacy.settle({ kind: "withdrawn" });
  events.clear();
}

/** What the engine tells the shell. Belief has changed already when any of these is called. */
function createSink(shellOf: () => Shell): EngineSink {
  function quietNow(): void {
    const { engine, onQuiet } = shellOf();
    if (onQuiet !== undefined && engine.quiet()) onQuiet();
  }

  return {
    elected({ instance, token }) {
      const shell = shellOf();
      const term = openTerm(shell, instance, token);
      shell.term = term;
      shell.events.emit("elected", { node: shell.options.node, token });
      shell.candidacy.settle({ kind: "elected", term });
    },
    uncertain: (sinceMs, cause) => shellOf().events.emit("uncertain", { sinceMs, cause }),
    confirmed: (afterMs) => shellOf().events.emit("confirmed", { afterMs }),
    renewFailed: (cause, remainingMs) => shellOf().events.emit("renewFailed", { cause, remainingMs }),
    lost(reason, lateByMs) {
      const { term, events } = shellOf();
      term?.end(reason);
      events.emit("lost", { reason, token: term?.token, lateByMs });
    },
    released(outcome) {
      const { term, events } = shellOf();
      events.emit("released", { outcome, token: term?.token });
      term?.finish();
      quietNow();
    },
    answered: (answer) => shellOf().candidacy.settle(answer),
    refused: (cause) => shellOf().candidacy.refuse(cause),
    withdrawn() {
      shellOf().candidacy.settle({ kind: "withdrawn" });
      quietNow();
    },
    view(view: LeaderView) {
      const { events, observers } = shellOf();
      events.emit("leaderChanged", view);
      for (const observer of observers) observer.notify();
    },
  };
}

function openTerm(shell: Shell, instance: string, token: number | undefined): TermHandle {
  const { options, engine, candidacy } = shell;
  const { workOwner, drainMs } = candidacy;
  const term = createTerm({
    engine,
    namespace: options.namespace,
    election: options.name,
    node: options.node,
    instance,
    token,
    drainMs,
    async resign(to) {
      // Who calls `resign()` on a campaign of its own says with it that the work is done.
      if (workOwner === "user") engine.settle();
      engine.end("resigned", drainMs, to);
      // Inside `run` the release waits for the work, and the work may be waiting for this.
      await (workOwner === "user" ? term.over : term.ended);
    },
  });
  return term;
}
