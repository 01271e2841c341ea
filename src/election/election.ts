/**
 * An election as users hold it: campaigns, events, observers, and the end of all of them.
 *
 * Promise: listeners, loggers and work cannot hurt the election; no unhandled
 * rejection leaves it; after `stop` nothing of it is left. The algorithm behind it is
 * a port, so nothing here knows of leases.
 */

import type { Chance } from "../base/random.js";
import type { Clock } from "../base/clock.js";
import { createError } from "../errors/index.js";
import type { HistorySink } from "../history/line.js";
import { createHistory, type History } from "../history/writer.js";
import { type Algorithm, type EngineContext, engineOf } from "./algorithm.js";
import type {
  AnyLeadership,
  Attempted,
  Budget,
  Election,
  ElectionStatus,
  RunOptions,
  TransferOptions,
  TransferResult,
} from "./api.js";
import { Campaigns } from "./campaigns.js";
import type { ElectionEvents } from "./events.js";
import { createObserver, type OpenObserver } from "./observer.js";
import { type CommonOptions, type ResolvedOptions, resolveDrainMs, resolveOptions } from "./options.js";
import { Shell } from "./shell.js";
import { Sink } from "./sink.js";

/** What an election takes from its surroundings; tests hand in virtual ones. */
export interface Surroundings {
  readonly clock: Clock;
  readonly chance: Chance;
  /** Takes what the `history` option would be given as text, for those who judge it at once. */
  readonly history?: History;
  /** Hears which rule decided what. */
  readonly trace?: EngineContext["trace"];
}

export function buildElection<L extends AnyLeadership>(
  algorithm: Algorithm<L>,
  common: CommonOptions,
  surroundings: Surroundings,
): Election<L> {
  const { clock, chance, trace } = surroundings;
  const options = resolveOptions(common);
  const { name, namespace, node, logger } = options;
  const history = surroundings.history ?? (options.history && openHistory(clock, options.history, options));
  const sink = new Sink();
  const engine = engineOf(algorithm, { options, clock, chance, history, trace, sink });
  const shell = new Shell(options, clock, engine);
  sink.shell = shell;
  logger.info({ election: name, namespace, node, budget: engine.budget }, `${name}: ${engine.describe}`);
  return new OpenElection<L>(shell);
}

function openHistory(
  clock: Clock,
  sink: HistorySink,
  { name, namespace, node, logger }: ResolvedOptions,
): History {
  return createHistory(clock, sink, { node, namespace, election: name }, (cause) => {
    logger.error({ election: name, cause }, "the history sink failed; its lines are lost");
  });
}

type TryOptions = { readonly signal?: AbortSignal; readonly immediate?: boolean };
type Held<L> = Exclude<Attempted<L>, { kind: "unknown" }>;

class OpenElection<L extends AnyLeadership> implements Election<L> {
  readonly #shell: Shell;
  #stopping: Promise<void> | undefined;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  get #campaigns(): Campaigns<L> {
    return new Campaigns<L>(this.#shell);
  }

  get name(): string {
    return this.#shell.options.name;
  }

  get namespace(): string {
    return this.#shell.options.namespace;
  }

  get node(): string {
    return this.#shell.options.node;
  }

  get leadership(): L | undefined {
    const { term } = this.#shell;
    return term !== undefined && term.remainingMs() > 0 ? (term.leadership as L) : undefined;
  }

  get status(): ElectionStatus {
    return statusOf(this.#shell);
  }

  get budget(): Budget {
    return this.#shell.engine.budget;
  }

  run(work: (leadership: L) => Promise<void>, options?: RunOptions): Promise<void> {
    return this.#campaigns.run(work, options);
  }

  runOnce<R>(work: (leadership: L) => Promise<R>, options?: Omit<RunOptions, "onError">): Promise<R> {
    return this.#campaigns.runOnce(work, options);
  }

  campaign(options?: { readonly signal?: AbortSignal }): Promise<L> {
    return this.#campaigns.campaign(options);
  }

  tryCampaign(options?: TryOptions & { readonly immediate?: false }): Promise<Held<L>>;
  tryCampaign(options: TryOptions & { readonly immediate: boolean }): Promise<Attempted<L>>;
  tryCampaign(options?: TryOptions): Promise<Held<L>> {
    // The overloads differ in what "immediate" lets through; the engine answers accordingly.
    return this.#campaigns.tryCampaign(options) as Promise<Held<L>>;
  }

  observe({ signal }: { readonly signal?: AbortSignal } = {}): OpenObserver {
    return observe(this.#shell, signal);
  }

  async transfer({ to, orResign = false, signal }: TransferOptions = {}): Promise<TransferResult> {
    if (this.#shell.stopped.closed) throw stoppedError(this.#shell);
    return this.#shell.engine.transfer({ to, orResign, signal });
  }

  async stop(options: { readonly drainMs?: number } = {}): Promise<void> {
    const drainMs = resolveDrainMs(options.drainMs ?? this.#shell.options.drainMs);
    this.#stopping ??= shutDown(this.#shell, drainMs);
    return this.#stopping;
  }

  on<K extends keyof ElectionEvents>(
    event: K,
    listener: (event: ElectionEvents[K]) => unknown,
    options?: { readonly signal?: AbortSignal },
  ): () => void {
    return this.#shell.on(event, listener, options?.signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function stoppedError({ options }: Shell): Error {
  return createError("ELECTION_STOPPED", `the election "${options.name}" was stopped`);
}

function statusOf({ engine, stopped, term }: Shell): ElectionStatus {
  const remainingMs = engine.remainingMs();
  return {
    state: stopped.closed && engine.state() === "idle" ? "stopped" : engine.state(),
    belief: engine.advisory.length === 0 ? "exclusive" : "advisory",
    reasons: engine.advisory,
    token: remainingMs > 0 ? term?.token : undefined,
    remainingMs,
    leader: engine.view(),
    lastError: engine.lastError(),
  };
}

function observe(shell: Shell, signal: AbortSignal | undefined): OpenObserver {
  if (shell.stopped.closed) throw stoppedError(shell);
  const observer = createObserver({
    view: () => shell.engine.view(),
    signal,
    onClose: (closing) => shell.removeObserver(closing),
  });
  shell.addObserver(observer);
  return observer;
}

/** Ends everything in order; what has not ended by then is cut off. */
async function shutDown(shell: Shell, drainMs: number): Promise<void> {
  const { clock, engine, stopped } = shell;
  // First, so that no take that is due by now is sent.
  engine.withdraw();
  // Before the campaign hears of it, so that this drain counts and not the campaign's own.
  engine.end("stopped", drainMs);
  stopped.close();
  shell.closeObservers();
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
  shell.clear();
}
