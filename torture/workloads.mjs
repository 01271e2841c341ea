/**
 * The workloads, by name: where the set lies.
 *
 * All are made of turns: a leader reads, checks that it leads, and writes one element, named and
 * never used before. A workload says to what, and what must be true of it in the end.
 */

import { filePlace } from "./set/file.mjs";
import { httpPlace } from "./set/http.mjs";
import { mysqlPlace } from "./set/mysql.mjs";
import { natsPlace } from "./set/nats.mjs";
import { postgresPlace } from "./set/postgres.mjs";
import { rabbitmqPlace } from "./set/rabbitmq.mjs";
import { redisPlace } from "./set/redis.mjs";
import { sqlitePlace } from "./set/sqlite.mjs";
import { setOn } from "./set/workload.mjs";

/** @typedef {"set" | "postgres" | "mysql" | "sqlite" | "redis" | "nats" | "http" | "rabbitmq"} WorkloadName */

/**
 * What can happen to the writes besides pauses and kills.
 *
 * - `inside`: a stop in the middle of the transaction, when it has written and not committed.
 * - `cut`: the connection is reset at the commit, before or after the server has seen it.
 * - `double`: a second process makes the same write, with a copy of what the leader holds.
 * - `applierStop`, `applierKill`: so is whoever applies the write, in the middle of its transaction.
 *
 * @typedef {"inside" | "cut" | "double" | "applierStop" | "applierKill"} OwnFault
 */

/**
 * One turn's write, once its reading is done.
 *
 * @typedef {object} Prepared
 * @property {unknown} saw what the reading showed, for the verdict; JSON
 * @property {unknown} copy all that another process needs to make this write; JSON
 * @property {(again: import("tenure").Attempt | undefined, inside: () => void) => Promise<void>} write
 *   `again`: the attempt whose answer was lost. `inside` is called in the middle of a transaction.
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
 * What is written to, as the harness holds it.
 *
 * @typedef {object} Opened
 * @property {string | undefined} execPath the Node.js that clients need, where it is not this one
 * @property {(node: string) => Readonly<Record<string, string>>} environment of a client, a double, an applier
 * @property {((node: string, delivered: boolean) => Cut) | undefined} cut resets this node's connection at its next
 *   commit: before the server has seen it, or, `delivered`, when the server has answered
 * @property {() => Promise<void>} collect puts what it holds on disk, for the verdict; the clients have left
 * @property {() => Promise<void>} close
 */

/** @typedef {{ readonly end: () => Promise<boolean> }} Cut resolves with whether it happened */

/**
 * The same, as one process holds it.
 *
 * @typedef {object} Entered
 * @property {(work: TermWork) => (leadership: import("tenure").Leadership) => Promise<void>} lead
 *   makes work for an election of `work`; claims first where there is something to claim
 * @property {(copy: unknown, token: number, element: string) => Promise<() => Promise<void>>} double
 *   stands where the leader stood whose `copy` it is; then makes its write
 * @property {() => Promise<void>} close
 */

/**
 * Processes that apply what leaders send, where leaders do not write to the resource themselves.
 *
 * @typedef {object} Appliers
 * @property {string} name what each of them is, in one word
 * @property {readonly string[]} nodes
 * @property {(form: import("./arguments.mjs").Form, parts: ApplierParts) => Promise<{ readonly close: () => Promise<void> }>} enter
 *   resolves when it can be sent to; `close` applies what is under way, and what waits
 */

/**
 * @typedef {object} ApplierParts
 * @property {(write: { readonly element: string, readonly token: number }) => void} inside
 *   called in the middle of each transaction, in which it may stand still
 * @property {(cause: unknown) => void} fail ends the run
 */

/**
 * @typedef {object} Workload
 * @property {string} about in a few words
 * @property {string} resource its name in histories and at the guard
 * @property {readonly OwnFault[]} faults
 * @property {Appliers | undefined} appliers
 * @property {(form: import("./arguments.mjs").Form, path: string, nodes: readonly string[]) => Promise<Opened>} open
 *   before the clients start
 * @property {(form: import("./arguments.mjs").Form, path: string) => Promise<Entered>} enter
 * @property {(form: import("./arguments.mjs").Form, path: string, told: Pick<import("./evidence.mjs").Evidence, "writes" | "doubles">) => Promise<WorkVerdict>} judge
 *   reads what lies on disk; `path` is a place of its own
 */

/** @type {Readonly<Record<WorkloadName, Workload>>} */
export const workloads = {
  set: setOn(filePlace),
  postgres: setOn(postgresPlace),
  mysql: setOn(mysqlPlace),
  sqlite: setOn(sqlitePlace),
  redis: setOn(redisPlace),
  nats: setOn(natsPlace),
  http: setOn(httpPlace),
  rabbitmq: setOn(rabbitmqPlace),
};

export const workloadNames = /** @type {readonly WorkloadName[]} */ (Object.keys(workloads));
