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

/** @typedef {import("./work-line.mjs").WorkLine} WorkLine */
/** @typedef {import("../src/history/line.js").HistoryEvent} HistoryEvent */
/** @typedef {{ readonly kind: "acknowledged" } | { readonly kind: import("./work-line.mjs").Denied, readonly code: string }} Outcome */

/**
 * @typedef {object} TurnParts
 * @property {string} resource its name in histories
 * @property {string} node
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
    const { node, now, nextElement, write } = this.#parts;
    const { token } = this.#leadership;
    const element = nextElement();
    const readAt = String(now());
    const prepared = await held.prepare(element);
    const at = now();
    this.#leadership.check();
    this.#tell(at, { event: "checked" });
    write({ kind: "read", at: String(at), readAt, saw: prepared.saw, node, token, element });
    standAtGate({ element, token });
    const sentAt = now();
    write({ kind: "sent", at: String(sentAt), element });
    return this.#answered(element, sentAt, await settle(prepared));
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

/**
 * @param {import("./workloads.mjs").Prepared} prepared
 * @returns {Promise<Outcome>} rejects with what no resource answers
 */
async function settle({ write }) {
  try {
    await writeAgain(write);
    return { kind: "acknowledged" };
  } catch (cause) {
    if (!TenureError.is(cause)) throw cause;
    const { code, outcome } = cause;
    if (outcome === "unknown") return { kind: "unknown", code };
    return { kind: code === "STALE" || code === "CONFLICT" ? "refused" : "failed", code };
  }
}

/**
 * An answer that was lost is asked for again, once.
 *
 * @param {import("./workloads.mjs").Prepared["write"]} write
 */
async function writeAgain(write) {
  try {
    await write();
  } catch (cause) {
    if (!TenureError.is(cause, "GUARD_UNCONFIRMED")) throw cause;
    try {
      await write(cause.attempt);
    } catch (second) {
      // Whatever the second time is refused for, the first may have been applied.
      throw TenureError.is(second) ? cause : second;
    }
  }
}
