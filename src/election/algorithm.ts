/**
 * The port between an election and the algorithm that decides it. Internal until 1.x.
 *
 * The election layer owns users: work, promises, events, signals. An engine owns
 * belief: it stands, leads, steps down, and says so through its sink, always
 * synchronously and in the order in which things become true. An engine reads the
 * clock itself; nobody caches its answers.
 */

import { optionError } from "../base/options.js";
import type { Chance } from "../base/random.js";
import type { Clock } from "../base/clock.js";
import type { History } from "../history/writer.js";
import type { AnyLeadership, Budget, HeldBy, TransferResult } from "./api.js";
import type { EndReason, LeaderView, WantedEnd } from "./events.js";
import type { ResolvedOptions } from "./options.js";

/** How an engine stands: until elected; until elected or proof of another leader; without waiting. */
export type Stand = "patient" | "evidence" | "immediate";

/** What an engine reports. None of these may throw. */
export interface EngineSink {
  elected(term: { readonly instance: string; readonly token: number | undefined }): void;
  uncertain(sinceMs: number, cause: unknown): void;
  confirmed(afterMs: number): void;
  renewFailed(cause: unknown, remainingMs: number): void;
  lost(reason: EndReason, lateByMs: number): void;
  released(outcome: "released" | "left-to-expire"): void;
  /** The answer to standing with "evidence" or "immediate"; standing is over. */
  answered(answer: { readonly kind: "held"; readonly by: HeldBy } | { readonly kind: "unknown" }): void;
  /** Standing is over because the store refuses for good, or gave a single try no answer. */
  refused(cause: unknown): void;
  /** Standing is over because it was withdrawn, and what was on its way has been undone. */
  withdrawn(): void;
  view(view: LeaderView): void;
}

/** A wish for a handover, from any process. */
export interface HandoverRequest {
  readonly to: string | undefined;
  readonly orResign: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface Engine {
  readonly kind: string;
  readonly budget: Budget;
  readonly advisory: readonly string[];
  /** One line for people: what decides, how far it reaches, its bounds. */
  readonly describe: string;
  /** How long one call to what decides may take, ms. */
  readonly requestTimeoutMs: number;
  /** The most that one renewal gives, ms. */
  readonly longestBeliefMs: number;
  /** Tokens compare within one lineage. */
  readonly lineage: string;
  readonly drainMs: number;
  /** `backOff`: only after the pause that short terms in a row have earned. */
  stand(stand: Stand, drainMs: number, backOff: boolean): void;
  /** Leaves the race; `withdrawn` follows. Nothing happens when not standing. */
  withdraw(): void;
  /** Milliseconds of belief left now. Ends the term itself when the deadline has passed. */
  remainingMs(): number;
  end(reason: WantedEnd, drainMs: number, to?: string): void;
  /** The work of the term has settled. */
  settle(): void;
  /** Asks for a renewal now; `onOutcome` is called once it is confirmed (true) or failed. */
  renew(onOutcome: (confirmed: boolean) => void): void;
  outpaced(watermark: number, drainMs: number): void;
  /** Turns observing without standing on or off. */
  watch(on: boolean): void;
  view(): LeaderView;
  state(): "idle" | "candidate" | "leader" | "draining" | "settling";
  lastError(): unknown;
  /** Nothing of this engine will be written any more, unless it is told to stand again. */
  quiet(): boolean;
  transfer(request: HandoverRequest): Promise<TransferResult>;
  /** Cuts everything that is still under way and leaves nothing behind. */
  close(): void;
}

/** What an algorithm is given to build an engine for one election. */
export interface EngineContext {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Undefined when nobody listens, which is the usual case: then a renewal costs no stamp and no line. */
  readonly history: History | undefined;
  /** Undefined when nobody counts which rules decide. */
  readonly trace: ((rule: number, decision: string) => void) | undefined;
  readonly sink: EngineSink;
}

/** Opaque to users until 1.x. The leadership type is carried by a property that never exists at run time. */
export interface Algorithm<out L extends AnyLeadership = AnyLeadership> {
  readonly kind: "lease" | "raft" | "bully";
  readonly "~leadership"?: L;
  /** Builds an Engine from an EngineContext; typed so that neither becomes part of the public face. */
  readonly "~engine": unknown;
}

export function engineOf(algorithm: Algorithm, context: EngineContext): Engine {
  const build = algorithm["~engine"];
  if (typeof build !== "function")
    throw optionError("algorithm", algorithm, "an algorithm, such as lease({ store })");
  return (build as (context: EngineContext) => Engine)(context);
}
