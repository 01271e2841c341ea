/** What the lines of a story make of a world, and the lines that a world's settings need. */

import { calmSettings, maxTtlMs, type Settings } from "../settings.js";
import type { Setting } from "./story.js";

type Draft = { -readonly [K in keyof Settings]: Settings[K] };

export interface Setup {
  readonly seed: number;
  readonly settings: Settings;
}

/** A message takes a millisecond, whatever the dice say, so that instants stay as they are told. */
const quiet: Settings = {
  ...calmSettings,
  slots: ["a", "b"],
  ttlsMs: [],
  rates: [],
  byStoreClock: [],
  latency: { shape: "even", mostMs: 1 },
};

export function setupOf(said: readonly Setting[]): Setup {
  const names = said.flatMap((one) => (one.is === "nodes" ? [...one.names] : []));
  const slots = names.length === 0 ? quiet.slots : names;
  const draft: Draft = {
    ...quiet,
    slots,
    ttlsMs: slots.map(() => maxTtlMs),
    rates: [...slots, "visitor"].map(() => 1),
    byStoreClock: slots.map(() => false),
  };
  let seed = 1;
  for (const one of said) {
    if (one.is === "seed") seed = one.count;
    else apply(draft, one);
  }
  return { seed, settings: draft };
}

function apply(draft: Draft, one: Setting): void {
  switch (one.is) {
    case "late":
      draft.late = one.names;
      return;
    case "store":
      draft.store = one.store;
      draft.acknowledged = one.acknowledged === true;
      return;
    case "ttl":
      draft.ttlsMs = placed(draft.slots, draft.ttlsMs, one.who, one.ms);
      return;
    case "rate":
      draft.rates = placed([...draft.slots, "visitor"], draft.rates, one.who, one.rate);
      return;
    case "store-clock":
      draft.byStoreClock = placed(draft.slots, draft.byStoreClock, one.who, true);
      return;
    case "latency":
      draft.latency = { shape: one.tailed === true ? "tailed" : "even", mostMs: one.ms };
      return;
    case "wall":
      draft.wall = one.wall;
      return;
    case "drain":
      draft.drainMs = one.ms;
      return;
    case "writes":
      draft.writeEveryMs = one.ms;
      return;
    case "work":
      draft.mood = one.mood;
      return;
    default:
      applyFlag(draft, one.is);
  }
}

function applyFlag(draft: Draft, is: Setting["is"]): void {
  if (is === "hints") draft.hints = true;
  if (is === "visitor") draft.visitor = true;
  if (is === "twins") draft.twins = true;
  if (is === "shared-name") draft.sharedLabel = true;
  if (is === "one-resource") draft.oneResource = true;
  if (is === "unguarded") draft.fenced = false;
  if (is === "no-writes") draft.writeEveryMs = 0;
}

/** Of one, or of all. */
function placed<T>(
  slots: readonly string[],
  values: readonly T[],
  who: string | undefined,
  value: T,
): readonly T[] {
  return values.map((old, place) => (who === undefined || slots[place] === who ? value : old));
}

export function settingsSaid({ seed, settings }: Setup): readonly Setting[] {
  const { slots, late, store, acknowledged, ttlsMs, rates, byStoreClock, latency } = settings;
  const flags = {
    "shared-name": settings.sharedLabel,
    hints: settings.hints,
    visitor: settings.visitor,
    twins: settings.twins,
    "one-resource": settings.oneResource,
    unguarded: !settings.fenced,
  };
  const [ttlMs = maxTtlMs] = ttlsMs;
  return [
    { is: "nodes", names: slots },
    ...(late.length === 0 ? [] : [{ is: "late", names: late } as const]),
    { is: "seed", count: seed },
    { is: "store", store, ...(acknowledged && { acknowledged }) },
    { is: "ttl", ms: ttlMs },
    ...slots.flatMap((who, place): readonly Setting[] => {
      const [ms, rate, judged] = [ttlsMs[place] ?? ttlMs, rates[place] ?? 1, byStoreClock[place] === true];
      return [
        ...(ms === ttlMs ? [] : [{ is: "ttl", who, ms } as const]),
        ...(rate === 1 ? [] : [{ is: "rate", who, rate } as const]),
        ...(judged ? [{ is: "store-clock", who } as const] : []),
      ];
    }),
    ...((rates[slots.length] ?? 1) === 1
      ? []
      : [{ is: "rate", who: "visitor", rate: rates[slots.length] ?? 1 } as const]),
    { is: "drain", ms: settings.drainMs },
    { is: "latency", ms: latency.mostMs, ...(latency.shape === "tailed" && { tailed: true }) },
    ...(settings.wall === "set" ? [] : [{ is: "wall", wall: settings.wall } as const]),
    ...Object.entries(flags).flatMap(([is, on]) => (on ? [{ is: is as "hints" }] : [])),
    { is: "work", mood: settings.mood },
    settings.writeEveryMs === 0 ? { is: "no-writes" } : { is: "writes", ms: settings.writeEveryMs },
  ];
}
