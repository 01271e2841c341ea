/** An operator's acts in statements, and the records of earlier ones. Pure. */

import { type Acted, type FenceAct, readAct } from "../acts.js";
import { parse } from "../row.js";
import { deleteOperations, deleteRow, insertAct } from "./looking.js";
import type { Answer, Statement } from "./session.js";
import { emptyRing, updateRow } from "./statements.js";
import { readText, type Tables } from "./tables.js";

/** The row and the record, for one transaction. */
export function actStatements(
  tables: Tables,
  resource: string,
  id: string,
  { row, act }: Acted,
): readonly Statement[] {
  const change =
    row === undefined ? deleteRow(tables, id) : [updateRow(tables, id, row), ...emptyRing(tables, id)];
  return [...change, insertAct(tables, resource, act)];
}

/** `own`: the resource is of whoever removes, all of it. */
export function removeStatements(
  tables: Tables,
  resource: string,
  id: string,
  own: boolean,
): readonly Statement[] {
  return [...deleteRow(tables, id), ...(own ? [deleteOperations(tables, resource)] : [])];
}

/** Without what this version cannot read. */
export function decodeActs(
  answer: Answer | undefined,
): readonly (FenceAct & { readonly resource: string })[] {
  return (answer?.rows ?? []).flatMap(({ done, kind, earlier, later, ...others }) => {
    const [namespace, election, by] = ["namespace", "election", "actor"].map((name) =>
      readText(others[name]),
    );
    const [reason, resource] = [readText(others["reason"]), readText(others["resource"])];
    const before = parsed(earlier);
    const after = later === null ? null : parsed(later);
    const act = readAct({ at: Number(done), kind, namespace, election, by, reason, before, after });
    return act === undefined || typeof resource !== "string" ? [] : [{ ...act, resource }];
  });
}

/** Those of one resource: a collation may find other names as well. */
export function actsOf(name: string, found: ReturnType<typeof decodeActs>): readonly FenceAct[] {
  return found.flatMap(({ resource, ...act }) => (resource === name ? [act] : []));
}

function parsed(stored: unknown): unknown {
  const json = readText(stored);
  return typeof json === "string" ? parse(json) : undefined;
}
