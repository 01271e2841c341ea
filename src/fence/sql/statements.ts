/** The statements that all databases share, over the tables of a guard. */

import type { Attempt, Fence } from "../fence.js";
import type { GuardRow } from "../row.js";
import { windowSize } from "../sequence.js";
import type { Fragment } from "./dialect.js";
import type { Statement } from "./session.js";
import { storeText, type Tables } from "./tables.js";

/** What a statement that reads the row answers. `locking` is what a dialect adds. */
export function selectRow({ fence }: Tables, id: string, locking = ""): Statement {
  const columns = "v, generation, lineage, watermark, owner";
  return { text: `SELECT ${columns} FROM ${fence} WHERE id = ?${locking}`, values: [id], answer: "rows" };
}

export function insertRow(
  { fence }: Tables,
  id: string,
  resource: string,
  { namespace, election }: Fence,
  { v, lineage, watermark, owner }: GuardRow,
  generation: string,
): Statement {
  const names = [resource, namespace, election].map(storeText);
  return {
    text:
      `INSERT INTO ${fence} (id, resource, namespace, election, v, generation, lineage, watermark, owner)` +
      ` VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [id, ...names, v, generation, storeText(lineage), watermark, storeText(owner)],
  };
}

export function updateRow({ fence }: Tables, id: string, { lineage, watermark, owner }: GuardRow): Statement {
  return {
    text: `UPDATE ${fence} SET lineage = ?, watermark = ?, owner = ? WHERE id = ?`,
    values: [storeText(lineage), watermark, storeText(owner), id],
  };
}

/** A term begins with an empty ring. Its 64 rows are there from the start, so that a write locks one row and no gap. */
export function emptyRing({ attempt }: Tables, id: string): readonly Statement[] {
  const slots = Array.from({ length: windowSize }, (_, slot) => `(?, ${slot}, 0, 0)`).join(", ");
  return [
    { text: `DELETE FROM ${attempt} WHERE fence = ?`, values: [id] },
    {
      text: `INSERT INTO ${attempt} (fence, slot, seq, returned) VALUES ${slots}`,
      values: Array.from({ length: windowSize }, () => id),
    },
  ];
}

/** The highest number of the ring; null where there is no ring. */
export function selectHighest({ attempt }: Tables, id: string): Statement {
  return { text: `SELECT max(seq) AS seq FROM ${attempt} WHERE fence = ?`, values: [id], answer: "rows" };
}

/** Where the number belongs, and where the operation stands if it was applied under another one. */
export function selectMatches({ attempt }: Tables, id: string, { seq, opId }: Attempt): Statement {
  return {
    text: `SELECT seq, op, returned, result FROM ${attempt} WHERE fence = ? AND (slot = ? OR op = ?)`,
    values: [id, seq % windowSize, storeText(opId)],
    answer: "rows",
  };
}

/**
 * Takes the number: changes one row, or none where this number, or one that is 64 or more above it, stands there.
 * Whoever sends the same attempt meanwhile waits here. A stale writer does not: its number may be the leader's too.
 * `mark` is what a dialect sets besides.
 */
export function takeNumber(
  { attempt, fence }: Tables,
  id: string,
  { token }: Fence,
  { seq, opId }: Attempt,
  mark: Fragment = { text: "", values: [] },
): Statement {
  return {
    text:
      `UPDATE ${attempt} SET seq = ?, op = ?, returned = 0, result = NULL${mark.text} WHERE fence = ? AND slot = ? AND seq < ?` +
      ` AND EXISTS (SELECT 1 FROM ${fence} WHERE id = ? AND watermark = ?)`,
    values: [seq, storeText(opId), ...mark.values, id, seq % windowSize, seq, id, token],
    answer: "count",
  };
}

export function saveResult({ attempt }: Tables, id: string, { seq }: Attempt, result: string): Statement {
  return {
    text: `UPDATE ${attempt} SET returned = 1, result = ? WHERE fence = ? AND slot = ? AND seq = ?`,
    values: [result, id, seq % windowSize, seq],
  };
}

export function selectOperation({ operation }: Tables, resource: string, { opId }: Attempt): Statement {
  return {
    text: `SELECT op, returned, result FROM ${operation} WHERE resource = ? AND op = ?`,
    values: [resource, storeText(opId)],
    answer: "rows",
  };
}

export function insertOperation({ operation }: Tables, resource: string, { opId }: Attempt): Statement {
  return {
    text: `INSERT INTO ${operation} (resource, op, returned) VALUES (?, ?, 0)`,
    values: [resource, storeText(opId)],
  };
}

export function saveOperation(
  { operation }: Tables,
  resource: string,
  { opId }: Attempt,
  result: string,
): Statement {
  return {
    text: `UPDATE ${operation} SET returned = 1, result = ? WHERE resource = ? AND op = ?`,
    values: [result, resource, storeText(opId)],
  };
}

/** Forgets all but the newest `count`. */
export function trimOperations({ operation }: Tables, resource: string, count: number): Statement {
  const newest = `SELECT id FROM ${operation} WHERE resource = ? ORDER BY id DESC LIMIT 1 OFFSET ?`;
  // One level deeper, since MySQL refuses to read the table that it deletes from.
  return {
    text: `DELETE FROM ${operation} WHERE resource = ? AND id <= (SELECT id FROM (${newest}) AS kept)`,
    values: [resource, resource, count],
  };
}
