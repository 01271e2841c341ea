/** The answer of an append, also of one that was carried out by an earlier send. */

import { optionError } from "../../base/options.js";
import type { Appended } from "../journal.js";

/**
 * `write` hands what its body did to `note`, and answers the place as the resource keeps it: a body that did not run had
 * run before.
 */
export async function placed(
  opId: string,
  write: (note: (appended: Appended) => number) => Promise<unknown>,
): Promise<Appended> {
  let noted: Appended | undefined;
  const index = await write((appended) => {
    noted = appended;
    return appended.index;
  });
  if (noted !== undefined) return noted;
  if (typeof index !== "number") throw optionError("attempt", opId, "that of an append");
  return { index, duplicate: true };
}

/** For what returned nothing when it was carried out. */
export function unplaced(opId: string | undefined, result: unknown): void {
  if (result !== undefined) throw optionError("attempt", opId, "that of a checkpoint");
}

/** @throws INVALID_OPTION */
export function checkUpTo(upTo: number, last: number, newest: number): void {
  if (Number.isInteger(upTo) && upTo >= last && upTo <= newest) return;
  throw optionError("upTo", upTo, `a whole number from ${last} to ${newest}`);
}
