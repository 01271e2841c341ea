/**
 * What happens to the clients: stopped between check and write, stopped and killed at other moments.
 *
 * Each fault is written down in a history of its own when it has taken effect, and its end before it
 * ends, so that the judge sees no pause longer than it was. A client that was stopped between check
 * and write goes on only after somebody with a higher token has had a write acknowledged that was
 * sent while it stood still: then one of the two writes is lost, or refused. Always two clients run.
 */

import { realClock } from "../dist/base/real-clock.js";
import { faultText } from "./fault.mjs";
import { isStopped } from "./stopped.mjs";

/** @typedef {import("./seat.mjs").Seat} Seat */
/** @typedef {import("./gate.mjs").Announcement} Announcement */

/**
 * @typedef {object} NemesisParts
 * @property {import("./crew.mjs").Crew} crew
 * @property {import("./places.mjs").Plan} plan
 * @property {() => number} fraction chance, from 0 to 1
 * @property {import("../dist/history/writer.js").History} history
 */

/** Shares of the writes about to be made. */
const stopShare = 0.4;
const killShare = 0.06;
/** Pauses are longer than the ttl by a tenth to three quarters. */
const pauseTtls = { least: 1.1, more: 0.65 };
const restMs = { least: 2_000, more: 3_000 };
const fewestRunning = 2;
/** About as long as a write takes. */
const writeMs = 8;

export class Nemesis {
  counts = { landed: 0, stops: 0, kills: 0 };
  /** @type {NemesisParts} */
  #parts;
  #begun = 0;
  /** Continued, and not answered yet: what becomes of a late write is what the run is about. */
  #waking = /** @type {Set<Seat>} */ (new Set());
  #startedAt = performance.now();
  #over = false;
  /** @type {Set<Promise<void>>} */
  #underway = new Set();

  /** @param {NemesisParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Begins; from now on it decides what happens at the gate. */
  begin() {
    this.#parts.crew.onAnnounced = (seat, announcement) => this.#atGate(seat, announcement);
    this.#keep(this.#atRandom());
  }

  /** Begins nothing more, and resolves when what is under way has ended. */
  async end() {
    this.#over = true;
    while (this.#underway.size > 0) await Promise.all(this.#underway);
  }

  /** @param {Promise<void>} fault */
  #keep(fault) {
    const kept = fault
      .catch((cause) => this.#parts.crew.fail(cause))
      .finally(() => this.#underway.delete(kept));
    this.#underway.add(kept);
  }

  /**
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  #atGate(seat, announcement) {
    const { crew, fraction } = this.#parts;
    const drawn = fraction();
    if (this.#over || !crew.running.includes(seat)) seat.go();
    else if (drawn < killShare) this.#keep(this.#kill(seat, announcement));
    else if (this.#mayStop() && (drawn < killShare + stopShare || this.#behind()))
      this.#keep(this.#stopAtGate(seat, announcement));
    else seat.go();
  }

  #mayStop() {
    return this.#parts.crew.running.length > fewestRunning;
  }

  /** A machine that is slow makes fewer turns, so more of them have to be hit. */
  #behind() {
    const { seconds, neededPauses } = this.#parts.plan;
    const share = (performance.now() - this.#startedAt) / (seconds * 1_000);
    return this.#begun < 1.2 * neededPauses * share;
  }

  /**
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  async #stopAtGate(seat, { element, token }) {
    const { crew, fraction } = this.#parts;
    const { node, pid } = seat;
    const pauseMs = this.#pauseMs(fraction());
    this.#begun += 1;
    seat.signal("SIGSTOP");
    crew.tellStopped();
    await untilStopped(pid);
    const stoppedAt = realClock.hrtimeNs();
    this.#write({ kind: "stop-at-gate", node, element });
    const writes = () =>
      crew.answers.some(
        (answer) =>
          answer.kind === "acknowledged" && answer.token > token && BigInt(answer.sentAt) > stoppedAt,
      ) || undefined;
    await crew.pause(pauseMs);
    await crew.until(`a write of a leader after ${node}, which stands still with token ${token}`, writes);
    this.#write({ kind: "continue", node });
    this.counts.landed += 1;
    this.#waking.add(seat);
    seat.go();
    seat.signal("SIGCONT");
    crew.tellStopped();
    const answered = () => crew.answers.some((answer) => answer.element === element) || undefined;
    await crew.until(`${node} to hear what became of its late write`, answered);
    this.#waking.delete(seat);
  }

  async #atRandom() {
    const { crew, fraction } = this.#parts;
    while (!this.#over) {
      await crew.pause(restMs.least + fraction() * restMs.more);
      if (this.#over) return;
      const [byLeading, which, how] = [fraction() < 0.5, fraction(), fraction()];
      const within = crew.running.filter((seat) => !this.#waking.has(seat));
      const leader = within.find((seat) => seat === crew.leader);
      const seat = (byLeading ? leader : undefined) ?? within[Math.floor(which * within.length)];
      if (seat === undefined) continue;
      if (how < 0.5) this.#keep(this.#kill(seat));
      else if (this.#mayStop()) this.#keep(this.#stop(seat));
    }
  }

  /** @param {Seat} seat */
  async #stop(seat) {
    const { crew, fraction } = this.#parts;
    const { node, pid } = seat;
    const pauseMs = this.#pauseMs(fraction());
    seat.signal("SIGSTOP");
    crew.tellStopped();
    await untilStopped(pid);
    this.#write({ kind: "stop", node });
    await crew.pause(pauseMs);
    this.#write({ kind: "continue", node });
    this.counts.stops += 1;
    seat.signal("SIGCONT");
    crew.tellStopped();
  }

  /**
   * At the gate: it is let go on, and killed before, in or after its write.
   *
   * @param {Seat} seat
   * @param {Announcement} [announcement]
   */
  async #kill(seat, announcement) {
    const { crew, fraction } = this.#parts;
    const { node } = seat;
    const about = announcement === undefined ? {} : { element: announcement.element };
    seat.mayExit = true;
    this.#write({ kind: "kill", node, ...about });
    if (announcement !== undefined) {
      seat.go();
      await crew.pause(fraction() * writeMs);
    }
    seat.signal("SIGKILL");
    this.counts.kills += 1;
    await crew.until(`${node} to die`, () => seat.exit);
    seat.fill();
  }

  /** @param {number} drawn */
  #pauseMs(drawn) {
    return this.#parts.plan.ttlMs * (pauseTtls.least + drawn * pauseTtls.more);
  }

  /** @param {import("./fault.mjs").Fault} fault */
  #write(fault) {
    this.#parts.history.write({ event: "fault", fault: faultText(fault) });
  }
}

const lookEveryMs = 1;
const limitMs = 5_000;

/** @param {number | undefined} pid */
async function untilStopped(pid) {
  const sinceMs = performance.now();
  while (pid === undefined || !(await isStopped(pid))) {
    if (performance.now() - sinceMs > limitMs) throw new Error(`process ${pid} does not stop`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
