/** The processes of a crowd as its part sees them: what they told until now, and waiting for a state. */

/** @typedef {import("../crowd-child.mjs").FromCrowd} FromCrowd */
/** @typedef {import("../crowd-child.mjs").CrowdOrder} CrowdOrder */

const limitMs = 120_000;

export class Crowd {
  /** @type {readonly import("node:child_process").ChildProcess[]} */
  #children;
  #interrupted;
  /** @type {string | undefined} */
  #failure;
  /** @type {() => void} */
  #look = () => {};
  ready = 0;
  /** @type {Map<number, number>} processes all of whose candidates see the leader of that token */
  following = new Map();
  /** @type {bigint[]} */
  elected = [];
  /** @type {number[]} */
  cpuMs = [];

  /**
   * @param {import("../session.mjs").Session} session
   * @param {{ readonly store: string, readonly count: number, readonly processes: number }} settings
   */
  constructor(session, { store, count, processes }) {
    this.#interrupted = session.interrupted;
    this.#children = Array.from({ length: processes }, () => {
      const child = session.start("crowd-child.mjs", [store, String(count / processes)]);
      child.on("message", (message) => this.#take(/** @type {FromCrowd} */ (message)));
      child.on("exit", (code, signal) => this.#fail(`a process of the crowd ended with ${code ?? signal}`));
      child.on("error", (cause) => this.#fail(cause.message));
      return child;
    });
  }

  /** @param {CrowdOrder} order */
  order(order) {
    if (order === "cpu") this.cpuMs = [];
    for (const child of this.#children) child.send(order);
  }

  /** @returns {boolean} every candidate of every process sees one leader */
  get allFollow() {
    return [...this.following.values()].some((count) => count === this.#children.length);
  }

  /** @returns {Promise<number>} of all of them since they started */
  async totalCpuMs() {
    this.order("cpu");
    await this.until("the CPU time of all", () => this.cpuMs.length === this.#children.length);
    return this.cpuMs.reduce((sum, ms) => sum + ms, 0);
  }

  /**
   * @param {string} what
   * @param {() => boolean} isThere
   * @returns {Promise<void>}
   */
  until(what, isThere) {
    return new Promise((resolve, reject) => {
      const settle = (/** @type {() => void} */ act) => {
        clearTimeout(timer);
        this.#interrupted.removeEventListener("abort", look);
        this.#look = () => {};
        act();
      };
      const look = () => {
        if (this.#interrupted.aborted) settle(() => reject(/** @type {Error} */ (this.#interrupted.reason)));
        else if (this.#failure !== undefined)
          settle(() => reject(new Error(`${this.#failure}, before ${what}`)));
        else if (isThere()) settle(resolve);
      };
      const timer = setTimeout(
        () => settle(() => reject(new Error(`${what}: not within ${limitMs} ms`))),
        limitMs,
      );
      this.#look = look;
      this.#interrupted.addEventListener("abort", look);
      look();
    });
  }

  /** @param {string} failure */
  #fail(failure) {
    this.#failure ??= failure;
    this.#look();
  }

  /** @param {FromCrowd} message */
  #take(message) {
    if (message.said === "ready") this.ready += 1;
    else if (message.said === "elected") this.elected.push(BigInt(message.at));
    else if (message.said === "cpu") this.cpuMs.push(message.cpuMs);
    else if (message.said === "failed") this.#failure ??= message.message;
    else this.following.set(message.token, (this.following.get(message.token) ?? 0) + 1);
    this.#look();
  }
}
