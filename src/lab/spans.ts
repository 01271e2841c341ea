/**
 * When somebody was down, stopped or cut off, and when a server stalled: read off what the world said and what was
 * done to it. Needs a run that was recorded.
 */

import { haltWords } from "./faults/perform.js";
import type { Fault } from "./faults/fault.js";
import { laneOf } from "./lanes.js";
import type { Moment, WorldSpan } from "./timeline.js";

export interface SpansAndRest {
  readonly spans: readonly WorldSpan[];
  /** Moments that no span tells. */
  readonly rest: readonly Moment[];
}

interface Told {
  readonly moments: readonly Moment[];
  readonly faults: readonly Fault[];
  readonly untilMs: number;
}

const kinds = { stop: "stopped", block: "blocked", suspend: "suspended", "stop-host": "stopped" } as const;
const remarks = {
  stop: "",
  block: "",
  suspend: "",
  "stop-host": "its host stands still, with all of its clocks",
};
type HaltVerb = keyof typeof haltWords;
const haltVerbs = Object.keys(haltWords) as readonly HaltVerb[];

export function spansOf({ moments, faults, untilMs }: Told): SpansAndRest {
  const open = new Opened();
  const rest = moments.filter((moment) => !open.see(moment));
  const healedAt = [
    ...moments.filter(({ party, text }) => party === "world" && text.startsWith("all faults are over")),
    // The world is calm after such a loss, which heals it first.
    ...faults.filter((fault) => "calm" in fault && fault.calm),
  ].map(({ atMs }) => atMs);
  const healed = (atMs: number, forMs: number) =>
    Math.min(Math.round(atMs + forMs), ...healedAt.filter((healing) => healing > atMs));
  const passing = faults.flatMap((fault): readonly WorldSpan[] => {
    if (fault.verb !== "cut" && fault.verb !== "stall") return [];
    const { atMs: fromMs } = fault;
    const untilMs = healed(fromMs, fault.forMs);
    if (fault.verb === "stall") return [{ party: fault.what, kind: "stalled", fromMs, untilMs, text: "" }];
    const text = `from the ${fault.from}${ways[fault.way]}`;
    return [{ party: laneOf(fault.who), kind: "cut", fromMs, untilMs, text }];
  });
  const isPassing = ({ kind, text }: Moment) =>
    kind === "fault" && (text.startsWith("is cut off from the ") || text.startsWith("stalls for "));
  return {
    spans: [...open.close(untilMs), ...passing].toSorted((a, b) => a.fromMs - b.fromMs),
    rest: rest.filter((moment) => !isPassing(moment)),
  };
}

const ways = {
  both: "",
  there: ", what it sends is lost",
  back: ", what is answered is lost",
  refused: ", its calls fail at once",
} as const;

/** Follows who stands still and who is dead. */
class Opened {
  readonly #done: WorldSpan[] = [];
  readonly #open = new Map<string, Omit<WorldSpan, "untilMs">>();

  /** Whether a span tells it. */
  see({ atMs, party, kind, text }: Moment): boolean {
    const lane = laneOf(party);
    if (kind === "process" && text === "is killed") {
      this.#end(lane, atMs);
      this.#open.set(lane, { party: lane, kind: "down", fromMs: atMs, text: "" });
      // Who killed and what came of it are two things, and it may be back in the same instant.
      return false;
    }
    const ends = text === "goes on" || (kind === "process" && /^starts\b/.test(text));
    if (ends) this.#end(lane, atMs);
    const verb = kind === "fault" ? haltVerbs.find((verb) => text.startsWith(haltWords[verb])) : undefined;
    if (verb === undefined) return false;
    this.#open.set(lane, { party: lane, kind: kinds[verb], fromMs: atMs, text: remarks[verb] });
    return true;
  }

  close(untilMs: number): readonly WorldSpan[] {
    for (const lane of this.#open.keys()) this.#end(lane, untilMs);
    return this.#done;
  }

  #end(lane: string, atMs: number): void {
    const span = this.#open.get(lane);
    this.#open.delete(lane);
    if (span !== undefined && span.fromMs < atMs) this.#done.push({ ...span, untilMs: atMs });
  }
}
