/**
 * I7: after each `leader-by` line exactly one leader shows itself within the bound.
 *
 * A leader that is dead or frozen believes on until its deadline, so belief alone
 * proves nothing here: it must write a line, and nobody else may believe then.
 */

import { type LineOf, type Moment, nsIn } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, Stories, when, who } from "./story.js";
import { believesAt, type BeliefTerm } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

type Demand = Moment<LineOf<"leader-by">>;

interface Sign {
  readonly ns: number;
  readonly term: BeliefTerm;
}

export function judgeLiveness(scene: Scene): Judgement {
  const { demanded } = scene.kinds;
  const stories = new Stories();
  for (const demand of demanded) {
    const { single, isAny } = signsAfter(scene, demand.ns);
    if (single !== undefined && single.ns - demand.ns <= nsIn(demand.line.withinMs)) continue;
    // Demands that wait for one and the same leader are one story.
    stories.tell([single?.ns ?? "none"], () => unmet(scene, demand, isAny, single));
  }
  return { judged: demanded.length, violations: stories.all() };
}

/** The first sign of a single leader from then on, and whether there was any sign of one. */
function signsAfter(
  { kinds, terms }: Scene,
  fromNs: number,
): { readonly single: Sign | undefined; readonly isAny: boolean } {
  const { told, checked } = kinds;
  let [nextTold, nextChecked] = [firstFrom(told, fromNs), firstFrom(checked, fromNs)];
  let isAny = false;
  for (;;) {
    const [a, b] = [told[nextTold], checked[nextChecked]];
    const isTold = a !== undefined && (b === undefined || a.ns <= b.ns);
    const moment = isTold ? a : b;
    if (moment === undefined) return { single: undefined, isAny };
    if (isTold) nextTold += 1;
    else nextChecked += 1;
    const { ns, line } = moment;
    if (!signEvents.has(line.event)) continue;
    const believers = terms.filter((term) => believesAt(term, ns));
    const term = believers.find(
      ({ process, instance, token }) =>
        process === line.process && instance === line.instance && token === line.token,
    );
    if (term === undefined) continue;
    if (believers.length === 1) return { single: { ns, term }, isAny };
    isAny = true;
  }
}

/** By halving: the place of the first moment that is not before. */
function firstFrom(moments: readonly Moment[], ns: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((moments[middle]?.ns ?? ns) < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

const signEvents: ReadonlySet<string> = new Set(["elected", "extended", "confirmed", "checked"]);

function unmet(scene: Scene, demand: Demand, isAnyLater: boolean, single: Sign | undefined): Violation {
  const { line, ns } = demand;
  const asked = `one leader was asked for at ${when(scene, ns)} within ${line.withinMs} ms`;
  const endNs = scene.moments.at(-1)?.ns ?? ns;
  let why = `none showed itself until the history ends, ${inMs(endNs - ns)} ms later`;
  if (single !== undefined) why = `${who(single.term)} came after ${inMs(single.ns - ns)} ms`;
  else if (isAnyLater) why = "there were only instants with several";
  return { invariant: "I7", message: `${asked}, but ${why}`, lines: [line] };
}
