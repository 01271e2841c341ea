/**
 * What a leader does in one term: turn after turn, with work between them, until it resigns or is replaced.
 *
 * A turn reads, checks, stands at the gate and writes. From the check to the sending of the write all is
 * one synchronous stretch. A write is stamped before it is sent, a claim after it was answered, so that
 * a process which is stopped between an answer and its line cannot look guilty.
 */

import { setTimeout as pause } from "node:timers/promises";
import { TenureError } from "tenure";
import { standAtGate } from "./gate.mjs";
import { settle, writeAgain } from "./settle.mjs";

/** @typedef {import("./work-line.mjs").WorkLine} WorkLine */
/** @typedef {import("../src/history/line.js").HistoryEvent} HistoryEvent */
/** @typedef {import("./settle.mjs").Outcome} Outcome */

/**
 * @typedef {object} TurnParts
 * @property {string} resource its name in histories
 * @property {string} node
 * @property {readonly import("./workloads.mjs").OwnFault[]} faults that may happen to its writes
 * @property {() => string} nextElement never the same twice, in any process
 * @property {() => bigint} now
 * @property {() => number} fraction chance, from 0 to 1
 * @property {(at: bigint, event: HistoryEvent) => void} tell writes a history line down
 * @property {(line: WorkLine) => void} write writes down what became of a write
 * @property {(answer: { readonly element: string, readonly token: number, readonly sentAt: string, readonly kind: Outcome["kind"] }) => void} onAnswer
 */

const longestWorkMs = 2_000;
/** How many leaders go on leading after a turn. */
const keepShare = 0.5;

export class Turns {
  /** @type {TurnParts} */
  #parts;
  /** @type {import("tenure").Leadership} */
  #leadership;

  /**
   * @param {TurnParts} parts
   * @param {import("tenure").Leadership} leadership
   */
  constructor(parts, leadership) {
    this.#parts = parts;
    this.#leadership = leadership;
  }

  /**
   * Resolves when the term is over or this leader has had enough of it.
   *
   * @param {import("./workloads.mjs").Held} held
   */
  async run(held) {
    const { now, fraction } = this.#parts;
    const { signal } = this.#leadership;
    const claimedAt = now();
    // A claim that is told of after its term is not placed by its line.
    if (this.#leadership.isCurrent) this.#tell(claimedAt, { event: "claimed" });
    do {
      if (!(await this.#turn(held))) return;
      await pause(fraction() * longestWorkMs, undefined, { signal }).catch(() => {});
    } while (this.#leadership.isCurrent && fraction() < keepShare);
  }

  /**
   * @param {import("./workloads.mjs").Held} held
   * @returns {Promise<boolean>} whether it was written; false says that this term is over for the resource
   */
  async #turn(held) {
    const { node, faults, now, nextElement, write } = this.#parts;
    const { token } = this.#leadership;
    const element = nextElement();
    const readAt = String(now());
    const prepared = await readable(held.prepare(element));
    if (prepared === undefined) return false;
    const at = now();
    this.#leadership.check();
    this.#tell(at, { event: "checked" });
    write({ kind: "read", at: String(at), readAt, saw: prepared.saw, node, token, element });
    standAtGate({
      element,
      token,
      stage: "write",
      ...(faults.includes("double") && { copy: prepared.copy }),
    });
    const sentAt = now();
    write({ kind: "sent", at: String(sentAt), element });
    const inside = faults.includes("inside")
      ? () => standAtGate({ element, token, stage: "inside" })
      : () => {};
    const outcome = await settle(() => writeAgain((again) => prepared.write(again, inside)));
    return this.#answered(element, sentAt, outcome);
  }

  /**
   * @param {string} element
   * @param {bigint} sentAt
   * @param {Outcome} outcome
   */
  #answered(element, sentAt, outcome) {
    const { now, write, onAnswer } = this.#parts;
    const { token } = this.#leadership;
    const { kind } = outcome;
    if (kind === "acknowledged") this.#tell(sentAt, { event: "applied", opId: element });
    if (kind === "refused") this.#tell(sentAt, { event: "refused", opId: element, code: outcome.code });
    write({ ...outcome, at: String(now()), element });
    onAnswer({ element, token, sentAt: String(sentAt), kind });
    return kind === "acknowledged";
  }

  /**
   * @param {bigint} at
   * @param {{ readonly event: "claimed" } | { readonly event: "checked" } | { readonly event: "applied" | "refused", readonly opId: string, readonly code?: string }} event
   */
  #tell(at, event) {
    const { token, fence } = this.#leadership;
    const { resource, tell } = this.#parts;
    const term = { instance: fence.owner, token };
    if (event.event === "checked") tell(at, { ...event, ...term });
    else tell(at, { ...event, ...term, resource });
  }
}

/** What a resource answers to a leader that may not read it any more, or not now. */
const unreadable = new Set(["STALE", "CONFLICT", "GUARD_FAILED"]);

/**
 * @param {Promise<import("./workloads.mjs").Prepared>} preparing
 * @returns {Promise<import("./workloads.mjs").Prepared | undefined>} undefined: this term ends here
 */
async function readable(preparing) {
  try {
    return await preparing;
  } catch (cause) {
    if (TenureError.is(cause) && unreadable.has(cause.code)) return undefined;
    throw cause;
  }
}
