/** The keys under which databases and servers keep what fences a resource. */

import { encodeName } from "../base/names.js";
import type { Fence } from "./fence.js";

/**
 * The key of a row. A database may fold case, trim spaces, refuse NUL or a long key, so rows are found by a text that
 * survives all of that; the names stand beside it for people.
 */
export function rowId(
  resource: string,
  { namespace, election }: Pick<Fence, "namespace" | "election">,
): string {
  return encodeName(JSON.stringify([resource, namespace, election]));
}

export function resourceId(resource: string): string {
  return encodeName(JSON.stringify([resource]));
}
