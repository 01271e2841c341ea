/** Whole numbers as people write them, within a range that the refusal names. */

import { usageError } from "./usage-error.js";

export function checkedCount(
  option: string,
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number },
): number {
  const count = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw usageError(`${option} ${JSON.stringify(text)}: a whole number from ${min} to ${max}`);
}
