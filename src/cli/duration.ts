/** Durations as people write them: 500ms, 3s, 2m, 1h. A number without a unit is refused, since it could mean any. */

import { usageError } from "./usage-error.js";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const pattern = /^([0-9]{1,12}(?:\.[0-9]{1,3})?)(ms|s|m|h)$/;

/** Whole milliseconds; undefined when it is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const [, amount, unit] = pattern.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const ms = Number(amount) * (units[unit] ?? Number.NaN);
  return Math.abs(ms - Math.round(ms)) < 1e-6 ? Math.round(ms) : undefined;
}

/** The shortest form that `parseDuration` reads back. */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0";
  for (const unit of ["h", "m", "s"] as const) {
    const size = units[unit] ?? 1;
    if (ms % size === 0) return `${ms / size}${unit}`;
  }
  return ms > 1_000 ? `${ms / 1_000}s` : `${ms}ms`;
}

/** `where` is what people wrote: an option, a variable, a place in a file. */
export function checkedDuration(
  where: string,
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number },
): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= min && ms <= max) return ms;
  const range = `from ${formatDuration(min)} to ${formatDuration(max)}`;
  const advice = ms === undefined && /^[0-9.]+$/.test(text) ? `; did you mean ${text}s?` : "";
  throw usageError(
    `${where} ${JSON.stringify(text)}: a duration with its unit, such as 500ms, 3s or 2m, ${range}${advice}`,
  );
}
