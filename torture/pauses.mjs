/**
 * The pauses, judged from what was written down by both sides. Pure.
 *
 * A pause has landed between check and write when its client had checked before it stood still and
 * sent its write after it was continued, if at all; and when it lasted longer than the ttl.
 */

import { readFault } from "./fault.mjs";

/** @typedef {import("./work-line.mjs").Write} Write */

/**
 * @typedef {object} Landed
 * @property {Write} write
 * @property {number} lastedMs
 * @property {boolean} overtaken a leader with a higher token had a write acknowledged that it sent meanwhile
 */

/**
 * @typedef {object} Pauses
 * @property {readonly Landed[]} landed between check and write
 * @property {readonly Landed[]} inside a transaction
 * @property {readonly Landed[]} applierStop of whoever applied the write, inside its transaction
 * @property {readonly Write[]} applierKill whose applier was killed there
 * @property {readonly Write[]} cut at the commit
 * @property {number} stops other pauses
 * @property {number} kills
 * @property {readonly string[]} reasons
 */

/**
 * @param {import("./evidence.mjs").Evidence} evidence
 * @returns {Pauses}
 */
export function judgePauses({ lines, writes, plan }) {
  const faults = lines
    .flatMap((line) => (line.event === "fault" ? [{ at: BigInt(line.at), ...readFault(line.fault) }] : []))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const byElement = new Map(writes.map((write) => [write.element, write]));
  /** @type {Landed[]} */
  const landed = [];
  /** @type {Landed[]} */
  const inside = [];
  /** @type {Landed[]} */
  const applierStop = [];
  /** @type {string[]} */
  const reasons = [];
  for (const { kind, at, node, element } of faults) {
    if (kind !== "stop-at-gate" && kind !== "stop-inside" && kind !== "stop-applier") continue;
    const { where, judge, list } = {
      "stop-at-gate": { where: "before it wrote", judge: misplaced, list: landed },
      "stop-inside": { where: "inside the transaction of", judge: misplacedInside, list: inside },
      // What its leader stamps says nothing of it: a double may have sent the same write before.
      "stop-applier": { where: "inside its transaction of", judge: () => undefined, list: applierStop },
    }[kind];
    const write = byElement.get(element ?? "");
    const end = faults.find((fault) => fault.kind === "continue" && fault.node === node && fault.at > at);
    const wrong =
      write === undefined || end === undefined ? "was not told of to its end" : judge(write, at, end.at);
    if (write === undefined || end === undefined || wrong !== undefined) {
      reasons.push(`the pause of ${node} ${where} ${element} ${wrong}`);
      continue;
    }
    const lastedMs = Number(end.at - at) / 1e6;
    if (lastedMs <= plan.ttlMs) continue;
    list.push({ write, lastedMs, overtaken: isOvertaken(write, at, end.at, writes) });
  }
  const count = (/** @type {string} */ wanted) => faults.filter(({ kind }) => kind === wanted).length;
  const hit = (/** @type {string} */ wanted) =>
    faults.filter(({ kind }) => kind === wanted).flatMap(({ element }) => byElement.get(element ?? "") ?? []);
  const writesHit = { cut: hit("cut"), applierKill: hit("kill-applier") };
  return { landed, inside, applierStop, ...writesHit, stops: count("stop"), kills: count("kill"), reasons };
}

/**
 * @param {Write} write
 * @param {bigint} stoppedAt
 * @param {bigint} continuedAt
 */
function misplaced({ checkedAt, sentAt }, stoppedAt, continuedAt) {
  if (checkedAt > stoppedAt) return "came before its check";
  if (sentAt !== undefined && sentAt < continuedAt) return "did not keep it from writing";
  return undefined;
}

/**
 * @param {Write} write
 * @param {bigint} stoppedAt
 * @param {bigint} continuedAt
 */
function misplacedInside({ sentAt, answeredAt }, stoppedAt, continuedAt) {
  if (sentAt === undefined || sentAt > stoppedAt) return "came before its write";
  if (answeredAt !== undefined && answeredAt < continuedAt) return "did not keep it from committing";
  return undefined;
}

/**
 * @param {Write} write
 * @param {bigint} stoppedAt
 * @param {bigint} continuedAt
 * @param {readonly Write[]} writes
 */
function isOvertaken({ token }, stoppedAt, continuedAt, writes) {
  return writes.some(
    ({ outcome, token: other, sentAt = 0n }) =>
      outcome === "acknowledged" && other > token && sentAt > stoppedAt && sentAt < continuedAt,
  );
}
