/**
 * Turns what the core says into history lines, sink calls, logs and answered waits.
 *
 * History comes first: a belief is written down before anybody can act on it.
 */

import type { Timeline } from "../base/timeline.js";
import type { EngineContext, EngineSink } from "../election/algorithm.js";
import { createError } from "../errors/index.js";
import type { AskResult, Effect } from "./core-types.js";

type Report = Exclude<Effect, { type: "read" | "write" }>;

export class Reporter {
  readonly #options: EngineContext["options"];
  readonly #history: EngineContext["history"];
  readonly #sink: EngineSink;
  readonly #timeline: Timeline;
  #term: { readonly instance: string; readonly token: number } | undefined;
  readonly #trace: EngineContext["trace"];
  #renewals: ((confirmed: boolean) => void)[] | undefined;
  #asked: ((result: AskResult) => void) | undefined;

  constructor({ options, history, trace, sink }: EngineContext, timeline: Timeline) {
    this.#trace = trace;
    this.#options = options;
    this.#history = history;
    this.#sink = sink;
    this.#timeline = timeline;
  }

  report(effect: Report): void {
    this.#record(effect);
    const { logger, name } = this.#options;
    if (effect.type === "notice") logger.warn({ election: name, code: effect.code }, effect.message);
    else if (effect.type === "asked") this.#answerAsk(effect.result);
    else if (effect.type === "trace") this.#trace?.(effect.rule, effect.decision);
    else this.#tell(effect, this.#sink);
    if (effect.type === "extended") this.#renewed(true);
    if (effect.type === "renewFailed" || effect.type === "lost") this.#renewed(false);
  }

  /** Called once with the outcome of the next renewal. */
  awaitRenewal(onOutcome: (confirmed: boolean) => void): void {
    this.#renewals = [...(this.#renewals ?? []), onOutcome];
  }

  awaitAsked(onResult: (result: AskResult) => void): void {
    this.#asked = onResult;
  }

  /** Answers whoever still waits. */
  close(): void {
    this.#renewed(false);
    this.#answerAsk({ kind: "failed", cause: createError("ELECTION_STOPPED", "the election was stopped") });
  }

  #record(effect: Report): void {
    const history = this.#history;
    if (history === undefined) return;
    if (effect.type === "elected" || effect.type === "extended") {
      const { type, instance, token, untilUpper } = effect;
      this.#term = { instance, token };
      history.write({
        event: type,
        instance,
        token,
        until: history.instant(untilUpper - this.#timeline.upperMs()),
      });
      return;
    }
    const term = this.#term;
    if (term === undefined) return;
    if (effect.type === "uncertain" || effect.type === "confirmed")
      history.write({ event: effect.type, ...term });
    if (effect.type === "lost") {
      history.write({ event: "lost", ...term, reason: effect.reason, lateByMs: effect.lateByMs });
    }
    if (effect.type === "released") history.write({ event: "released", ...term, outcome: effect.outcome });
  }

  #tell(effect: Exclude<Report, { type: "notice" | "asked" | "trace" }>, sink: EngineSink): void {
    switch (effect.type) {
      case "elected":
        return sink.elected({ instance: effect.instance, token: effect.token });
      case "extended":
        return undefined;
      case "uncertain":
        return sink.uncertain(effect.sinceMs, effect.cause);
      case "confirmed":
        return sink.confirmed(effect.afterMs);
      case "renewFailed":
        return sink.renewFailed(effect.cause, effect.remainingMs);
      case "lost":
        return sink.lost(effect.reason, effect.lateByMs);
      case "released":
        return sink.released(effect.outcome);
      case "held":
        return sink.answered({ kind: "held", by: effect.by });
      case "unknown":
        return sink.answered({ kind: "unknown" });
      case "refused":
        return sink.refused(effect.cause);
      case "withdrawn":
        return sink.withdrawn();
      case "view":
        return sink.view(effect.view);
    }
  }

  #renewed(confirmed: boolean): void {
    const waiting = this.#renewals;
    this.#renewals = undefined;
    for (const onOutcome of waiting ?? []) onOutcome(confirmed);
  }

  #answerAsk(result: AskResult): void {
    const onResult = this.#asked;
    this.#asked = undefined;
    onResult?.(result);
  }
}
