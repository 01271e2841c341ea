/** An operator's act, for people and for JSON. */

import type { FenceAct, Standing } from "../../fence/acts.js";

export function shownAct(act: FenceAct): Omit<FenceAct, "at"> & { readonly at: string } {
  const { at, kind, namespace, election, by, reason, before, after } = act;
  return { at: new Date(at).toISOString(), kind, namespace, election, by, reason, before, after };
}

export function describeAct({ kind, namespace, election, by, reason, before, after }: FenceAct): string {
  const change = `${stateText(before)} to ${after === null ? "nothing" : stateText(after)}`;
  return `${kind} of ${election} (namespace ${namespace}), ${change}, by ${by}: ${reason}`;
}

/** As `--from` takes it. */
export function stateText({ lineage, watermark }: Pick<Standing, "lineage" | "watermark">): string {
  return `${lineage}@${watermark}`;
}
