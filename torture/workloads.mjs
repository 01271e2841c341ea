/**
 * The workloads, by name. Another one is a folder beside `set` and a line here.
 *
 * All are made of turns: a leader reads, checks that it leads, and writes one element, named and
 * never used before. A workload says to what, and what must be true of it in the end.
 */

import { setWorkload } from "./set/workload.mjs";

/** @typedef {"set"} WorkloadName */

/**
 * One turn's write, once its reading is done.
 *
 * @typedef {object} Prepared
 * @property {unknown} saw what the reading showed, for the verdict; JSON
 * @property {(again?: import("tenure").Attempt) => Promise<void>} write `again`: the attempt whose answer was lost
 */

/**
 * What a leader holds for one term.
 *
 * @typedef {object} Held
 * @property {(element: string) => Promise<Prepared>} prepare
 */

/** @typedef {(held: Held, leadership: import("tenure").Leadership) => Promise<void>} TermWork */

/**
 * What became of the writes.
 *
 * @typedef {object} WorkVerdict
 * @property {readonly (readonly [what: string, count: string])[]} rows of the table
 * @property {readonly string[]} losses each acknowledged write that is gone, with what took its place
 * @property {readonly string[]} reasons why this is no pass, besides the losses
 */

/**
 * @typedef {object} Workload
 * @property {string} about in a few words
 * @property {string} resource its name in histories and at the guard
 * @property {(form: import("./arguments.mjs").Form, path: string) => Promise<void>} create before the clients start
 * @property {(form: import("./arguments.mjs").Form, path: string, work: TermWork) => (leadership: import("tenure").Leadership) => Promise<void>} lead
 *   makes work for an election of `work`; claims first where there is something to claim
 * @property {(form: import("./arguments.mjs").Form, path: string, writes: readonly import("./work-line.mjs").Write[]) => Promise<WorkVerdict>} judge
 *   reads what lies on disk; `path` is a place of its own
 */

/** @type {Readonly<Record<WorkloadName, Workload>>} */
export const workloads = { set: setWorkload };

export const workloadNames = /** @type {readonly WorkloadName[]} */ (Object.keys(workloads));
