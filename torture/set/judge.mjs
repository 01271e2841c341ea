/**
 * The verdict on the set: what was acknowledged, against what lies on disk. Pure.
 *
 * Every acknowledged element is there, once; none is there that was refused or never sent; one
 * whose outcome nobody heard of may be there or not; and every reading showed what had been
 * acknowledged before it began.
 */

import { Lineage } from "./lineage.mjs";

/** @typedef {import("../work-line.mjs").Write} Write */

/**
 * @param {readonly Write[]} writes
 * @param {{ readonly set: readonly string[], readonly versions: number | undefined, readonly reasons: readonly string[] }} disk
 * @returns {import("../workloads.mjs").WorkVerdict}
 */
export function judgeSet(writes, { set, versions, reasons }) {
  const standing = new Set(set);
  const lineage = new Lineage(writes, set);
  const acknowledged = writes.filter(({ outcome }) => outcome === "acknowledged");
  const unknown = writes.filter(({ outcome, sentAt }) => outcome === "unknown" && sentAt !== undefined);
  const barred = writes.filter(({ outcome, sentAt }) => isDefinitelyNot(outcome) || sentAt === undefined);
  const lost = acknowledged.filter(({ element }) => !standing.has(element));
  const known = new Set(writes.map(({ element }) => element));
  const stale = writes.flatMap((write) => missedBy(write, acknowledged, standing, lineage));
  const twice = set.filter((element, place) => set.indexOf(element) !== place);
  const there = unknown.filter(({ element }) => standing.has(element)).length;
  const count = (/** @type {Write["outcome"]} */ outcome) =>
    String(writes.filter((write) => write.outcome === outcome).length);
  return {
    rows: [
      ["writes begun", String(writes.length)],
      ["  acknowledged", count("acknowledged")],
      ["  refused", `${count("refused")}${codesOf(writes)}`],
      ["  failed, nothing applied", count("failed")],
      ["  unknown, their process was killed over them", `${unknown.length}, ${there} in the set`],
      [
        "elements in the set",
        `${set.length}${versions === undefined ? "" : ` (${versions} versions on disk)`}`,
      ],
      ["acknowledged and lost", String(lost.length)],
    ],
    losses: lost.map((write) => describeLoss(write, lineage.overwriter(write))),
    reasons: [
      ...reasons,
      ...twice.map((element) => `${element} is twice in the set`),
      ...barred.flatMap(({ element, outcome, sentAt }) => {
        if (!standing.has(element)) return [];
        return [`${element} is in the set and was ${sentAt === undefined ? "never sent" : outcome}`];
      }),
      ...set
        .filter((element) => !known.has(element))
        .map((element) => `${element} is in the set, from nobody`),
      ...stale,
      ...(acknowledged.length === 0 ? ["no write was acknowledged"] : []),
    ],
  };
}

/**
 * What those that were refused were told.
 *
 * @param {readonly Write[]} writes
 */
function codesOf(writes) {
  const codes = new Set(writes.flatMap(({ outcome, code }) => (outcome === "refused" ? [code] : [])));
  return codes.size === 0 ? "" : ` (${[...codes].join(", ")})`;
}

/** @param {Write["outcome"]} outcome */
function isDefinitelyNot(outcome) {
  return outcome === "refused" || outcome === "failed";
}

/**
 * What a reading did not show although it had been acknowledged before; what is lost is told of once, elsewhere.
 *
 * @param {Write} write
 * @param {readonly Write[]} acknowledged
 * @param {ReadonlySet<string>} standing
 * @param {Lineage} lineage
 * @returns {readonly string[]}
 */
function missedBy(write, acknowledged, standing, lineage) {
  const seen = new Set(lineage.read(write));
  return acknowledged
    .filter(({ answeredAt, element }) => (answeredAt ?? write.readAt) < write.readAt && !seen.has(element))
    .filter(({ element }) => standing.has(element))
    .map(({ element }) => `${write.node} read the set for ${write.element} and did not see ${element}`);
}

/**
 * @param {Write} lost
 * @param {Write | undefined} by
 */
function describeLoss(lost, by) {
  const what = `${lost.element} of ${lost.node}, token ${lost.token}`;
  if (by === undefined) return `${what}: nobody has written over it`;
  const ms = Number((by.sentAt ?? by.checkedAt) - by.checkedAt) / 1e6;
  return `${what}: overwritten by ${by.element} of ${by.node}, token ${by.token}, sent ${Math.round(ms)} ms after its check`;
}
