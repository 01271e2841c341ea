/**
 * Turns what the core says into history lines, sink calls, logs and answered waits.
 *
 * History comes first: a belief is written down before anybody can act on it.
 */

import type { EngineContext } from "../election/algorithm.js";
import { createError } from "../errors/index.js";
import type { AskResult, Effect } from "./core-types.js";

type Report = Exclude<Effect, { type: "read" | "write" }>;

export interface Reporter {
  report(effect: Report): void;
  /** Called once with the outcome of the next renewal. */
  awaitRenewal(onOutcome: (confirmed: boolean) => void): void;
  awaitAsked(onResult: (result: AskResult) => void): void;
  /** Answers whoever still waits. */
  close(): void;
}

export function createReporter(context: EngineContext, upperMs: () => number): Reporter {
  const { sink, history, logger, name } = context;
  let term: { readonly instance: string; readonly token: number } | undefined;
  let renewals: ((confirmed: boolean) => void)[] = [];
  let asked: ((result: AskResult) => void) | undefined;

  function renewed(confirmed: boolean): void {
    const waiting = renewals;
    renewals = [];
    for (const onOutcome of waiting) onOutcome(confirmed);
  }

  function record(effect: Report): void {
    if (effect.type === "elected" || effect.type === "extended") {
      const { type, instance, token, untilUpper } = effect;
      term = { instance, token };
      history.write({ event: type, instance, token, until: history.instant(untilUpper - upperMs()) });
      return;
    }
    if (term === undefined) return;
    if (effect.type === "uncertain" || effect.type === "confirmed")
      history.write({ event: effect.type, ...term });
    if (effect.type === "lost") {
      history.write({ event: "lost", ...term, reason: effect.reason, lateByMs: effect.lateByMs });
    }
    if (effect.type === "released") history.write({ event: "released", ...term, outcome: effect.outcome });
  }

  function report(effect: Report): void {
    record(effect);
    switch (effect.type) {
      case "elected":
        return sink.elected({ instance: effect.instance, token: effect.token });
      case "extended":
        return renewed(true);
      case "uncertain":
        return sink.uncertain(effect.sinceMs, effect.cause);
      case "confirmed":
        return sink.confirmed(effect.afterMs);
      case "renewFailed":
        sink.renewFailed(effect.cause, effect.remainingMs);
        return renewed(false);
      case "lost":
        sink.lost(effect.reason, effect.lateByMs);
        return renewed(false);
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
      case "asked":
        return answerAsk(effect.result);
      case "notice":
        return logger.warn({ election: name, code: effect.code }, effect.message);
      case "trace":
        return undefined;
    }
  }

  function answerAsk(result: AskResult): void {
    const onResult = asked;
    asked = undefined;
    onResult?.(result);
  }

  return {
    report,
    awaitRenewal: (onOutcome) => renewals.push(onOutcome),
    awaitAsked(onResult) {
      asked = onResult;
    },
    close() {
      renewed(false);
      answerAsk({ kind: "failed", cause: createError("ELECTION_STOPPED", "the election was stopped") });
    },
  };
}
