/** The faults that only some workloads name, judged from what was written down. Pure. */

/** @typedef {import("./work-line.mjs").Write} Write */
/** @typedef {import("./work-line.mjs").DoubleLine} DoubleLine */

/**
 * @typedef {object} Others
 * @property {import("./judge.mjs").Verdict["rows"]} rows of the table
 * @property {readonly string[]} reasons
 */

/**
 * @param {import("./evidence.mjs").Evidence} evidence
 * @param {import("./pauses.mjs").Pauses} pauses
 * @param {readonly import("./workloads.mjs").OwnFault[]} faults that this workload names
 * @param {string} [name] what those are that apply its writes
 * @returns {Others}
 */
export function judgeOthers({ plan, writes, doubles }, pauses, faults, name = "applier") {
  const { landed, inside, cut, applierStop, applierKill } = pauses;
  const needed = plan.neededOthers;
  const overtaken = new Set(landed.filter((pause) => pause.overtaken).map(({ write }) => write.element));
  const late = doubles.filter(({ element }) => overtaken.has(element));
  const accepted = late.filter(({ outcome }) => outcome === "acknowledged");
  const failed = late.filter(({ outcome }) => outcome === "failed" || outcome === "unknown");
  const counts = {
    inside: inside.length,
    cut: cut.length,
    double: doubles.length,
    applierStop: applierStop.length,
    applierKill: applierKill.length,
  };
  const words = {
    inside: "stops inside a transaction",
    cut: "cuts at a commit",
    double: "doubles",
    applierStop: `stops of a ${name} inside a transaction`,
    applierKill: `kills of a ${name} inside a transaction`,
  };
  const few = faults.filter((fault) => counts[fault] < needed);
  const known = new Set(writes.map(({ element }) => element));
  /** @type {Record<import("./workloads.mjs").OwnFault, Others["rows"]>} */
  const rows = {
    inside: [
      [words.inside, `${counts.inside}, needed ${needed}`],
      ["  another leader wrote meanwhile", overtakenOf(inside)],
      ["  and then it was", outcomesOf(inside.map(({ write }) => write))],
    ],
    applierStop: [
      [words.applierStop, `${counts.applierStop}, needed ${needed}`],
      ["  another leader wrote meanwhile", overtakenOf(applierStop)],
      ["  and then the write was", outcomesOf(applierStop.map(({ write }) => write))],
    ],
    applierKill: [
      [words.applierKill, `${counts.applierKill}, needed ${needed}`],
      ["  and then the write was", outcomesOf(applierKill)],
    ],
    cut: [
      [words.cut, `${counts.cut}, needed ${needed}`],
      ["  and then the write was", outcomesOf(cut)],
    ],
    double: [
      [words.double, `${counts.double}, needed ${needed}`],
      ["  of leaders that had been replaced", `${late.length}: ${outcomesOf(late)}`],
    ],
  };
  return {
    rows: faults.flatMap((fault) => rows[fault]),
    reasons: [
      ...few.map((fault) => `${counts[fault]} ${words[fault]}; fewer than ${needed} show nothing`),
      ...(accepted.length > 0
        ? [`${accepted.length} writes were accepted of doubles of leaders that had been replaced`]
        : []),
      ...failed.map(({ element, code }) => `the late write ${element} of a double failed with ${code}`),
      ...doubles
        .filter(({ element }) => !known.has(element))
        .map(({ element }) => `a double wrote ${element}, which nobody had read for`),
    ],
  };
}

/** @param {readonly import("./pauses.mjs").Landed[]} pauses */
function overtakenOf(pauses) {
  return String(pauses.filter(({ overtaken }) => overtaken).length);
}

/** @param {readonly Pick<Write | DoubleLine, "outcome">[]} writes */
function outcomesOf(writes) {
  const words = /** @type {const} */ (["acknowledged", "refused", "failed", "unknown"]);
  const counted = words
    .map((word) => /** @type {const} */ ([writes.filter(({ outcome }) => outcome === word).length, word]))
    .filter(([count]) => count > 0);
  return counted.length === 0 ? "-" : counted.map(([count, word]) => `${count} ${word}`).join(", ");
}
