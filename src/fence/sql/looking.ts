/** The statements of those who look, and of operators, over the tables of a guard. */

import type { FenceAct } from "../acts.js";
import { keptActs } from "../acts.js";
import type { Statement } from "./session.js";
import { resourceId } from "../keys.js";
import { storeText, type Tables } from "./tables.js";

/** More are not shown: who has that many asks the tables. */
const mostShown = 10_000;

/** All rows of a resource, whichever election they belong to; of all resources where none is named. */
export function selectElections({ fence, attempt }: Tables, resource?: string): Statement {
  const columns =
    "f.id, f.resource, f.namespace, f.election, f.v, f.generation, f.lineage, f.watermark, f.owner";
  const highest = `(SELECT max(a.seq) FROM ${attempt} AS a WHERE a.fence = f.id) AS seq`;
  const where = resource === undefined ? "" : " WHERE f.resource = ?";
  const order = ` ORDER BY f.resource, f.namespace, f.election LIMIT ${mostShown}`;
  return {
    text: `SELECT ${columns}, ${highest} FROM ${fence} AS f${where}${order}`,
    values: resource === undefined ? [] : [storeText(resource)],
    answer: "rows",
  };
}

/** What was applied under each of them, as far as it is remembered. */
export function selectRings({ fence, attempt }: Tables, resource: string): Statement {
  return {
    text:
      `SELECT a.fence, a.seq, a.op, a.returned, a.result FROM ${attempt} AS a` +
      ` JOIN ${fence} AS f ON f.id = a.fence WHERE f.resource = ? AND a.seq > 0`,
    values: [storeText(resource)],
    answer: "rows",
  };
}

/** The latest first; of all resources where none is named. */
export function selectActs({ act }: Tables, resource?: string): Statement {
  const columns = "done, kind, resource, namespace, election, actor, reason, earlier, later";
  const where = resource === undefined ? "" : " WHERE resource = ?";
  return {
    text: `SELECT ${columns} FROM ${act}${where} ORDER BY id DESC LIMIT ${keptActs}`,
    values: resource === undefined ? [] : [storeText(resource)],
    answer: "rows",
  };
}

export function insertAct({ act }: Tables, resource: string, done: FenceAct): Statement {
  const { at, kind, namespace, election, by, reason, before, after } = done;
  return {
    text:
      `INSERT INTO ${act} (done, kind, resource, namespace, election, actor, reason, earlier, later)` +
      ` VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [
      at,
      kind,
      ...[resource, namespace, election, by, reason, JSON.stringify(before)].map(storeText),
      after === null ? null : storeText(JSON.stringify(after)),
    ],
  };
}

export function deleteRow({ fence, attempt }: Tables, id: string): readonly Statement[] {
  return [
    { text: `DELETE FROM ${attempt} WHERE fence = ?`, values: [id] },
    { text: `DELETE FROM ${fence} WHERE id = ?`, values: [id] },
  ];
}

/** All that are remembered of a resource. */
export function deleteOperations({ operation }: Tables, resource: string): Statement {
  return { text: `DELETE FROM ${operation} WHERE resource = ?`, values: [resourceId(resource)] };
}
