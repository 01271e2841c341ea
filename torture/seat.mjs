/**
 * One node's place, and the process that fills it at the moment.
 *
 * Keeps what the process told, so that whoever waits asks for a state and cannot miss an event.
 * Must not decide anything.
 */

import { fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { placesIn, storeVariable } from "./places.mjs";

/** @typedef {import("./client.mjs").FromClient | import("./applier.mjs").FromApplier | import("./child.mjs").Failed} FromProcess */
/** @typedef {import("./client.mjs").ToClient} ToClient */
/** @typedef {Extract<FromProcess, { said: "answered" }>} Answer */
/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * @typedef {object} SeatOptions
 * @property {string} root
 * @property {import("./places.mjs").Plan} plan
 * @property {string} storeUrl
 * @property {import("./workloads.mjs").Opened} opened
 * @property {boolean} keep
 */

/**
 * @typedef {object} SeatEvents
 * @property {() => void} change
 * @property {(seat: Seat, announcement: import("./gate.mjs").Announcement) => void} announced
 *   it is about to write, or in the middle of a transaction, and stands still until `go`
 * @property {(answer: Answer) => void} answered
 */

/** @typedef {"client" | "applier"} Role */

export class Seat {
  /** @type {string} */
  node;
  /** @type {Role} */
  role;
  /** How often it was filled. */
  start = 0;
  /** @type {{ readonly code: number | null, readonly signal: NodeJS.Signals | null } | undefined} undefined while it lives */
  exit;
  /** An exit now is what is wanted. */
  mayExit = false;
  /** It has said that it can apply. */
  isReady = false;
  /** SIGSTOP was sent, SIGCONT not yet. */
  stopped = false;
  /** @type {number | undefined} token of the term it leads */
  leads;
  /** @type {string | undefined} */
  failure;
  log = "";
  /** @type {SeatOptions} */
  #options;
  /** @type {SeatEvents} */
  #events;
  /** @type {ChildProcess | undefined} */
  #child;

  /**
   * @param {{ readonly node: string, readonly role: Role }} place
   * @param {SeatOptions} options
   * @param {SeatEvents} events
   */
  constructor({ node, role }, options, events) {
    this.node = node;
    this.role = role;
    this.#options = options;
    this.#events = events;
  }

  get pid() {
    return this.#child?.pid;
  }

  fill() {
    const { root, plan, keep, storeUrl, opened } = this.#options;
    this.start += 1;
    const fresh = { exit: undefined, mayExit: false, isReady: false, stopped: false, leads: undefined };
    Object.assign(this, { ...fresh, log: join(placesIn(root).logs, `${this.node}-${this.start}.log`) });
    /** @type {import("./places.mjs").Assignment} */
    const assignment = { root, plan, node: this.node, start: this.start, keep };
    const output = openSync(this.log, "a");
    const file = fileURLToPath(new URL(`${this.role}.mjs`, import.meta.url));
    const child = fork(file, [JSON.stringify(assignment)], {
      stdio: ["ignore", output, output, "ipc", "pipe"],
      execArgv: [],
      env: { ...process.env, ...opened.environment(this.node), [storeVariable]: storeUrl },
      ...(opened.execPath === undefined ? {} : { execPath: opened.execPath }),
    });
    closeSync(output);
    this.#child = child;
    this.#listen(child);
  }

  /** Opens the gate: what stands there goes on. */
  go() {
    this.#gate()?.write("g");
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    if (signal === "SIGKILL") this.mayExit = true;
    if (signal === "SIGSTOP") this.stopped = true;
    if (signal === "SIGCONT") this.stopped = false;
    this.#child?.kill(signal);
  }

  /** @param {ToClient} message */
  send(message) {
    if (message.order === "finish") this.mayExit = true;
    if (this.#child?.connected === true) this.#child.send(message, () => {});
  }

  /** @returns {import("node:net").Socket | undefined} */
  #gate() {
    return /** @type {import("node:net").Socket | undefined} */ (this.#child?.stdio[4]);
  }

  /** @param {ChildProcess} child */
  #listen(child) {
    const fail = (/** @type {unknown} */ cause) => {
      // Whoever was killed does not read what was sent to it.
      if (!this.mayExit) this.failure ??= String(cause);
      this.#events.change();
    };
    child.on("error", fail);
    child.on("message", (message) => this.#take(child, /** @type {FromProcess} */ (message)));
    child.on("exit", (code, signal) => {
      Object.assign(this, { exit: { code, signal }, leads: undefined, stopped: false });
      this.#events.change();
    });
    let text = "";
    this.#gate()
      ?.setEncoding("utf8")
      .on("error", fail)
      .on("data", (/** @type {string} */ chunk) => {
        const lines = (text + chunk).split("\n");
        text = lines.pop() ?? "";
        for (const line of lines)
          this.#events.announced(this, /** @type {import("./gate.mjs").Announcement} */ (JSON.parse(line)));
      });
  }

  /**
   * @param {ChildProcess} child
   * @param {FromProcess} message
   */
  #take(child, message) {
    if (message.said === "answered") this.#events.answered(message);
    else if (message.said === "failed") this.failure ??= message.message;
    // What a killed one had still said of its leading is over.
    else if (child === this.#child && this.exit === undefined) {
      if (message.said === "ready") this.isReady = true;
      if (message.said === "leads") this.leads = message.token;
      if (message.said === "ended" && this.leads === message.token) this.leads = undefined;
    }
    this.#events.change();
  }
}
