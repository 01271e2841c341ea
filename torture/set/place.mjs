/** Where a set can lie. Types only. */

/**
 * One write of the whole set.
 *
 * @typedef {object} Change
 * @property {readonly string[]} next the set with the new element, which is its last
 * @property {string} element
 * @property {number} token of the leader
 * @property {() => void} inside called in the middle of the transaction, where there is one
 */

/**
 * The set behind its guard, in one process. `H` is what a claim gives.
 *
 * @template H
 * @typedef {object} Fenced
 * @property {import("tenure/fence").Guard<H>} guard
 * @property {(handle: H) => Promise<readonly string[]>} read
 * @property {(handle: H, change: Change, options: import("../../dist/fence/writer.js").WriteOptions) => Promise<void>} write
 * @property {() => Promise<void>} close
 */

/**
 * The set without a guard. Its writes reject with `WriteFailure` where the place did not do what it was asked.
 *
 * @typedef {object} Plain
 * @property {() => Promise<readonly string[]>} read
 * @property {(change: Change) => Promise<void>} write
 * @property {() => Promise<void>} close
 */

/**
 * A state of the set that lies there, or lay there.
 *
 * @typedef {object} Version
 * @property {number} number
 * @property {number} token in whose name it was written
 * @property {readonly string[] | undefined} set undefined where it cannot be read
 */

/**
 * @typedef {object} Found
 * @property {readonly string[]} set
 * @property {readonly Version[] | undefined} versions in the order in which they were written, where they are kept
 * @property {readonly string[] | undefined} appended what was appended beside the set, where there is such a place
 */

/**
 * @typedef {object} SetPlace
 * @property {string} about where it lies, in a few words
 * @property {readonly import("../workloads.mjs").OwnFault[]} faults
 * @property {import("../workloads.mjs").Appliers} [appliers]
 * @property {(form: import("../arguments.mjs").Form, path: string, nodes: readonly string[]) => Promise<import("../workloads.mjs").Opened>} open
 * @property {(path: string) => Promise<Fenced<any>>} enterFenced
 * @property {(path: string) => Promise<Plain>} enterPlain
 * @property {(form: import("../arguments.mjs").Form, path: string) => Promise<Found>} read what lies on disk
 */

export const resource = "set";

/** A write that failed, as the place says it and not a guard: without one, or in the body of a transaction. */
export class WriteFailure extends Error {
  /** @type {"definite" | "unknown"} */
  outcome;
  /** @type {string} */
  code;

  /**
   * @param {"definite" | "unknown"} outcome
   * @param {unknown} cause
   */
  constructor(outcome, cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.outcome = outcome;
    const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
    this.code = typeof code === "string" ? code : "FAILED";
  }
}

/**
 * @template T
 * @param {Promise<T>} promise of something that commits nothing
 */
export async function definitely(promise) {
  return promise.catch((cause) => {
    throw new WriteFailure("definite", cause);
  });
}
