/** What the versions of a guarded set must be to each other. Pure. */

/**
 * @param {readonly import("./place.mjs").Version[]} versions
 * @param {readonly string[]} last the set as it stands
 * @returns {readonly string[]} what is wrong
 */
export function judgeVersions(versions, last) {
  /** @type {string[]} */
  const reasons = [];
  /** @type {readonly string[]} */
  let set = [];
  let watermark = 0;
  for (const { number, token, set: next } of versions) {
    if (next === undefined) {
      reasons.push(`version ${number} of the set cannot be read`);
      continue;
    }
    if (token < watermark) reasons.push(`version ${number} stands under token ${token}, after ${watermark}`);
    watermark = Math.max(watermark, token);
    const gone = set.filter((element, place) => next[place] !== element);
    if (gone.length > 0) reasons.push(`version ${number} of the set has lost ${gone.join(", ")}`);
    if (next.length > set.length + 1) reasons.push(`version ${number} of the set adds more than one element`);
    set = next;
  }
  if (JSON.stringify(set) !== JSON.stringify(last)) reasons.push("the set is not its last version");
  return reasons;
}
