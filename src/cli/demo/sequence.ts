/**
 * The sequence of records in a store that keeps only the newest, put together from what was told. Pure.
 *
 * Promise: each record names the one that it replaced, since that is what compare-and-set
 * asks for; so from the last record that the store held, the way back to the first is
 * known, whether or not anybody saw a record in between. What does not fit is told: a record that
 * nobody sent, an acknowledged write off that way, a sighting out of its order or with another body.
 * Non-promise: times by the store's clock. A record counts from before it was sent.
 */

import { isDeepStrictEqual } from "node:util";
import type { Version } from "../../lease/store.js";
import type { KeptVersion } from "../../stores/file/kept-versions.js";
import { nonceWord, partsOf } from "../../stores/redis/value.js";
import type { RecordLine } from "./record-line.js";

export interface Sequence {
  /** Oldest first. */
  readonly kept: readonly KeptVersion[];
  /** What does not fit. */
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}

type Sent = Extract<RecordLine, { kind: "sent" }>;
type Seen = Extract<RecordLine, { kind: "seen" }>;

/** `lines`: of all processes; those of the watcher in their order. */
export function sequenceOf(lines: readonly RecordLine[]): Sequence {
  const sent = new Map(
    lines.filter((line) => line.kind === "sent").map((line) => [nonceWord(line.record.nonce), line]),
  );
  const seen = lines.filter((line) => line.kind === "seen");
  const last = seen.at(-1);
  if (last === undefined) return { kept: [], gaps: ["nobody saw a record"], notes: [] };
  const { way, gap } = wayBack(sent, last.version);
  const places = new Map(way.map(({ record }, place) => [nonceWord(record.nonce), place]));
  const looks = lines.filter((line) => line.kind === "unseen");
  return {
    kept: way.map(({ record, wallMs }, place) => ({ number: place + 1, body: record, modifiedMs: wallMs })),
    gaps: [...gap, ...misplaced(seen, sent, places), ...astray(lines, places), ...blind(lines)],
    notes: [
      `each record was linked by its writer to the one that it replaced; ${seen.length} were seen in the store itself`,
      ...(looks.length === 0 ? [] : [`the store did not answer ${looks.length} looks: ${looks[0]?.why}`]),
    ],
  };
}

interface Way {
  /** Oldest first. */
  readonly way: readonly Sent[];
  readonly gap: readonly string[];
}

function wayBack(sent: ReadonlyMap<string, Sent>, last: Version): Way {
  const way: Sent[] = [];
  for (let version: Version | null = last; version !== null; ) {
    const found = sent.get(nameOf(version));
    const what = `version ${version}, ${way.length} before the last,`;
    if (found === undefined) return { way: way.toReversed(), gap: [`${what} was sent by nobody`] };
    if (way.includes(found))
      return { way: way.toReversed(), gap: [`${what} replaced one that came after it`] };
    way.push(found);
    version = found.expected;
  }
  return { way: way.toReversed(), gap: [] };
}

/** The nonce, as the store has it in the names of its versions. */
function nameOf(version: Version): string {
  return partsOf(version).name;
}

function misplaced(
  seen: readonly Seen[],
  sent: ReadonlyMap<string, Sent>,
  places: ReadonlyMap<string, number>,
): readonly string[] {
  const wrong: string[] = [];
  let before = -1;
  for (const { version, body } of seen) {
    const place = places.get(nameOf(version));
    if (place === undefined || place <= before) wrong.push(`version ${version} was seen where none belongs`);
    else if (!isDeepStrictEqual(sent.get(nameOf(version))?.record, body)) {
      wrong.push(`version ${version} was seen with another body than its writer sent`);
    }
    before = place ?? before;
  }
  return wrong;
}

/** Writes that were answered otherwise than the sequence says. */
function astray(lines: readonly RecordLine[], places: ReadonlyMap<string, number>): readonly string[] {
  const answers = lines.filter((line) => line.kind === "answered");
  return answers.flatMap(({ nonce, answer }) => {
    const counts = places.has(nonceWord(nonce));
    if (answer === "written" && !counts)
      return [`write ${nonce} was acknowledged and is in no record that follows`];
    if ((answer === "conflict" || answer === "unproven") && counts) {
      return [`write ${nonce} was answered with ${answer} and counts all the same`];
    }
    return [];
  });
}

/** Without the last look nobody knows what was left in the store. */
function blind(lines: readonly RecordLine[]): readonly string[] {
  const last = lines.findLast((line) => line.kind === "seen" || line.kind === "unseen");
  return last?.kind === "unseen" ? [`the store could not be read at the end: ${last.why}`] : [];
}
