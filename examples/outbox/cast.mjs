// The processes of the show: started, heard, killed, stopped and woken, and none left behind.
import { fork } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { variable } from "./member.mjs";

/** @typedef {"application" | "relay" | "consumer"} Role */
/** @typedef {import("./member.mjs").Said} Said */

const longestWaitMs = 120_000;

export class Member {
  /** @type {Role} */
  role;
  /** @type {number | undefined} the token of its latest term */
  token;
  /** Messages that it has put into the queue in this term. */
  published = 0;
  isReady = false;
  isStopped = false;
  hasEnded = false;
  /** @type {import("node:child_process").ChildProcess} */
  child;

  /**
   * @param {Role} role
   * @param {import("./member.mjs").Settings} settings
   * @param {(member: Member, said: Said | undefined) => void} heard with nothing when it has ended
   */
  constructor(role, settings, heard) {
    this.role = role;
    this.child = fork(fileURLToPath(new URL(`${role}.mjs`, import.meta.url)), [], {
      env: { ...process.env, [variable]: JSON.stringify(settings) },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.child.on("message", (message) => {
      const said = /** @type {Said} */ (message);
      this.isReady = true;
      if (said.said === "leads") [this.token, this.published] = [said.token, 0];
      if (said.said === "published") this.published += 1;
      heard(this, said);
    });
    this.child.once("exit", () => {
      this.hasEnded = true;
      heard(this, undefined);
    });
  }

  get runs() {
    return !this.hasEnded && !this.isStopped;
  }

  stop() {
    this.isStopped = true;
    this.child.kill("SIGSTOP");
  }

  wake() {
    this.isStopped = false;
    this.child.kill("SIGCONT");
  }
}

export class Cast {
  /** @type {Member[]} */
  members = [];
  wroteCount = 0;
  publishedCount = 0;
  #settings;
  /** @type {Set<() => void>} */
  #looks = new Set();
  #interrupted;

  /**
   * @param {import("./member.mjs").Settings} settings
   * @param {AbortSignal} interrupted ends every wait
   */
  constructor(settings, interrupted) {
    this.#settings = settings;
    this.#interrupted = interrupted;
    interrupted.addEventListener("abort", () => this.#change());
  }

  /** @param {Role} role */
  start(role) {
    const member = new Member(role, this.#settings, (_, said) => {
      if (said?.said === "wrote") this.wroteCount += said.count;
      if (said?.said === "published") this.publishedCount += 1;
      this.#change();
    });
    this.members.push(member);
    return member;
  }

  /** Who leads, as far as anybody has said so: the highest token of those that run. */
  get leader() {
    const terms = this.members.filter(
      ({ role, runs, token }) => role === "relay" && runs && token !== undefined,
    );
    return terms.toSorted((one, other) => (other.token ?? 0) - (one.token ?? 0))[0];
  }

  /** @param {Role} role */
  running(role) {
    return this.members.filter((member) => member.role === role && member.runs);
  }

  /**
   * The others learn whom to wake if this process is killed.
   *
   * @param {number | undefined} stopped
   */
  tell(stopped) {
    for (const { runs, child } of this.members) if (runs && child.connected) child.send({ stopped });
  }

  /**
   * Resolves with the first answer of `look` that is not undefined; asked anew whenever anybody says something.
   *
   * @template T
   * @param {string} what
   * @param {() => T | undefined} look
   * @returns {Promise<T>}
   */
  until(what, look) {
    return new Promise((resolve, reject) => {
      const settle = (/** @type {() => void} */ act) => {
        clearTimeout(timer);
        this.#looks.delete(ask);
        act();
      };
      const ask = () => {
        if (this.#interrupted.aborted) return settle(() => reject(this.#interrupted.reason));
        const found = look();
        if (found !== undefined) settle(() => resolve(found));
      };
      const late = new Error(`waited ${longestWaitMs / 1_000} s for ${what}, in vain`);
      const timer = setTimeout(() => settle(() => reject(late)), longestWaitMs);
      this.#looks.add(ask);
      ask();
    });
  }

  /**
   * Asks all of a role to end.
   *
   * @param {Role} role
   */
  async dismiss(role) {
    const leaving = this.running(role);
    for (const { child } of leaving) child.kill("SIGTERM");
    await this.until(`each ${role} to end`, () => leaving.every(({ hasEnded }) => hasEnded) || undefined);
  }

  /** Kills whoever is left. */
  async end() {
    const left = this.members.filter(({ hasEnded }) => !hasEnded);
    const gone = left.map(({ child }) => new Promise((resolve) => child.once("exit", resolve)));
    for (const { child } of left) child.kill("SIGKILL");
    await Promise.all(gone);
  }

  #change() {
    for (const look of [...this.#looks]) look();
  }
}
