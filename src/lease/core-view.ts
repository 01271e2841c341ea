/**
 * What an observer may say about who leads (rule 2, and the mapping of docs/safety.md).
 *
 * held, draining → held · offered, released, proven absent → vacant · unreadable,
 * unproven absent, unchanged for its ttl, or an older term than one seen before → unknown.
 */

import type { LeaderView } from "../election/events.js";
import type { CoreState } from "./core-state.js";
import { expiryLower } from "./core-expiry.js";
import { readable } from "./core-sighting.js";

export function currentView(state: CoreState): LeaderView {
  const { term, sighting, config } = state;
  if (term?.phase === "leading") {
    return { kind: "held", node: config.node, token: term.token, metadata: config.metadata, self: true };
  }
  if (!sighting.answered) return unknown(state, sighting.sinceLower);
  if (sighting.stored === undefined) {
    const proven = config.provesAbsence && !sighting.everPresent;
    return proven ? { kind: "vacant" } : unknown(state, sighting.sinceLower);
  }
  const record = readable(sighting.stored, config);
  if (record === undefined || record.token < sighting.highestToken)
    return unknown(state, sighting.sinceLower);
  if (record.state === "released" || record.state === "offered") return { kind: "vacant" };
  const silentLower = expiryLower(state, record);
  if (state.now.lower >= silentLower) return unknown(state, silentLower);
  const { node, token, metadata } = record;
  return { kind: "held", node, token, metadata, self: false };
}

function unknown(state: CoreState, sinceLower: number): LeaderView {
  return { kind: "unknown", sinceMs: Math.max(0, state.now.lower - sinceLower) };
}

/** Whether listeners would learn nothing: the age of not knowing is no news. */
export function sameView(a: LeaderView, b: LeaderView): boolean {
  if (a.kind === "held" && b.kind === "held")
    return a.node === b.node && a.token === b.token && a.self === b.self;
  return a.kind === b.kind;
}

/** When the view changes by time alone. */
export function viewDueLower(state: CoreState): number {
  const record = readable(state.sighting.stored, state.config);
  if (record?.state !== "held" && record?.state !== "draining") return Number.POSITIVE_INFINITY;
  const silentLower = expiryLower(state, record);
  return state.now.lower >= silentLower ? Number.POSITIVE_INFINITY : silentLower;
}
