/**
 * What happens to the clients: stopped between check and write, stopped and killed at other moments; and what the
 * workload names besides: stopped inside a transaction, cut off at a commit, doubled; or those that apply their writes are.
 *
 * Each fault is written down in a history of its own. A client that was stopped between check
 * and write goes on only after somebody with a higher token has had a write acknowledged that was
 * sent while it stood still: then one of the two writes is lost, or refused. With it, in half of the cases, a double
 * goes on that has a copy of what it holds. Always two clients run, and one of those that apply.
 */

import { killApplier, mayHitApplier, stopApplier } from "./applier-faults.mjs";
import { continueSeat, pauseMsOf, stopSeat, writeFault } from "./standstill.mjs";

/** @typedef {import("./seat.mjs").Seat} Seat */
/** @typedef {import("./gate.mjs").Announcement} Announcement */
/** @typedef {import("./doubles.mjs").Double} Double */
/** @typedef {import("./workloads.mjs").OwnFault} OwnFault */

/**
 * @typedef {object} NemesisParts
 * @property {import("./workloads.mjs").Workload} workload
 * @property {import("./workloads.mjs").Opened} opened
 * @property {import("./doubles.mjs").Doubles} doubles
 * @property {import("./crew.mjs").Crew} crew
 * @property {import("./places.mjs").Plan} plan
 * @property {() => number} fraction chance, from 0 to 1
 * @property {import("../dist/history/writer.js").History} history
 */

/** Shares of the writes about to be made. */
const stopShare = 0.4;
const killShare = 0.06;
/** Of those that are not stopped. */
const shares = { cut: 0.15, double: 0.15 };
/** Of transactions under way. */
const insideShare = 0.12;
/** Of transactions in which somebody applies a write: stopped, or killed. */
const applierShares = { stop: 0.12, kill: 0.1 };
/** Of late writes that a double makes too. */
const lateDoubleShare = 0.5;
const restMs = { least: 2_000, more: 3_000 };
const fewestRunning = 2;
/** About as long as a write takes. */
const writeMs = 8;

