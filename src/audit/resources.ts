/** What each guarded resource accepted, boot by boot, and the claims on it. */

import type { LineOf, Moment } from "./moment.js";
import type { Scene } from "./scene.js";

export type GuardDecision = Moment<LineOf<"claimed" | "applied">>;

export interface Resource {
  readonly resource: string;
  readonly boots: readonly Decisions[];
}

/** In order. Without repeated answers. */
export interface Decisions {
  readonly scene: Scene;
  readonly decisions: readonly GuardDecision[];
}

interface DecisionsDraft {
  readonly scene: Scene;
  readonly decisions: GuardDecision[];
}

/** `scenes` of one election. */
export function resourcesOf(scenes: readonly Scene[]): readonly Resource[] {
  const resources = new Map<string, DecisionsDraft[]>();
  for (const scene of scenes) {
    for (const decision of scene.kinds.decided) {
      const { line } = decision;
      if (line.duplicate === true) continue;
      let boots = resources.get(line.resource);
      if (boots === undefined) resources.set(line.resource, (boots = []));
      const last = boots.at(-1);
      if (last?.scene === scene) last.decisions.push(decision);
      else boots.push({ scene, decisions: [decision] });
    }
  }
  return [...resources].map(([resource, boots]) => ({ resource, boots }));
}

/** The claims of one resource so far. */
export class Claims {
  readonly #owners = new Map<number, Set<string>>();
  #highest: GuardDecision | undefined;

  add(claim: GuardDecision): void {
    const { token, instance } = claim.line;
    const owners = this.#owners.get(token);
    if (owners === undefined) this.#owners.set(token, new Set([instance]));
    else owners.add(instance);
    if (this.#highest === undefined || token > this.#highest.line.token) this.#highest = claim;
  }

  /** The highest claim, if it is above what was accepted after it. In one instant either may have come first. */
  above({ ns, line }: GuardDecision): GuardDecision | undefined {
    const highest = this.#highest;
    return highest !== undefined && ns > highest.ns && line.token < highest.line.token ? highest : undefined;
  }

  covers({ line }: GuardDecision): boolean {
    return this.#owners.get(line.token)?.has(line.instance) === true;
  }
}
