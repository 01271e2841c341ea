/**
 * What electors at the seam believed, as history lines: their `check()` is all that is known of it, so each time that
 * it passes is a term. For those who show a run; judges look at the answers themselves.
 */

import type { HistoryEvent, HistoryLine } from "../history/line.js";
import type { World } from "./world/world.js";
import { stampOf } from "./world/stamp.js";

type Teller = Pick<World, "moments" | "nowMs"> & { readonly cast: Pick<World["cast"], "electors"> };

interface Passing {
  readonly token: number;
  readonly sinceMs: number;
}

export function seamBeliefs({ cast, moments, nowMs }: Teller): readonly HistoryLine[] {
  const names = new Set(cast.electors.map(({ name }) => name));
  const passing = new Map<string, Passing>();
  const lines: HistoryLine[] = [];
  const end = (process: string, atMs: number, why: string | undefined): void => {
    const term = passing.get(process);
    passing.delete(process);
    if (term === undefined) return;
    const { token, sinceMs } = term;
    const tell = (ms: number, event: HistoryEvent) => lines.push(lineOf(process, ms, event));
    tell(sinceMs, { event: "elected", instance: process, token, until: stampOf(atMs) });
    // Only for a reader: no elector says why, so it is none of the reasons that ours knows.
    if (why !== undefined) tell(atMs, { event: "lost", instance: process, token, reason: why, lateByMs: 0 });
  };
  for (const { party, kind, text, atMs } of moments) {
    if (!names.has(party)) continue;
    const [, token] = /^check\(\) passes with token (\d+)$/.exec(text) ?? [];
    if (kind === "process" && text === "is killed") end(party, atMs, "it was killed");
    else if (token !== undefined) {
      end(party, atMs, "its token is another");
      passing.set(party, { token: Number(token), sinceMs: atMs });
    } else if (text.startsWith("check() passes no more")) end(party, atMs, "check() passes no more");
  }
  // What lasts to the end does not end there.
  for (const process of passing.keys()) end(process, nowMs + 1, undefined);
  return lines;
}

function lineOf(process: string, ms: number, event: HistoryEvent): HistoryLine {
  const stamp = { v: 1, boot: "virtual", at: stampOf(ms), wall: 0, process, node: process } as const;
  return { ...stamp, namespace: "default", election: "job", ...event };
}
