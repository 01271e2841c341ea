/**
 * I6: each candidacy tells its terms in order, and observers never go back.
 *
 * Elected; then uncertain and confirmed in turn; then lost; then released. Nothing
 * after that, no deadline that revives a belief that had ended, and a higher token
 * if the same candidacy is elected again. A term may break off anywhere: its
 * process may have been killed.
 */

import type { HistoryLine } from "../history/line.js";
import { groupBy, type LineOf, type Moment, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, when, who } from "./story.js";
import type { Judgement, Violation } from "./verdict.js";

type Told = Moment<LineOf<"elected" | "extended" | "uncertain" | "confirmed" | "lost" | "released">>;

interface Place {
  readonly phase: "none" | "leading" | "uncertain" | "lost" | "released";
  readonly token: number;
  readonly untilAt: bigint;
  readonly last: Told | undefined;
}

export function judgeOrder(scene: Scene): Judgement {
  const told = select(scene.moments, "elected", "extended", "uncertain", "confirmed", "lost", "released");
  const candidacies = groupBy(told, ({ line }) => JSON.stringify([line.process, line.instance]));
  const observed = select(scene.moments, "observed");
  const observers = groupBy(observed, ({ line }) => JSON.stringify([line.process, line.node]));
  return {
    judged: told.length + observed.length,
    violations: [
      ...[...candidacies.values()].flatMap((moments) => judgeCandidacy(scene, moments)),
      ...[...observers.values()].flatMap((moments) => judgeObserver(scene, moments)),
    ],
  };
}

function judgeCandidacy(scene: Scene, moments: readonly Told[]): readonly Violation[] {
  const violations: Violation[] = [];
  const waiting = [...moments];
  let place: Place = { phase: "none", token: 0, untilAt: 0n, last: undefined };
  for (let next = takeNext(waiting, place); next !== undefined; next = takeNext(waiting, place)) {
    const why = objection(place, next);
    if (why !== undefined) violations.push(complaint(scene, place, next, why));
    place = follow(place, next);
  }
  return violations;
}

/** Lines of one instant have no order of their own: what fits comes first. */
function takeNext(waiting: Told[], place: Place): Told | undefined {
  const first = waiting[0];
  if (first === undefined) return undefined;
  const fitting = waiting.findIndex(
    (moment) => moment.at === first.at && objection(place, moment) === undefined,
  );
  return waiting.splice(Math.max(fitting, 0), 1)[0];
}

/** Why this line cannot follow; undefined when it can. */
function objection(place: Place, { at, line }: Told): string | undefined {
  const { phase, token, untilAt } = place;
  if (line.event === "elected") {
    if (phase === "leading" || phase === "uncertain") return "the term before was never lost";
    return line.token <= token ? `its last token was ${token}` : undefined;
  }
  if (phase === "none") return "nothing says that it was elected";
  if (line.token !== token) return `its token was ${token}`;
  if (line.event === "released") return phase === "lost" ? undefined : `it was ${phase}`;
  if (phase !== "leading" && phase !== "uncertain") return "the term had ended";
  if (line.event === "uncertain") return phase === "leading" ? undefined : "it was uncertain already";
  if (line.event === "confirmed") return phase === "uncertain" ? undefined : "it was not uncertain";
  // A process that was frozen before it wrote the line tells of a deadline that is over: that revives nothing.
  const revives = line.event === "extended" && at >= untilAt && BigInt(line.until) > at;
  return revives ? `its belief had ended ${inMs(at - untilAt)} ms before` : undefined;
}

function follow(place: Place, last: Told): Place {
  const { line } = last;
  if (line.event === "elected") {
    return { phase: "leading", token: line.token, untilAt: BigInt(line.until), last };
  }
  if (line.event === "extended") return { ...place, untilAt: BigInt(line.until), last };
  if (line.event === "confirmed") return { ...place, phase: "leading", last };
  return { ...place, phase: line.event, last };
}

function complaint(scene: Scene, { last }: Place, { at, line }: Told, why: string): Violation {
  const message = `${who(line)} wrote "${line.event}" at ${when(scene, at)}, but ${why}`;
  const lines: readonly HistoryLine[] = last === undefined ? [line] : [last.line, line];
  return { invariant: "I6", message, lines };
}

function judgeObserver(scene: Scene, moments: readonly Moment<LineOf<"observed">>[]): readonly Violation[] {
  const violations: Violation[] = [];
  let highest: Moment<LineOf<"observed">> | undefined;
  for (const moment of moments) {
    const { at, line } = moment;
    if (highest !== undefined && at > highest.at && line.token < highest.line.token) {
      const message =
        `${line.node} named the leader of token ${line.token} at ${when(scene, at)}, ` +
        `although it had named token ${highest.line.token} at ${when(scene, highest.at)}`;
      violations.push({ invariant: "I6", message, lines: [highest.line, line] });
    }
    if (highest === undefined || line.token > highest.line.token) highest = moment;
  }
  return violations;
}
