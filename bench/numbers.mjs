/** Samples to numbers. Percentiles are samples that occurred, never something between two of them. */

/**
 * The smallest sample that at least `percent` % of all samples do not exceed (nearest rank).
 *
 * @param {readonly number[]} samples
 * @param {number} percent above 0, at most 100
 * @returns {number}
 */
export function percentile(samples, percent) {
  const sorted = samples.toSorted((a, b) => a - b);
  const found = sorted[Math.ceil((percent / 100) * sorted.length) - 1];
  if (found === undefined) throw new RangeError(`no ${percent}th percentile of ${samples.length} samples`);
  return found;
}

/**
 * @param {readonly number[]} samples
 * @returns {number}
 */
export function median(samples) {
  return percentile(samples, 50);
}

/**
 * Three digits are what such a measurement carries; counts are whole.
 *
 * @param {number} value
 * @returns {string}
 */
export function threeDigits(value) {
  const size = Math.abs(value);
  const decimals = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(decimals).replace(/\B(?=(\d{3})+$)/g, decimals === 0 ? " " : "");
}
