/**
 * May the lease be taken now, and if not, when? Questions only; nothing is changed here.
 *
 * Keeps rule 2 (observed expiry), rule 5 (absent is not released) and the part of
 * rule 13 that says what must never be overwritten.
 */

import { takeoverSpreadMs } from "./budget.js";
import { judgedExpiryLower, observedExpiryLower } from "./core-expiry.js";
import { readable } from "./core-sighting.js";
import type { CoreState, Race } from "./core-state.js";
import type { LeaseRecord } from "./record.js";
import type { Call, Version } from "./store.js";

/** An unconfirmed offer may be taken by anyone after this long (rule 10). */
const offerMs = 1_000;

export type Readiness =
  | {
      readonly kind: "take";
      readonly expected: Version | undefined;
      readonly absence: Call["absence"];
      readonly takeover: Call["takeover"];
      readonly rule: number;
    }
  | { readonly kind: "wait"; readonly untilLower: number }
  /** Nothing to wait for: the store has not answered, or the record must not be overwritten. */
  | { readonly kind: "look" };

export function readiness(state: CoreState, race: Race): Readiness {
  const { sighting, config } = state;
  if (!sighting.answered) return { kind: "look" };
  if (sighting.stored === undefined) return absentReadiness(state, race);
  const record = readable(sighting.stored, config);
  // Rule 13: neither a newer nor an unreadable record is ever overwritten.
  if (record === undefined) return { kind: "look" };
  const { version } = sighting.stored;
  const { state: stands, offeredTo } = record;
  if (stands === "released" || stands === "offered") {
    if (isUnproven(state, race)) return waitedReadiness(state, race, version);
    const ask = { kind: "take", expected: version, absence: "prove", takeover: "observed" } as const;
    if (stands === "released") return { ...ask, rule: 5 };
    if (offeredTo === race.instance) return { ...ask, rule: 10 };
    return after(state, race, sighting.sinceLower + offerMs, 10, version, ask.absence);
  }
  return heldReadiness(state, race, record, version);
}

/** Rule 2: unchanged for the record's own ttl, on my clock, from first receipt, in one epoch; or the store's clock says so. */
function heldReadiness(state: CoreState, race: Race, record: LeaseRecord, expected: Version): Readiness {
  // Rule 5: a lease that lasts longer than this one may be forgotten. After the longest ttl there is none left.
  const doubtful = record.ttlMs < state.config.maxTtlMs;
  const proves = doubtful && !isUnproven(state, race);
  if (doubtful && !proves) {
    const waited = waitedReadiness(state, race, expected);
    if (waited.kind === "wait") return waited;
  }
  const absence = proves ? "prove" : "waited";
  const judged = judgedReadiness(state, race, record, expected, absence);
  return judged ?? after(state, race, observedExpiryLower(state, record), 2, expected, absence);
}

/** Rule 2: the store's clock is asked where it comes first; whoever has observed the whole ttl needs no judge. */
function judgedReadiness(
  state: CoreState,
  race: Race,
  record: LeaseRecord,
  expected: Version,
  absence: Call["absence"],
): Readiness | undefined {
  const spread = spreadMs(state, race);
  const untilLower = judgedExpiryLower(state, record) + spread;
  const observedLower = observedExpiryLower(state, record) + spread;
  if (untilLower >= observedLower || state.now.lower >= observedLower) return undefined;
  if (state.now.lower < untilLower) return { kind: "wait", untilLower };
  return { kind: "take", expected, absence, takeover: "store-clock", rule: 2 };
}

/** Rule 5: absent is not released. */
function absentReadiness(state: CoreState, race: Race): Readiness {
  const { sighting } = state;
  if (!sighting.everPresent && !isUnproven(state, race))
    return { kind: "take", expected: undefined, absence: "prove", takeover: "observed", rule: 5 };
  return waitedReadiness(state, race, undefined);
}

/** The store was asked about what is seen now, and could not prove that it has forgotten no later lease. */
function isUnproven({ sighting }: CoreState, race: Race): boolean {
  return race.unprovenSight === sighting.count;
}

/**
 * Rule 5: as long as the longest lease that may have been forgotten. What is absent may be so since it was first seen to
 * be; what is there is the last that this epoch knows, so a lease that it replaced was forgotten before the epoch began.
 */
function waitedReadiness(state: CoreState, race: Race, expected: Version | undefined): Readiness {
  const { sighting, config } = state;
  const sinceLower = expected === undefined ? sighting.sinceLower : sighting.epochSinceLower;
  const waitMs = Math.max(config.ttlMs, sighting.lastTtlMs, config.maxTtlMs);
  return after(state, race, sinceLower + waitMs, 5, expected, "waited");
}

/** From then on, a little later than others. */
function after(
  state: CoreState,
  race: Race,
  dueLower: number,
  rule: number,
  expected: Version | undefined,
  absence: Call["absence"],
): Readiness {
  const untilLower = dueLower + spreadMs(state, race);
  if (state.now.lower < untilLower) return { kind: "wait", untilLower };
  return { kind: "take", expected, absence, takeover: "observed", rule };
}

/** When the race has to act by itself next, lower reading. */
export function raceDueLower(state: CoreState, race: Race): number {
  if (race.writing !== undefined || !race.fresh) return Number.POSITIVE_INFINITY;
  // A record of its own is no other holder's: the next write on it is due after the pause.
  if (readable(state.sighting.stored, state.config)?.instance === race.instance) return race.notBeforeLower;
  const ready = readiness(state, race);
  if (ready.kind === "look") return Number.POSITIVE_INFINITY;
  return Math.max(ready.kind === "wait" ? ready.untilLower : state.now.lower, race.notBeforeLower);
}

/** Rule 11: many candidates of one dead leader do not all try in one instant. Constant within a race. */
function spreadMs(state: CoreState, race: Race): number {
  return takeoverSpreadMs(state.config.ttlMs) * fractionOf(race.instance);
}

function fractionOf(instance: string): number {
  let hash = 0;
  for (const character of instance) hash = (hash * 31 + character.charCodeAt(0)) % 4_096;
  return hash / 4_096;
}
