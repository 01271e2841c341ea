/** Where things lie in the directory of a run, and what a run is judged by. */

import { join } from "node:path";

/**
 * What was run: all that judging needs besides what the processes wrote down.
 *
 * @typedef {object} Plan
 * @property {"tenure.torture-plan/1"} schema
 * @property {import("./workloads.mjs").WorkloadName} workload
 * @property {import("./arguments.mjs").Form} form
 * @property {string} election
 * @property {number} seconds
 * @property {number} ttlMs
 * @property {number} clients
 * @property {number} seed
 * @property {boolean} calm
 * @property {number} neededPauses how many must land between check and write, or the run has shown nothing
 * @property {number} neededOthers of each other fault that the workload names
 */

/**
 * What one process is started with. The URL of the store may hold a password and travels apart from it.
 *
 * @typedef {object} Assignment
 * @property {string} root
 * @property {Plan} plan
 * @property {string} node
 * @property {number} start how often this node was started, from 1
 * @property {boolean} keep
 */

/**
 * @param {Pick<Plan, "clients">} plan
 * @returns {readonly string[]}
 */
export function nodesOf({ clients }) {
  return Array.from({ length: clients }, (_, place) => `c${place + 1}`);
}

/** Environment variable with the URL of the store. */
export const storeVariable = "TENURE_TORTURE_STORE";

/** @param {string} root */
export function placesIn(root) {
  return {
    /** Of the election, where no other store was named. */
    store: join(root, "store"),
    /** What the workload writes to. */
    resource: join(root, "resource"),
    histories: join(root, "histories"),
    /** What the clients wrote down about their writes. */
    work: join(root, "work"),
    logs: join(root, "logs"),
    plan: join(root, "plan.json"),
  };
}

/**
 * One file for each start of a process: what a killed one left is never written on.
 *
 * @param {string} folder
 * @param {string} node
 * @param {number} start
 */
export function fileOf(folder, node, start) {
  return join(folder, `${node}-${start}.jsonl`);
}
