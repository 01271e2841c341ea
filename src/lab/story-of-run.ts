/** A run that was recorded, as a story to be shown: one party for each slot, its times of standing still, its verdict. */

import type { HistoryLine } from "../history/line.js";
import { fateMoments } from "./faults/in-words.js";
import { laneOf } from "./lanes.js";
import { seamBeliefs } from "./seam-beliefs.js";
import type { Outcome } from "./run.js";
import type { Settings } from "./settings.js";
import { spansOf } from "./spans.js";
import type { Moment, Party, RunStory } from "./timeline.js";
import { seconds } from "./words.js";

export interface Telling {
  /** What the heading says beside the seed: profile, options. */
  readonly facts: RunStory["facts"];
  /** How to see it again. */
  readonly again: string;
}

export function storyOf(outcome: Outcome, { facts, again }: Telling): RunStory {
  const { seed, broken, admitted, faults, simulatedMs: untilMs, world } = outcome;
  const { spans, rest } = spansOf({ moments: world.moments, faults, untilMs });
  const moments = [...rest.map(inLane), ...fateMoments(faults)].toSorted((a, b) => a.atMs - b.atMs);
  const seam = seamBeliefs(world);
  const told = seam.length === 0 ? world.lines : [...world.lines, ...seam].toSorted(byInstant);
  const lines = told.map(lineInLane);
  return {
    title: `Seed ${seed}: ${broken.length === 0 ? "every promise held" : "a promise is broken"}`,
    facts: [
      ["seed", String(seed)],
      ...facts,
      ...settingFacts(world.settings),
      ["faults", String(faults.length)],
    ],
    untilMs,
    parties: partiesOf(world),
    moments,
    lines,
    spans,
    verdict: { broken, admitted },
    again,
  };
}

function inLane(moment: Moment): Moment {
  const { party, kind, text } = moment;
  const lane = laneOf(party);
  // Which of the processes of that slot it is is told once.
  const starts = kind === "process" && lane !== party && /^starts\b/.test(text);
  return { ...moment, party: lane, text: starts ? `${text}, as process ${party}` : text };
}

function byInstant(a: HistoryLine, b: HistoryLine): number {
  return Number(a.at) - Number(b.at);
}

function lineInLane(line: HistoryLine): HistoryLine {
  return { ...line, node: laneOf(line.process) };
}

function settingFacts(settings: Settings): RunStory["facts"] {
  const { store, acknowledged, ttlsMs, slots, latency, byStoreClock, drainMs, writeEveryMs } = settings;
  const ttls = new Set(ttlsMs).size === 1 ? ttlsMs.slice(0, 1) : ttlsMs;
  const replicated = acknowledged
    ? ", written to its replica before it answers"
    : ", written to its replica later";
  const judges = slots.filter((_, place) => byStoreClock[place] === true);
  return [
    ["store", store === "replicated" ? `${store}${replicated}` : store],
    ["ttl", ttls.map(seconds).join(", ")],
    ["drain", seconds(drainMs)],
    ["expiry", judges.length === 0 ? "observed" : `judged by the store's clock for ${judges.join(", ")}`],
    [
      "latency",
      `up to ${latency.mostMs} ms one way${latency.shape === "tailed" ? ", now and then three times that" : ""}`,
    ],
    ["writes", writeEveryMs === 0 ? "none" : `every ${seconds(writeEveryMs)} to the ledger`],
  ];
}

function partiesOf({ settings, cast }: Outcome["world"]): readonly Party[] {
  const { slots, rates, visitor, store } = settings;
  // A twin is nobody before it has parted from its original.
  const there = new Set(cast.processes.flatMap(({ name, muted }) => (muted ? [] : [laneOf(name)])));
  const nodes = (visitor ? [...slots, "visitor"] : slots).flatMap((name, place): readonly Party[] => {
    const own: Party = { name, kind: "node", note: clockNote(rates[place] ?? 1) };
    const clone = `${name}'`;
    return there.has(clone) ? [own, { name: clone, kind: "node", note: `a clone of ${name}` }] : [own];
  });
  return [
    ...nodes,
    { name: "store", kind: "store", note: store },
    { name: "ledger", kind: "resource", note: settings.fenced ? "fenced" : "not fenced" },
  ];
}

function clockNote(rate: number): string {
  return rate === 1 ? "clock exact" : `clock ${rate.toFixed(3)} times as fast`;
}
