/**
 * Judges a store's own sequence of records: a second opinion that needs no history.
 *
 * Promise: from what the store kept, and when by its clock, it tells whether every
 * change of hands was lawful: tokens rise, only the holder raises `seq`, a lease that
 * was not given back is taken only after its ttl, and what cannot be read stays.
 * Non-promise: belief. A leader that acts without a record leaves no trace here.
 *
 * Times are the store's wall clock. File systems stamp files with a clock that moves
 * in steps (4 ms, 10 ms on some kernels), hence the tolerance; a step of the wall
 * clock during the run looks like an early or late takeover.
 */

/** What this judge reads of a lease record. */
export interface StoredRecord {
  readonly instance: string;
  readonly writer: string;
  readonly nonce: string;
  readonly token: number;
  readonly seq: number;
  readonly ttlMs: number;
  readonly state: "held" | "draining" | "offered" | "released";
  readonly offeredTo?: string;
  readonly node: string;
}

export interface KeptRecord {
  readonly record: StoredRecord | "newer" | "unreadable";
  /** When it was written, by the store's wall clock, ms. */
  readonly mtimeMs: number;
  /** When its holder first showed life by it, where a store that went back holds it again. Default: `mtimeMs`. */
  readonly shownMs?: number;
}

export interface RecordsResult {
  /** Each a short story, with places counted from 1 and times from the first record. */
  readonly violations: readonly string[];
  readonly judged: number;
  /** Changes of hands: by release or offer, and by running out. */
  readonly handed: number;
  readonly expired: number;
  /** The shortest wait before a takeover, as a share of the ttl; undefined when there was none. */
  readonly shortestWait: number | undefined;
}

/** Two steps of a coarse clock, on the early side. */
const toleranceMs = 10;
/** An offer that nobody confirmed is anybody's after this long. */
const offerMs = 1_000;

interface Written {
  readonly record: StoredRecord;
  readonly mtimeMs: number;
  readonly shownMs: number;
  readonly place: number;
}

export function judgeRecords(kept: readonly KeptRecord[]): RecordsResult {
  const startMs = kept[0]?.mtimeMs ?? 0;
  const violations: string[] = [];
  const waits: number[] = [];
  const nonces = new Map<string, number>();
  let handed = 0;
  let before: Written | undefined;
  /** The last record by which its holder showed life: from there its ttl counts. */
  let shown: Written | undefined;
  let foreign: string | undefined;
  for (const [index, { record, mtimeMs, shownMs = mtimeMs }] of kept.entries()) {
    const place = index + 1;
    // Most records are lawful, and need no story.
    const tell = (why: string, who = "") =>
      violations.push(`record ${place} at ${Math.round(mtimeMs - startMs)} ms${who} ${why}`);
    if (foreign !== undefined) tell(`was written over one that was ${foreign}`);
    foreign = typeof record === "string" ? record : undefined;
    if (typeof record === "string") continue;
    const after: Written = { record, mtimeMs, shownMs, place };
    const twin = nonces.get(record.nonce);
    if (twin !== undefined) tell(`repeats the nonce of record ${twin}`);
    nonces.set(record.nonce, place);
    const changed = before === undefined || !sameTerm(before.record, record);
    const wrong = changed ? judgeChange(before, shown, after) : judgeWrite(before, after);
    for (const why of wrong) tell(why, ` (${record.node}, token ${record.token})`);
    if (before !== undefined && shown !== undefined && changed) {
      if (isGivenBack(before.record)) handed += 1;
      else waits.push((mtimeMs - shown.shownMs) / shown.record.ttlMs);
    }
    if (changed || record.writer === record.instance) shown = after;
    before = after;
  }
  const shortestWait = waits.length === 0 ? undefined : Math.min(...waits);
  return { violations, judged: kept.length, handed, expired: waits.length, shortestWait };
}

function sameTerm(a: StoredRecord, b: StoredRecord): boolean {
  return a.instance === b.instance && a.token === b.token;
}

function isGivenBack({ state }: StoredRecord): boolean {
  return state === "released" || state === "offered";
}

/** The lease changed hands. */
function judgeChange(
  before: Written | undefined,
  shown: Written | undefined,
  after: Written,
): readonly string[] {
  const { record } = after;
  const wrong: string[] = [];
  if (record.writer !== record.instance) wrong.push(`was taken for ${record.instance} by another`);
  // A candidate that leaves while its take is under way writes the release of that take in its place.
  if (record.state !== "held" && record.state !== "released") wrong.push(`begins a term as ${record.state}`);
  if (before === undefined || shown === undefined) return wrong;
  const old = before.record;
  if (record.token <= old.token) wrong.push(`does not raise the token of ${old.node}, ${old.token}`);
  const waitedMs = after.mtimeMs - shown.shownMs;
  const neededMs = waitNeededMs(old, record.instance);
  if (waitedMs < neededMs - toleranceMs) {
    wrong.push(`took the ${old.state} lease of ${old.node} after ${Math.round(waitedMs)} of ${neededMs} ms`);
  }
  return wrong;
}

function waitNeededMs(old: StoredRecord, taker: string): number {
  if (old.state === "released") return 0;
  if (old.state === "offered") return old.offeredTo === taker ? 0 : offerMs;
  return old.ttlMs;
}

/** Another write within one term. */
function judgeWrite(before: Written | undefined, after: Written): readonly string[] {
  if (before === undefined) return [];
  const old = before.record;
  const { record } = after;
  const wrong: string[] = [];
  if (record.ttlMs !== old.ttlMs)
    wrong.push(`changes the ttl of its term from ${old.ttlMs} to ${record.ttlMs}`);
  // Where reading it back proves nothing, giving back is written again until it is acknowledged.
  if (isGivenBack(old) && record.state !== old.state) wrong.push(`goes on after its lease was ${old.state}`);
  if (record.writer === record.instance) {
    if (record.seq <= old.seq) wrong.push(`does not raise the seq, ${old.seq}`);
    if (old.state === "draining" && record.state === "held") wrong.push("leads again after it drained");
  } else {
    if (record.seq !== old.seq) wrong.push(`has its seq changed by ${record.writer}, which does not hold it`);
    if (record.state !== old.state) wrong.push(`has its state changed by ${record.writer}`);
  }
  return wrong;
}
