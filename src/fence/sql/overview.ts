/** What fences all resources of some tables, and what operators did to them, for those who only look. */

import type { FenceAct } from "../acts.js";
import { isText } from "../row.js";
import { decodeActs } from "./acts.js";
import { selectActs, selectElections } from "./looking.js";
import { decodeFenceRow } from "./rows.js";
import type { Answer } from "./session.js";
import { readText, type Tables } from "./tables.js";
import { inTransaction, type Site } from "./transaction.js";

export interface TableRow {
  readonly resource: string;
  readonly namespace: string;
  readonly election: string;
  /** What stands there, or why it cannot be said. */
  readonly standing:
    | {
        readonly lineage: string;
        readonly watermark: number;
        readonly owner: string;
        /** The highest number applied under it. */
        readonly seq: number;
      }
    | "newer"
    | "unreadable";
}

export interface FencedTables {
  readonly rows: readonly TableRow[];
  /** The latest first; a text says why they cannot be seen. */
  readonly acts: readonly (FenceAct & { readonly resource: string })[] | string;
}

const limitMs = 10_000;

/** Of one resource, or of all. Throws GUARD_FAILED or GUARD_TABLES_MISSING. */
export async function lookAtTables<T>(
  site: Site<T>,
  tables: Tables,
  resource: string | undefined,
): Promise<FencedTables> {
  const { dialect } = site;
  const begin = dialect.begin("read", limitMs, "read committed");
  const rows = await inTransaction(site, limitMs, async (transaction) =>
    decodeOverview((await transaction.ask([...begin, selectElections(tables, resource)])).at(-1)),
  );
  // On its own: a role that leads need not see what operators did, nor need older tables have a place for it.
  const acts = await inTransaction(site, limitMs, async (transaction) => {
    const ran = await transaction.run([...begin, selectActs(tables, resource)]);
    return "failure" in ran ? why(ran.cause) : decodeActs(ran.answers.at(-1));
  });
  return { rows, acts };
}

export function why(cause: unknown): string {
  return cause instanceof Error ? cause.message : "no error was given";
}

export function decodeOverview(answer: Answer | undefined): readonly TableRow[] {
  return (answer?.rows ?? []).flatMap((found) => {
    const [resource, namespace, election] = ["resource", "namespace", "election"].map((name) =>
      readText(found[name]),
    );
    if (!isText(resource, 1_024) || !isText(namespace, 1_024) || !isText(election, 1_024)) return [];
    return [{ resource, namespace, election, standing: standingOf(resource, found) }];
  });
}

function standingOf(resource: string, found: Answer["rows"][number]): TableRow["standing"] {
  if (Number(found["v"]) > 1) return "newer";
  try {
    const row = decodeFenceRow(resource, { rows: [found], count: 1 })?.row;
    if (row === undefined) return "unreadable";
    const { lineage, watermark, owner } = row;
    return { lineage, watermark, owner, seq: Number(found["seq"] ?? 0) };
  } catch {
    // GUARD_ROW_UNREADABLE, which is what was asked.
    return "unreadable";
  }
}
