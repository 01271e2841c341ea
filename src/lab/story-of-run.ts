/** A run that was recorded, as a story to be shown: one party for each slot, its times of standing still, its verdict. */

import type { HistoryLine } from "../history/line.js";
import { fateInWords } from "./faults/in-words.js";
import { laneOf } from "./lanes.js";
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
  const fates = faults.flatMap((fault): readonly Moment[] => {
    if (fault.verb !== "fate") return [];
    const { atMs, who: party, call, fate } = fault;
    return [{ atMs, party, kind: "fault", text: fateInWords(call, fate) }];
  });
  const moments = [...rest.map(inLane), ...fates].toSorted((a, b) => a.atMs - b.atMs);
  const lines = world.lines.map(lineInLane);
  return {
    title: `Seed ${seed}: ${broken.length === 0 ? "every promise held" : "a promise is broken"}`,
    facts: [
      ["seed", String(seed)],
      ...facts,
      ...settingFacts(world.settings),
      ["faults", String(faults.length)],
    ],
    untilMs,
    parties: partiesOf(world.settings, moments),
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
  const starts = kind === "process" && lane !== party && text.startsWith("starts");
  return { ...moment, party: lane, text: starts ? `${text}, as process ${party}` : text };
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

function partiesOf({ slots, rates, visitor, store }: Settings, moments: readonly Moment[]): readonly Party[] {
  const names = visitor ? [...slots, "visitor"] : slots;
  const nodes = names.flatMap((name, place): readonly Party[] => {
    const own: Party = { name, kind: "node", note: clockNote(rates[place] ?? 1) };
    const clone = `${name}'`;
    if (!moments.some(({ party }) => party === clone)) return [own];
    return [own, { name: clone, kind: "node", note: `a clone of ${name}` }];
  });
  return [
    ...nodes,
    { name: "store", kind: "store", note: store },
    { name: "ledger", kind: "resource", note: "fenced" },
  ];
}

function clockNote(rate: number): string {
  return rate === 1 ? "clock exact" : `clock ${rate.toFixed(3)} times as fast`;
}
