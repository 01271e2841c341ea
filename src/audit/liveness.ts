/**
 * I7: after each `leader-by` line exactly one leader shows itself within the bound.
 *
 * A leader that is dead or frozen believes on until its deadline, so belief alone
 * proves nothing here: it must write a line, and nobody else may believe then.
 */

import { type LineOf, type Moment, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, when, who } from "./story.js";
import { believesAt, type BeliefTerm, termKey } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

type Demand = Moment<LineOf<"leader-by">>;

interface Sign {
  readonly at: bigint;
  readonly term: BeliefTerm;
}

export function judgeLiveness(scene: Scene): Judgement {
  const demands = select(scene.moments, "leader-by");
  const signs = signsOfLife(scene);
  const violations = demands.flatMap((demand) => {
    const boundAt = demand.at + BigInt(Math.round(demand.line.withinMs * 1e6));
    const later = signs.filter(({ at }) => at >= demand.at);
    const single = later.find(({ at }) => scene.terms.filter((term) => believesAt(term, at)).length === 1);
    if (single !== undefined && single.at <= boundAt) return [];
    return [unmet(scene, demand, later, single)];
  });
  return { judged: demands.length, violations };
}

function signsOfLife(scene: Scene): readonly Sign[] {
  const terms = new Map(scene.terms.map((term) => [termKey(term), term]));
  return select(scene.moments, "elected", "extended", "confirmed", "checked").flatMap(({ at, line }) => {
    const term = terms.get(termKey(line));
    return term !== undefined && believesAt(term, at) ? [{ at, term }] : [];
  });
}

function unmet(scene: Scene, demand: Demand, later: readonly Sign[], single: Sign | undefined): Violation {
  const { line, at } = demand;
  const asked = `one leader was asked for at ${when(scene, at)} within ${line.withinMs} ms`;
  const endAt = scene.moments.at(-1)?.at ?? at;
  let why = `none showed itself until the history ends, ${inMs(endAt - at)} ms later`;
  if (single !== undefined) why = `${who(single.term)} came after ${inMs(single.at - at)} ms`;
  else if (later.length > 0) why = "there were only instants with several";
  return { invariant: "I7", message: `${asked}, but ${why}`, lines: [line] };
}
