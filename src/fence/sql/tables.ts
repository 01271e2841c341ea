/** The tables: what they are called, and how texts lie in them. */

import { knownOnly, optionError } from "../../base/options.js";

/** Names as they are quoted in statements. */
export interface Tables {
  /** One row per resource, namespace and election: who may write. */
  readonly fence: string;
  /** Per row of `fence` a ring of 64: the numbers that were applied. */
  readonly attempt: string;
  /** Operations that are remembered across terms. */
  readonly operation: string;
  /** What operators did: rows are only added. */
  readonly act: string;
}

/** Names of choice, each `name` or `schema.name`. */
export interface TableNames {
  /** Default `tenure_fence`. */
  readonly fence?: string;
  /** Default `tenure_attempt`. */
  readonly attempt?: string;
  /** Default `tenure_operation`. */
  readonly operation?: string;
  /** Default `tenure_act`. */
  readonly act?: string;
}

const identifier = /^(?:[A-Za-z_][A-Za-z0-9_]{0,62}\.)?[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const defaults: Required<TableNames> = {
  fence: "tenure_fence",
  attempt: "tenure_attempt",
  operation: "tenure_operation",
  act: "tenure_act",
};

export function resolveTables(chosen: TableNames | undefined, quote: (name: string) => string): Tables {
  return resolveNames(defaults, chosen, quote);
}

/** Names of choice over `defaults`, each quoted. Throws INVALID_OPTION. */
export function resolveNames<K extends string>(
  defaults: Readonly<Record<K, string>>,
  chosen: object | undefined,
  quote: (name: string) => string,
): Readonly<Record<K, string>> {
  const names = chosen ?? {};
  if (typeof names !== "object" || names === null) throw optionError("tables", names, "an object of names");
  knownOnly(names, Object.keys(defaults));
  const named: Readonly<Record<string, unknown>> = { ...defaults, ...names };
  for (const [key, name] of Object.entries(named)) {
    if (typeof name === "string" && identifier.test(name)) continue;
    throw optionError(`tables.${key}`, name, "a name or schema.name of letters, digits and underscores");
  }
  const all = Object.entries(named) as readonly (readonly [string, string])[];
  if (new Set(all.map(([, name]) => name)).size < all.length) {
    throw optionError("tables", names, "different names");
  }
  const quoted = all.map(([key, name]) => [key, name.split(".").map(quote).join(".")] as const);
  return Object.fromEntries(quoted) as Readonly<Record<K, string>>;
}

/** NUL, which databases refuse in text, becomes `\0`. */
export function storeText(text: string): string {
  return text.replace(/[\\\0]/g, (special) => (special === "\\" ? "\\\\" : "\\0"));
}

export function readText(stored: unknown): unknown {
  return typeof stored === "string"
    ? stored.replace(/\\([\\0])/g, (_, kept) => (kept === "0" ? "\0" : "\\"))
    : stored;
}
