/**
 * What the resources hold, read from their versions on disk and from nothing that a process said.
 *
 * Promise: every version from the first on is looked at. Tokens never fall, each write
 * stands under the token that claimed last, and the numbers have no gap; what is otherwise
 * is told. Who wrote stands twice, in the guard's row and in what the writer put there.
 */

import type { KeptVersion } from "../../fence/file/kept-versions.js";
import { readVersion } from "../../journal/version.js";
import type { Ledger, Posting } from "./ledger.js";

/** The chains of the ledger and of the journal, or the plain file of those who have no fence. */
export type Shelf =
  | {
      readonly kind: "fenced";
      readonly ledger: readonly KeptVersion[];
      readonly journal: readonly KeptVersion[];
    }
  | { readonly kind: "plain"; readonly postings: readonly Posting[] };

export interface OnDisk {
  readonly versions: number;
  /** What was done, in order; the first one is number 1. `node` is unknown where only the row tells. */
  readonly postings: readonly Pick<Posting, "opId" | "token">[];
  /** How much stood there when a token was claimed. */
  readonly atClaim: ReadonlyMap<number, number>;
  readonly reasons: readonly string[];
}

/** What one version says: how much there is, and what it added. */
interface Said {
  readonly total: number;
  readonly added: Pick<Posting, "opId" | "token"> | undefined;
}

export function readLedger(kept: readonly KeptVersion[]): OnDisk {
  return readChain("ledger", kept, (value, before) => {
    if (value === undefined) return { total: 0, added: undefined };
    const { total, last } = value as Ledger;
    // A claim leaves the value as it was.
    return { total, added: total === before || last === null ? undefined : last };
  });
}

export function readJournal(kept: readonly KeptVersion[]): OnDisk {
  return readChain("journal", kept, (value) => {
    const version = readVersion(value);
    if (version === undefined) throw new Error("is none of a journal");
    return { total: version.index, added: version.entry };
  });
}

function readChain(
  name: string,
  kept: readonly KeptVersion[],
  say: (value: unknown, before: number) => Said,
): OnDisk {
  const reasons: string[] = [];
  const postings: Pick<Posting, "opId" | "token">[] = [];
  const atClaim = new Map<number, number>();
  let [watermark, total] = [0, 0];
  const first = kept[0]?.number ?? 1;
  if (first !== 1) reasons.push(`${name}: the versions begin with number ${first}`);
  for (const { number, body } of kept) {
    const wrong = (why: string) => reasons.push(`${name}: version ${number} ${why}`);
    const row = typeof body === "string" ? undefined : body.fencing.rows[0]?.row;
    if (typeof body === "string" || row === undefined) {
      wrong("cannot be read");
      continue;
    }
    const said = say(body.value === undefined ? undefined : JSON.parse(body.value), total);
    const { added } = said;
    if (row.watermark < watermark) wrong(`stands under token ${row.watermark}, after ${watermark}`);
    if (row.watermark > watermark) atClaim.set(row.watermark, total);
    if (said.total !== total + (added === undefined ? 0 : 1)) wrong(`goes from ${total} to ${said.total}`);
    if (added !== undefined) {
      const { opId, token } = added;
      postings.push({ opId, token });
      if (token !== row.watermark) wrong(`was written with token ${token}, under ${row.watermark}`);
      if (row.last?.opId !== opId) wrong(`says ${opId}, its row says ${row.last?.opId ?? "nothing"}`);
    }
    watermark = Math.max(watermark, row.watermark);
    total = said.total;
  }
  return { versions: kept.length, postings, atClaim, reasons };
}
