/** What tables hold, as `fence status` shows it: rows by their resource. */

import type { FencedTables, TableRow } from "../../fence/sql/overview.js";
import type { Seen, SeenResource } from "./place.js";

export function seenIn({ rows, acts }: FencedTables): Seen {
  const names = [...new Set(rows.map(({ resource }) => resource))];
  const resources = names.map((name) => resourceOf(name, rows));
  return { resources, acts };
}

function resourceOf(name: string, all: readonly TableRow[]): SeenResource {
  const own = all.filter(({ resource }) => resource === name);
  const problem = own.map(({ standing }) => standing).find((standing) => typeof standing === "string");
  const rows = own.flatMap(({ namespace, election, standing }) =>
    typeof standing === "string" ? [] : [{ namespace, election, ...standing }],
  );
  return { name, version: null, problem: problem ?? null, rows };
}
