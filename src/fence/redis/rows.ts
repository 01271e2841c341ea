/** Rows on the server as the protocol's row. Foreign input: checked, and told where it cannot be read. */

import { type GuardRow, isResult, isText, readRow } from "../row.js";
import { windowSize } from "../sequence.js";
import type { Reply } from "./server.js";

export interface KeptRow {
  readonly namespace: string;
  readonly election: string;
  readonly row: GuardRow;
  /** Drawn whenever the watermark is set: tells this row from any other of its name. */
  readonly generation: string;
  /** The claim holds in the present run of the server; false until somebody has claimed in it. */
  readonly inForce: boolean;
}

interface KeptNumber {
  readonly seq: number;
  readonly opId: string;
  readonly returned: boolean;
  readonly result: string;
}

/** `fields`: names and values in turn. `server`: who is asked to remember. Never throws. */
export function decodeKeptRow(server: string, fields: Reply): KeptRow | "newer" | "unreadable" {
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) found.set(String(fields[at]), String(fields[at + 1]));
  const version = Number(found.get("v"));
  if (Number.isSafeInteger(version) && version > 1) return "newer";
  const [namespace, election, generation] = ["namespace", "election", "generation"].map((name) =>
    found.get(name),
  );
  const row = rowOf(version, found);
  if (row === undefined || !isText(generation, 64)) return "unreadable";
  if (!isText(namespace, 1_024) || !isText(election, 1_024)) return "unreadable";
  return { namespace, election, row, generation, inForce: found.get("server") === server };
}

function rowOf(v: number, found: ReadonlyMap<string, string>): GuardRow | undefined {
  const seq = Number(found.get("seq"));
  const kept = [...found].flatMap(([name, value]) => (/^n\d+$/.test(name) ? [decodeNumber(value)] : []));
  if (!kept.every((one) => one !== undefined)) return undefined;
  // A place is taken again when its number comes round; until then it may hold one that is forgotten.
  const known = kept.filter((one) => one.seq > seq - windowSize).toSorted((a, b) => a.seq - b.seq);
  const last = known.at(-1);
  return readRow({
    v,
    lineage: found.get("lineage"),
    watermark: Number(found.get("watermark")),
    owner: found.get("owner"),
    seq,
    window: known.map((one) => ({ seq: one.seq, opId: one.opId, returned: one.returned })),
    last: last === undefined ? null : lastOf(last),
  });
}

function lastOf({ seq, opId, returned, result }: KeptNumber): object {
  return returned && isResult(result) ? { seq, opId, result } : { seq, opId };
}

/** As the script packs it: `seq returned bytes`, then so many bytes of the operation's name, then the result. */
function decodeNumber(packed: string): KeptNumber | undefined {
  const [head = "", seq, returned, bytes] = /^(\d+) ([01]) (\d+)\n/.exec(packed) ?? [];
  if (seq === undefined) return undefined;
  const rest = Buffer.from(packed.slice(head.length));
  const named = Number(bytes);
  const [opId, result] = [rest.subarray(0, named), rest.subarray(named)].map((part) => part.toString());
  if (opId === undefined || result === undefined) return undefined;
  return { seq: Number(seq), opId, returned: returned === "1", result };
}
