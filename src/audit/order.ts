/**
 * I6: each candidacy tells its terms in order, and observers never go back.
 *
 * Elected; then uncertain and confirmed in turn; then lost; then released. Nothing
 * after that, no deadline that revives a belief that had ended, and a higher token
 * if the same candidacy is elected again. A term may break off anywhere: its
 * process may have been killed.
 */

import type { HistoryLine } from "../history/line.js";
import type { LineOf, Moment, Told } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, Stories, when, who } from "./story.js";
import type { Candidacy } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

interface Place {
  readonly phase: "none" | "leading" | "uncertain" | "lost" | "released";
  readonly token: number;
  readonly untilNs: number;
  readonly last: Told | undefined;
}

export function judgeOrder(scene: Scene): Judgement {
  const { told, observed } = scene.kinds;
  const stories = new Stories();
  for (const candidacy of scene.candidacies) judgeCandidacy(scene, candidacy, stories);
  judgeObservers(scene, stories);
  return { judged: told.length + observed.length, violations: stories.all() };
}

/** Of each term the first line that does not fit is told: those after it mostly do not fit either. */
function judgeCandidacy(scene: Scene, { process, instance, told }: Candidacy, stories: Stories): void {
  let place: Place = { phase: "none", token: 0, untilNs: 0, last: undefined };
  for (const next of inFittingOrder(told, () => place)) {
    const before = place;
    const why = objection(before, next);
    if (why !== undefined) {
      stories.tell(["term", process, instance, next.line.token], () => complaint(scene, before, next, why));
    }
    place = follow(before, next);
  }
}

/** Lines of one instant have no order of their own: what fits comes first. */
function* inFittingOrder(told: readonly Told[], place: () => Place): Generator<Told> {
  for (let from = 0; from < told.length; ) {
    const waiting: Told[] = [];
    for (
      let next = told[from];
      next !== undefined && next.ns === (waiting[0] ?? next).ns;
      next = told[from]
    ) {
      waiting.push(next);
      from += 1;
    }
    while (waiting.length > 0) {
      const fitting =
        waiting.length === 1 ? 0 : waiting.findIndex((next) => objection(place(), next) === undefined);
      yield* waiting.splice(Math.max(fitting, 0), 1);
    }
  }
}

/** Why this line cannot follow; undefined when it can. */
function objection(place: Place, { ns, untilNs: newNs, line }: Told): string | undefined {
  const { phase, token, untilNs } = place;
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
  const revives = line.event === "extended" && ns >= untilNs && newNs > ns;
  return revives ? `its belief had ended ${inMs(ns - untilNs)} ms before` : undefined;
}

/** Where the candidacy is after this line, whether or not it fitted. */
function follow(place: Place, last: Told): Place {
  const { line, untilNs } = last;
  const { token } = line;
  if (line.event === "elected") return { phase: "leading", token, untilNs, last };
  if (line.event === "extended") {
    const phase = place.phase === "uncertain" ? "uncertain" : "leading";
    return { phase, token, untilNs, last };
  }
  return { ...place, phase: line.event === "confirmed" ? "leading" : line.event, token, last };
}

function complaint(scene: Scene, { last }: Place, { ns, line }: Told, why: string): Violation {
  const message = `${who(line)} wrote "${line.event}" at ${when(scene, ns)}, but ${why}`;
  const lines: readonly HistoryLine[] = last === undefined ? [line] : [last.line, line];
  return { invariant: "I6", message, lines };
}

type Sight = Moment<LineOf<"observed">>;

function judgeObservers(scene: Scene, stories: Stories): void {
  /** By node within process. */
  const highest = new Map<string, Map<string, Sight>>();
  for (const sight of scene.kinds.observed) {
    const { process, node, token } = sight.line;
    let ofProcess = highest.get(process);
    if (ofProcess === undefined) highest.set(process, (ofProcess = new Map<string, Sight>()));
    const before = ofProcess.get(node);
    if (before !== undefined && sight.ns > before.ns && token < before.line.token) {
      stories.tell(["observer", process, node], () => wentBack(scene, before, sight));
    }
    if (before === undefined || token > before.line.token) ofProcess.set(node, sight);
  }
}

function wentBack(scene: Scene, before: Sight, { ns, line }: Sight): Violation {
  const message =
    `${line.node} named the leader of token ${line.token} at ${when(scene, ns)}, ` +
    `although it had named token ${before.line.token} at ${when(scene, before.ns)}: observers never go back`;
  return { invariant: "I6", message, lines: [before.line, line] };
}
