/**
 * The clients together, with those that apply writes for them: waiting for a state, and the end of all.
 *
 * Promise: every wait ends, with the state wanted, at its limit, when a client fails or exits that
 * should not, or when the run is interrupted; and says what it waited for.
 */

import { readFileSync } from "node:fs";
import { nodesOf } from "./places.mjs";
import { Seat } from "./seat.mjs";

/** Several times what any wait takes on a busy machine, with leaders killed and stopped meanwhile. */
const limits = { ms: 30_000, ttls: 15 };

/** @typedef {import("./seat.mjs").Answer} Answer */

export class Crew {
  /** @type {readonly Seat[]} of the clients */
  seats;
  /** @type {readonly Seat[]} */
  appliers;
  /** @type {Answer[]} in the order in which they were heard of */
  answers = [];
  /** @type {((seat: Seat, announcement: import("./gate.mjs").Announcement) => void)} */
  onAnnounced = (seat) => seat.go();
  /** @type {((seat: Seat, announcement: import("./gate.mjs").Announcement) => void)} of those that apply */
  onApplying = (seat) => seat.go();
  /** @type {Set<() => void>} */
  #looks = new Set();
  /** @type {number} */
  #limitMs;
  /** @type {AbortSignal} */
  #interrupted;
  /** @type {Error | undefined} */
  #failure;

  /**
   * @param {import("./seat.mjs").SeatOptions} options
   * @param {readonly string[]} appliers their names
   * @param {AbortSignal} interrupted
   */
  constructor(options, appliers, interrupted) {
    this.#interrupted = interrupted;
    this.#limitMs = limits.ms + limits.ttls * options.plan.ttlMs;
    const events = {
      change: () => this.#change(),
      announced: (/** @type {Seat} */ seat, /** @type {import("./gate.mjs").Announcement} */ announcement) =>
        seat.role === "client" ? this.onAnnounced(seat, announcement) : this.onApplying(seat, announcement),
      answered: (/** @type {Answer} */ answer) => void this.answers.push(answer),
    };
    this.seats = nodesOf(options.plan).map((node) => new Seat({ node, role: "client" }, options, events));
    this.appliers = appliers.map((node) => new Seat({ node, role: "applier" }, options, events));
    interrupted.addEventListener("abort", events.change);
  }

  get all() {
    return [...this.seats, ...this.appliers];
  }

  /** @returns {readonly Seat[]} clients that can go on */
  get running() {
    return this.seats.filter(goesOn);
  }

  /** @returns {readonly Seat[]} */
  get applying() {
    return this.appliers.filter((seat) => seat.isReady && goesOn(seat));
  }

  /** The one with the highest token, where there is one. */
  get leader() {
    return this.running
      .filter(({ leads }) => leads !== undefined)
      .toSorted((a, b) => (b.leads ?? 0) - (a.leads ?? 0))[0];
  }

  /** Resolves when each of those that apply writes can be sent to, and goes on. */
  async allApply() {
    const all = () => this.applying.length === this.appliers.length || undefined;
    await this.until("those that apply writes to go on", all);
  }

  /**
   * Ends every wait.
   *
   * @param {unknown} cause
   */
  fail(cause) {
    this.#failure ??= cause instanceof Error ? cause : new Error(String(cause));
    this.#change();
  }

  /** Tells those who run which ones are stopped: they have to wake them if this process is killed. */
  tellStopped() {
    const stopped = this.all.flatMap(({ stopped, pid }) => (stopped && pid !== undefined ? [pid] : []));
    for (const seat of [...this.running, ...this.applying]) seat.send({ order: "know", stopped });
  }

  /**
   * Resolves with the first answer of `look` that is not undefined; asked anew after each change.
   *
   * @template T
   * @param {string} what
   * @param {() => T | undefined} look
   * @returns {Promise<T>}
   */
  until(what, look) {
    return this.#until(what, look, this.#limitMs, () => this.#trouble());
  }

  /** @param {number} ms */
  async pause(ms) {
    await this.within(ms, "the end of a pause", () => undefined);
  }

  /**
   * As `until`, and resolves with undefined when there is no such answer within `ms`.
   *
   * @template T
   * @param {number} ms
   * @param {string} what
   * @param {() => T | undefined} look
   * @returns {Promise<T | undefined>}
   */
  async within(ms, what, look) {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      this.#change();
    }, ms);
    const found = () => {
      const one = look();
      return one !== undefined || over ? { one } : undefined;
    };
    try {
      return (await this.#until(what, found, ms + this.#limitMs, () => this.#trouble())).one;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * For a look: true once a leader after that of `token` has had a write acknowledged that it sent after `at`.
   *
   * @param {number} token
   * @param {bigint} at
   * @returns {true | undefined}
   */
  wroteAfter(token, at) {
    const later = (/** @type {Answer} */ answer) => answer.token > token && BigInt(answer.sentAt) > at;
    return this.answers.some((answer) => answer.kind === "acknowledged" && later(answer)) || undefined;
  }

  /**
   * Lets them leave, and waits for that.
   *
   * @param {readonly Seat[]} seats
   */
  async dismiss(seats) {
    for (const seat of seats) seat.send({ order: "finish" });
    await this.until("processes to leave", () => seats.every(({ exit }) => exit) || undefined);
    const bad = seats.find(({ exit }) => exit?.code !== 0);
    if (bad !== undefined) throw new Error(`${bad.node} left with ${bad.exit?.signal ?? bad.exit?.code}`);
  }

  /** Ends every wait that is left, and every process, stopped ones too. */
  async end() {
    this.fail(new Error("the run is over"));
    const left = this.all.filter(({ pid, exit }) => pid !== undefined && exit === undefined);
    for (const seat of left) seat.signal("SIGKILL");
    const gone = () => left.every(({ exit }) => exit !== undefined) || undefined;
    await this.#until("the processes to end", gone, this.#limitMs, () => undefined);
  }

  #change() {
    for (const look of [...this.#looks]) look();
  }

  /** @returns {Error | undefined} */
  #trouble() {
    if (this.#interrupted.aborted) return /** @type {Error} */ (this.#interrupted.reason);
    if (this.#failure !== undefined) return this.#failure;
    const lost = this.all.find(({ exit, mayExit, failure }) => failure !== undefined || (exit && !mayExit));
    if (lost === undefined) return undefined;
    const { node, exit, failure, log } = lost;
    const words = readFileSync(log, "utf8").trim().slice(-600);
    return new Error(`${node}: ${failure ?? `exited with ${exit?.signal ?? exit?.code}`}\n${words}`);
  }

  /**
   * @template T
   * @param {string} what
   * @param {() => T | undefined} look
   * @param {number} withinMs
   * @param {() => Error | undefined} trouble
   * @returns {Promise<T>}
   */
  #until(what, look, withinMs, trouble) {
    return new Promise((resolve, reject) => {
      const settle = (/** @type {() => void} */ act) => {
        this.#looks.delete(ask);
        clearTimeout(timer);
        act();
      };
      const ask = () => {
        const wrong = trouble();
        const found = wrong === undefined ? look() : undefined;
        if (wrong !== undefined) settle(() => reject(wrong));
        else if (found !== undefined) settle(() => resolve(found));
      };
      const late = new Error(`waited ${withinMs / 1_000} s for ${what}, in vain`);
      const timer = setTimeout(() => settle(() => reject(late)), withinMs);
      this.#looks.add(ask);
      ask();
    });
  }
}

/** @param {Seat} seat */
function goesOn({ stopped, mayExit, exit }) {
  return !stopped && !mayExit && exit === undefined;
}
