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
 * @typedef {object} OnDisk
 * @property {readonly string[]} set
 * @property {number | undefined} versions how many of it there are, where they are kept
 * @property {readonly string[] | undefined} appended what was appended beside it, in order
 * @property {readonly string[]} reasons why the versions are no good
 */

/**
 * @param {readonly Write[]} writes
 * @param {OnDisk} disk
 * @param {ReadonlySet<string>} [doubled] elements that a double has written as well, as far as it knows
 * @returns {import("../workloads.mjs").WorkVerdict}
 */
export function judgeSet(writes, { set, versions, appended, reasons }, doubled = new Set()) {
  const standing = new Set(set);
  const lineage = new Lineage(writes, set);
  const acknowledged = writes.filter(({ outcome }) => outcome === "acknowledged");
  const unknown = writes.filter(({ outcome, sentAt }) => outcome === "unknown" && sentAt !== undefined);
  const barred = writes
    .filter(({ outcome, sentAt }) => isDefinitelyNot(outcome) || sentAt === undefined)
    .filter(({ element }) => !doubled.has(element));
  const lost = acknowledged.filter(({ element }) => !standing.has(element));
  const known = new Set(writes.map(({ element }) => element));
  const stale = writes.flatMap((write) => missedBy(write, acknowledged, standing, lineage));
  const twice = repeated(set);
  const alone = writes.filter(
    ({ element, outcome }) => isDefinitelyNot(outcome) && standing.has(element) && doubled.has(element),
  );
  const there = unknown.filter(({ element }) => standing.has(element)).length;
  const count = (/** @type {Write["outcome"]} */ outcome) =>
    String(writes.filter((write) => write.outcome === outcome).length);
  return {
    rows: [
      ["writes begun", String(writes.length)],
      ["  acknowledged", count("acknowledged")],
      ["  refused", `${count("refused")}${codesOf(writes)}`],
      ["  failed, nothing applied", count("failed")],
      ["  unknown, killed or cut off over them", `${unknown.length}, ${there} in the set`],
      ["elements in the set", `${set.length}${versionsOf(versions, alone.length)}`],
      ["acknowledged and lost", String(lost.length)],
      ...(appended === undefined ? [] : [rowOfAppended(appended)]),
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
      ...(appended === undefined ? [] : judgeAppended(appended, acknowledged, barred)),
      ...(acknowledged.length === 0 ? ["no write was acknowledged"] : []),
    ],
  };
}

/**
 * @param {number | undefined} versions
 * @param {number} alone written by a double, and not by the leader
 */
function versionsOf(versions, alone) {
  const more = alone === 0 ? "" : `, ${alone} of them by a double alone`;
  return versions === undefined ? more : ` (${versions} versions on disk${more})`;
}

/**
 * @param {readonly string[]} appended
 * @returns {import("../workloads.mjs").WorkVerdict["rows"][number]}
 */
function rowOfAppended(appended) {
  return ["rows appended", `${appended.length}, ${repeated(appended).length} of them again`];
}

/**
 * Every acknowledged write has appended, once; none that was refused has.
 *
 * @param {readonly string[]} appended
 * @param {readonly Write[]} acknowledged
 * @param {readonly Write[]} barred
 */
function judgeAppended(appended, acknowledged, barred) {
  const there = new Set(appended);
  const missing = acknowledged.filter(({ element }) => !there.has(element));
  const unwanted = barred.filter(({ element }) => there.has(element));
  return [
    ...repeated(appended).map((element) => `${element} was appended again`),
    ...missing.map(({ element }) => `${element} was acknowledged and not appended`),
    ...unwanted.map(({ element, outcome }) => `${element} was appended and was ${outcome}`),
  ];
}

/** @param {readonly string[]} elements */
function repeated(elements) {
  return elements.filter((element, place) => elements.indexOf(element) !== place);
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