export class Nemesis {
  counts = { landed: 0, stops: 0, kills: 0, inside: 0, cut: 0, double: 0, applierStop: 0, applierKill: 0 };
  /** @type {NemesisParts} */
  #parts;
  #begun = { gate: 0, inside: 0, cut: 0, double: 0, applierStop: 0, applierKill: 0 };
  /** About to write, or continued, and not answered yet: what becomes of such a write is what the run is about. */
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
    const { crew } = this.#parts;
    crew.onAnnounced = (seat, announcement) => this.#atGate(seat, announcement);
    crew.onApplying = (seat, announcement) => this.#whileApplying(seat, announcement);
    this.#keep(this.#atRandom());
  }

  /** Whether fewer faults have landed than a run must have. */
  get lacksSome() {
    const { workload, plan } = this.#parts;
    const { landed } = this.counts;
    return (
      landed < plan.neededPauses || workload.faults.some((kind) => this.counts[kind] < plan.neededOthers)
    );
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
    const { crew, fraction, plan } = this.#parts;
    const drawn = fraction();
    if (this.#over || !crew.running.includes(seat)) seat.go();
    // What becomes of a late write is to be seen, once it is under way.
    else if (announcement.stage === "inside" && this.#waking.has(seat)) seat.go();
    else if (drawn < killShare) this.#keep(this.#kill(seat, announcement));
    else if (announcement.stage === "inside") this.#inside(seat, announcement, drawn);
    else if (this.#mayStop() && this.#behind("gate", plan.neededPauses))
      this.#keep(this.#stopAtGate(seat, announcement));
    else if (this.#lacks("cut")) this.#keep(this.#cut(seat, announcement));
    // It is to be met inside of its transaction, and alone.
    else if (this.#lacksInside()) seat.go();
    else if (this.#mayStop() && drawn < killShare + stopShare)
      this.#keep(this.#stopAtGate(seat, announcement));
    else if (this.#draws("cut")) this.#keep(this.#cut(seat, announcement));
    else if (this.#draws("double")) this.#keep(this.#double(seat, announcement));
    else seat.go();
  }

  /**
   * @param {Seat} seat
   * @param {Announcement} announcement
   * @param {number} drawn
   */
  #inside(seat, announcement, drawn) {
    const wanted = drawn < killShare + insideShare || this.#lacks("inside");
    if (wanted && this.#mayStop()) this.#keep(this.#stopInside(seat, announcement));
    else seat.go();
  }

  /**
   * @param {Seat} seat of one that applies
   * @param {Announcement} announcement
   */
  #whileApplying(seat, announcement) {
    const parts = this.#parts;
    const drawn = parts.fraction();
    // What becomes of a late write is to be seen.
    if (this.#over || this.#waking.size > 0 || !mayHitApplier(parts, seat)) seat.go();
    else if (this.#lacks("applierKill") && this.#begun.applierKill <= this.#begun.applierStop)
      this.#hit("applierKill", seat, announcement);
    else if (this.#lacks("applierStop")) this.#hit("applierStop", seat, announcement);
    else if (drawn < applierShares.stop) this.#hit("applierStop", seat, announcement);
    else if (drawn < applierShares.stop + applierShares.kill) this.#hit("applierKill", seat, announcement);
    else seat.go();
  }

  /**
   * @param {"applierStop" | "applierKill"} kind
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  #hit(kind, seat, announcement) {
    this.#begun[kind] += 1;
    const fault = kind === "applierStop" ? stopApplier : killApplier;
    this.#keep(fault(this.#parts, seat, announcement).then(() => void (this.counts[kind] += 1)));
  }

  /** @param {"cut" | "double"} kind */
  #draws(kind) {
    const { fraction, workload } = this.#parts;
    return workload.faults.includes(kind) && (fraction() < shares[kind] || this.#lacks(kind));
  }

  /** @param {OwnFault} kind */
  #lacks(kind) {
    const { workload, plan } = this.#parts;
    return workload.faults.includes(kind) && this.#behind(kind, plan.neededOthers);
  }

  #lacksInside() {
    const byOthers = this.#lacks("applierStop") || this.#lacks("applierKill");
    return byOthers || (this.#mayStop() && this.#lacks("inside"));
  }

  #mayStop() {
    return this.#parts.crew.running.length > fewestRunning;
  }

  /**
   * A machine that is slow makes fewer turns, so more of them have to be hit.
   *
   * @param {"gate" | OwnFault} kind
   * @param {number} needed
   */
  #behind(kind, needed) {
    const passed = (performance.now() - this.#startedAt) / (this.#parts.plan.seconds * 1_000);
    const share = Math.min(1, passed);
    return this.#begun[kind] < 1.2 * needed * share;
  }

  /**
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  async #stopAtGate(seat, announcement) {
    const { crew, fraction, plan, workload, doubles } = this.#parts;
    const { element, token } = announcement;
    const { node } = seat;
    const pauseMs = pauseMsOf(plan, fraction());
    this.#begun.gate += 1;
    const wanted = fraction() < lateDoubleShare || this.#lacks("double");
    const doubled = workload.faults.includes("double") && wanted;
    if (doubled) this.#begun.double += 1;
    const stoppedAt = await stopSeat(this.#parts, seat, { kind: "stop-at-gate", node, element });
    // It claims while this term may still last, as the leader has.
    const double = doubled ? await doubles.start(announcement) : undefined;
    await crew.pause(pauseMs);
    const what = `a write of a leader after ${node}, which stands still with token ${token}`;
    await crew.until(what, () => crew.wroteAfter(token, stoppedAt));
    // What becomes of a late write is to be seen, and nobody that applies writes stands still over it.
    await crew.allApply();
    writeFault(this.#parts, { kind: "continue", node });
    this.counts.landed += 1;
    await this.#wake(seat, element, double);
  }

  /**
   * The server, or nobody, ends the transaction; others are elected meanwhile.
   *
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  async #stopInside(seat, { element }) {
    const { crew, fraction, plan } = this.#parts;
    const { node } = seat;
    const pauseMs = pauseMsOf(plan, fraction());
    this.#begun.inside += 1;
    await stopSeat(this.#parts, seat, { kind: "stop-inside", node, element });
    await crew.pause(pauseMs);
    writeFault(this.#parts, { kind: "continue", node });
    this.counts.inside += 1;
    await this.#wake(seat, element, undefined);
  }

  /**
   * @param {Seat} seat
   * @param {string} element
   * @param {Double | undefined} double
   */
  async #wake(seat, element, double) {
    this.#waking.add(seat);
    if (double !== undefined) this.#release(seat.node, element, double);
    seat.go();
    continueSeat(this.#parts, seat);
    await Promise.all([this.#answered(seat, element), double?.ended]);
    this.#waking.delete(seat);
  }

  /**
   * @param {Seat} seat
   * @param {string} element
   */
  async #answered({ node }, element) {
    const { crew } = this.#parts;
    const answered = () => crew.answers.some((answer) => answer.element === element) || undefined;
    await crew.until(`${node} to hear what became of ${element}`, answered);
  }

  /**
   * Its connection is reset at the commit of this write; it has to find out what became of it.
   *
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  async #cut(seat, { element }) {
    const { fraction, opened } = this.#parts;
    const { node } = seat;
    this.#begun.cut += 1;
    const cut = opened.cut?.(node, fraction() < 0.5);
    this.#waking.add(seat);
    seat.go();
    await this.#answered(seat, element);
    this.#waking.delete(seat);
    if (!(await cut?.end())) {
      // It was refused before it was sent.
      this.#begun.cut -= 1;
      return;
    }
    writeFault(this.#parts, { kind: "cut", node, element });
    this.counts.cut += 1;
  }

  /**
   * The leader and its double write at one moment.
   *
   * @param {Seat} seat
   * @param {Announcement} announcement
   */
  async #double(seat, announcement) {
    const { doubles } = this.#parts;
    this.#begun.double += 1;
    this.#waking.add(seat);
    const double = await doubles.start(announcement);
    this.#release(seat.node, announcement.element, double);
    seat.go();
    await Promise.all([this.#answered(seat, announcement.element), double.ended]);
    this.#waking.delete(seat);
  }

  /**
   * @param {string} node
   * @param {string} element
   * @param {Double} double
   */
  #release(node, element, double) {
    writeFault(this.#parts, { kind: "double", node, element });
    this.counts.double += 1;
    double.go();
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
    const { crew, fraction, plan } = this.#parts;
    const { node } = seat;
    const pauseMs = pauseMsOf(plan, fraction());
    await stopSeat(this.#parts, seat, { kind: "stop", node });
    await crew.pause(pauseMs);
    writeFault(this.#parts, { kind: "continue", node });
    this.counts.stops += 1;
    continueSeat(this.#parts, seat);
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
    writeFault(this.#parts, { kind: "kill", node, ...about });
    if (announcement !== undefined) {
      seat.go();
      await crew.pause(fraction() * writeMs);
    }
    seat.signal("SIGKILL");
    this.counts.kills += 1;
    await crew.until(`${node} to die`, () => seat.exit);
    seat.fill();
  }
}
