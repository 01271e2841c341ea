/**
 * History lines as sentences. Lines are told in order of time: what a deadline or a watermark is at that instant
 * comes from the lines before.
 */

import type { HarnessEvent, HistoryLine } from "../history/line.js";
import type { Told } from "./sentence.js";
import { endInWords, refusalInWords, seconds } from "./words.js";

type LineOf<E extends HistoryLine["event"]> = Extract<HistoryLine, { readonly event: E }>;
type GuardLine = LineOf<"claimed" | "applied" | "refused">;

const bodies = {
  unreadable: "holds a record that cannot be read",
  newer: "holds a record of a newer format",
  repaired: "holds a record that can be read again",
  overwritten: "holds another record: the one that could not be read was written over",
} as const;

export class LineTeller {
  /** Who campaigns under an instance: a guard's line may have been written by the resource. */
  readonly #nodes: ReadonlyMap<string, string>;
  readonly #deadlines = new Map<string, string>();
  readonly #watermarks = new Map<string, number>();

  constructor(lines: readonly HistoryLine[]) {
    this.#nodes = new Map(
      // The first, where a clone has the instance of its original.
      lines.toReversed().flatMap((line) => (line.event === "elected" ? [[line.instance, line.node]] : [])),
    );
  }

  tell(atMs: number, line: HistoryLine): Told {
    return { atMs, election: line.election, ...this.#tell(line) };
  }

  #tell(line: HistoryLine): Omit<Told, "atMs"> {
    const { node: party } = line;
    switch (line.event) {
      case "elected":
      case "extended":
      case "uncertain":
      case "confirmed":
        return this.#tellBelief(line);
      case "lost":
        return { party, sign: "lost", text: lostInWords(line) };
      case "released":
        return { party, sign: "released", text: releasedInWords(line) };
      case "checked": {
        const many = ["checks ", " times, and may act each time"] as const;
        return { party, sign: "checked", text: "checks, and may act", routine: { key: keyOf(line), many } };
      }
      case "observed": {
        const many = ["sees ", ` times that token ${line.token} leads`] as const;
        const text = `sees that token ${line.token} leads`;
        return { party, sign: "observed", text, routine: { key: keyOf(line), many } };
      }
      case "claimed":
      case "applied":
      case "refused":
        return this.#tellGuard(line);
      case "fault":
        return { party: "world", sign: "fault", text: line.fault };
      case "leader-by": {
        const text = `asks for exactly one leader within ${seconds(line.withinMs)}`;
        return { party: "world", sign: "asked", text };
      }
      default:
        return { party: "store", sign: "store", text: bodies[line.body] };
    }
  }

  #tellBelief(line: LineOf<"elected" | "extended" | "uncertain" | "confirmed">): Omit<Told, "atMs"> {
    const { node: party, event, token } = line;
    const term = JSON.stringify([line.process, line.instance, token]);
    if (event === "elected" || event === "extended") this.#deadlines.set(term, line.until);
    const deadline = this.#deadlines.get(term);
    const until = deadline === undefined ? "an unknown deadline" : seconds(Number(deadline) / 1e6);
    switch (event) {
      case "elected":
        return { party, sign: "elected", text: `leads with token ${token} until ${until} at least` };
      case "extended": {
        const many = ["renews ", ` times, belief until ${until}`] as const;
        const routine = { key: keyOf(line), many };
        return { party, sign: "renewed", text: `renews, belief until ${until}`, routine };
      }
      case "uncertain": {
        const text = `is uncertain: a renewal was not confirmed, it leads on until ${until} at most`;
        return { party, sign: "uncertain", text };
      }
      default:
        return { party, sign: "confirmed", text: `is sure again, belief until ${until}` };
    }
  }

  #tellGuard(line: GuardLine): Omit<Told, "atMs"> {
    const { resource: party, token, seq } = line;
    const by = this.#nodes.get(line.instance) ?? line.node;
    const row = JSON.stringify([line.namespace, line.election, party]);
    const watermark = this.#watermarks.get(row);
    const write = seq === undefined ? "a write" : `write ${seq}`;
    if (line.event === "claimed") {
      this.#watermarks.set(row, Math.max(token, watermark ?? token));
      const text = `is claimed by ${by} with token ${token}, and applies nothing lower from now on`;
      return { party, by, sign: "claimed", text };
    }
    if (line.event === "refused") {
      const what = seq === undefined ? "the claim" : write;
      const text = `refuses ${what} of ${by}: ${refusalInWords({ code: line.code, token, seq, watermark })}`;
      return { party, by, sign: "refused", text };
    }
    if (watermark !== undefined && token < watermark) {
      const text = `APPLIES ${write} of ${by} with token ${token}, although token ${watermark} has claimed it`;
      return { party, by, sign: "slipped", text };
    }
    const upTo = seq === undefined ? "" : `, up to number ${seq}`;
    const many = ["applies ", ` writes of ${by} (token ${token})${upTo}`] as const;
    const text = `applies ${write} of ${by} (token ${token})`;
    return { party, by, sign: "applied", text, routine: { key: keyOf(line), many } };
  }
}

function keyOf(line: Exclude<HistoryLine, HarnessEvent>): string {
  const { event, process, node, instance, token } = line;
  return JSON.stringify([event, process, node, instance, token, "resource" in line ? line.resource : ""]);
}

function lostInWords({ reason, lateByMs }: LineOf<"lost">): string {
  const late = lateByMs > 0 ? `; it noticed ${seconds(lateByMs)} late` : "";
  return `leads no more: ${endInWords(reason)}${late}`;
}

function releasedInWords({ outcome }: LineOf<"released">): string {
  switch (outcome) {
    case "released":
      return "has given the lease back";
    case "left-to-expire":
      return "leaves its lease to expire";
    default:
      return `ends its term: ${outcome}`;
  }
}
