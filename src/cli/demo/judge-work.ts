/**
 * The verdict on the writes: what was acknowledged, against what lies on disk. Pure.
 *
 * Every acknowledged operation is there exactly once, at its place; what a woken leader
 * tried was refused and is not there; a reply that was lost was answered as a duplicate;
 * and each leader found in the journal all that had been acknowledged before its claim.
 */

import type { ElectorName } from "./settings.js";
import type { Posting } from "./ledger.js";
import { type LostUpdates, lostUpdates } from "./lost-updates.js";
import { type OnDisk, readJournal, readLedger, type Shelf } from "./on-disk.js";
import type { Acknowledged, Resource, WorkLine } from "./work-line.js";

export interface StaleTries {
  readonly tried: number;
  readonly refused: number;
}

export interface ResourceCounts {
  /** Versions on disk, claims included; 0 for a plain file. */
  readonly versions: number;
  readonly operations: number;
  /** Operations that some leader was told are done. */
  readonly acknowledged: number;
  readonly intact: boolean;
}

export interface WorkVerdict {
  readonly stale: StaleTries;
  /** Replies treated as lost, whose attempts were sent again. */
  readonly repliesLost: number;
  /** Of those, answered as duplicates. */
  readonly duplicatesAnswered: number;
  /** Operations that a successor did again and that had been done. */
  readonly redone: number;
  readonly ledger: ResourceCounts;
  readonly journal: ResourceCounts;
  readonly replays: { readonly made: number; readonly whole: number };
  readonly lost: readonly LostUpdates[];
  readonly reasons: readonly string[];
}

export function judgeWork(elector: ElectorName, lines: readonly WorkLine[], shelf: Shelf): WorkVerdict {
  const [ledger, journal] = readShelf(shelf);
  const stale = lines.filter((line) => line.kind === "stale-try").map((line) => judgeTry(line, lines));
  const losses = lines.filter((line) => line.kind === "reply-lost").map((line) => answerTo(line, lines));
  const replays = lines
    .filter((line) => line.kind === "replayed")
    .map((line) => judgeReplay(line, lines, journal));
  const inLedger = judgeResource("ledger", lines, ledger);
  const inJournal = judgeResource("journal", lines, journal);
  const undone = journal.postings.slice(0, -1).filter(({ opId }) => !has(ledger, opId));
  const idle = [
    ...(stale.length === 0 ? ["no stale write was tried"] : []),
    ...(elector === "tenure" && losses.length === 0 ? ["no reply was lost"] : []),
    ...(elector === "tenure" && replays.length === 0 ? ["no journal was replayed"] : []),
  ];
  return {
    stale: { tried: stale.length, refused: stale.filter((reason) => reason === undefined).length },
    repliesLost: losses.length,
    duplicatesAnswered: losses.filter((answer) => answer?.duplicate === true).length,
    redone: redoneIn(lines),
    ledger: inLedger.counts,
    journal: inJournal.counts,
    replays: { made: replays.length, whole: replays.filter((reason) => reason === undefined).length },
    lost: inLedger.lost,
    reasons: [
      ...inLedger.reasons,
      ...inJournal.reasons,
      ...stale.filter((reason) => reason !== undefined),
      ...losses.flatMap((answer) => (answer?.duplicate === false ? [describeSecond(answer)] : [])),
      ...replays.filter((reason) => reason !== undefined),
      ...undone.map(({ opId }) => `journal: ${opId} stands there and was never done`),
      ...idle,
    ],
  };
}

/** The tries of one term. */
export function staleTriesOf(lines: readonly WorkLine[], term: Pick<Posting, "node" | "token">): StaleTries {
  const own = lines.filter(({ node, token }) => node === term.node && token === term.token);
  const tries = own.filter((line) => line.kind === "stale-try").map((line) => judgeTry(line, own));
  return { tried: tries.length, refused: tries.filter((reason) => reason === undefined).length };
}

function readShelf(shelf: Shelf): readonly [OnDisk, OnDisk] {
  if (shelf.kind === "fenced") return [readLedger(shelf.ledger), readJournal(shelf.journal)];
  const nothing = { versions: 0, postings: [], atClaim: new Map<number, number>(), reasons: [] };
  return [{ ...nothing, postings: shelf.postings }, nothing];
}

function has({ postings }: OnDisk, opId: string): boolean {
  return postings.some((posting) => posting.opId === opId);
}

interface Judged {
  readonly counts: ResourceCounts;
  readonly lost: readonly LostUpdates[];
  readonly reasons: readonly string[];
}

function judgeResource(resource: Resource, lines: readonly WorkLine[], disk: OnDisk): Judged {
  const answers = acknowledgedIn(lines).filter((line) => line.resource === resource);
  const acknowledged = new Map(answers.map((answer) => [answer.opId, answer]));
  const { postings } = disk;
  const lost = lostUpdates([...acknowledged.values()], postings);
  const twice = postings.filter(({ opId }, at) => postings.findIndex((one) => one.opId === opId) !== at);
  const moved = answers.filter(({ opId, number }) => has(disk, opId) && postings[number - 1]?.opId !== opId);
  const reasons = [
    ...disk.reasons,
    ...lost.map(describeLost).map(({ what, why }) => `${resource}: ${what} lost: ${why}`),
    ...twice.map(({ opId }) => `${resource}: ${opId} was done twice`),
    ...moved.map(({ opId, number }) => `${resource}: ${opId} does not stand as number ${number}`),
  ];
  const counts = { versions: disk.versions, operations: postings.length, acknowledged: acknowledged.size };
  return { counts: { ...counts, intact: reasons.length === 0 }, lost, reasons };
}

function acknowledgedIn(lines: readonly WorkLine[]): readonly Acknowledged[] {
  return lines.filter((line) => line.kind === "acknowledged");
}

type About = Pick<Acknowledged, "resource" | "opId" | "token">;

function sameWrite(a: About, b: About): boolean {
  return a.resource === b.resource && a.opId === b.opId && a.token === b.token;
}

/** Undefined when it was refused. */
function judgeTry(tried: About & Pick<Posting, "node">, lines: readonly WorkLine[]): string | undefined {
  const { node, token, resource, opId } = tried;
  const answer = lines.find(
    (line) => (line.kind === "acknowledged" || line.kind === "refused") && sameWrite(line, tried),
  );
  const what = `${resource}: a stale write of ${node} with token ${token} (${opId})`;
  if (answer?.kind === "refused" && answer.code === "STALE") return undefined;
  if (answer?.kind === "acknowledged") return `${what} was accepted as number ${answer.number}`;
  return `${what} was answered with ${answer?.kind === "refused" ? answer.code : "nothing"}`;
}

/** What was said when the attempt was sent again; undefined when its sender was killed over it. */
function answerTo(lost: About, lines: readonly WorkLine[]): Acknowledged | undefined {
  return acknowledgedIn(lines).find((line) => sameWrite(line, lost));
}

function describeSecond({ resource, opId, number }: Acknowledged): string {
  return `${resource}: ${opId} was sent again and done again, as number ${number}`;
}

function redoneIn(lines: readonly WorkLine[]): number {
  const lost = lines.filter((line) => line.kind === "reply-lost");
  const duplicates = acknowledgedIn(lines).filter(({ duplicate }) => duplicate);
  return duplicates.filter((answer) => !lost.some((line) => sameWrite(line, answer))).length;
}

/** Undefined when a leader found what stood at its claim, and all that had been acknowledged to those before it. */
function judgeReplay(
  { node, token, entries }: Extract<WorkLine, { kind: "replayed" }>,
  lines: readonly WorkLine[],
  journal: OnDisk,
): string | undefined {
  const standing = journal.atClaim.get(token);
  const before = acknowledgedIn(lines).filter((line) => line.resource === "journal" && line.token < token);
  const known = Math.max(0, ...before.map(({ number }) => number));
  if (entries === standing && entries >= known) return undefined;
  return (
    `journal: ${node} with token ${token} found ${entries} entries; ` +
    `${standing ?? "nothing is known to have"} stood there, ${known} were acknowledged before`
  );
}

/** What is lost, and to what. */
export function describeLost({ node, token, opIds, fromNumber, overwrittenBy }: LostUpdates): {
  readonly what: string;
  readonly why: string;
} {
  const last = opIds.length > 1 ? ` to ${opIds.at(-1)}` : "";
  const what = `${opIds[0]}${last} of ${node} with token ${token}`;
  if (overwrittenBy === undefined) return { what, why: `nothing stands as number ${fromNumber}` };
  const { opId, token: by } = overwrittenBy;
  return { what, why: `overwritten by ${opId} with token ${by}, which stands as number ${fromNumber}` };
}
