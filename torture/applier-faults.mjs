/**
 * What happens to those that apply writes for the leaders, each in the middle of a transaction: stopped for longer than
 * the ttl, or killed, at once or when it has been let go on, and started again.
 */

import { continueSeat, pauseMsOf, stopSeat, writeFault } from "./standstill.mjs";

/** @typedef {import("./nemesis.mjs").NemesisParts} NemesisParts */
/** @typedef {import("./seat.mjs").Seat} Seat */
/** @typedef {import("./gate.mjs").Announcement} Announcement */

const hopeTtls = 2;
/** About as long as a commit takes, and what comes after it. */
const commitMs = 8;

/**
 * Another one goes on meanwhile, so that leaders can.
 *
 * @param {Pick<NemesisParts, "crew">} parts
 * @param {Seat} seat
 */
export function mayHitApplier({ crew }, seat) {
  const { applying } = crew;
  return applying.length > 1 && applying.includes(seat);
}

/**
 * Its database, or nobody, ends the transaction. Another leader may write meanwhile, and is waited for: behind a guard
 * alone, since a plain transaction keeps locks that all others wait for.
 *
 * @param {NemesisParts} parts
 * @param {Seat} seat
 * @param {Announcement} announcement
 */
export async function stopApplier(parts, seat, { element, token }) {
  const { crew, plan, fraction } = parts;
  const { node } = seat;
  const pauseMs = pauseMsOf(plan, fraction());
  const stoppedAt = await stopSeat(parts, seat, { kind: "stop-applier", node, element });
  await crew.pause(pauseMs);
  const what = `a write of a leader after token ${token}`;
  const hopeMs = plan.form === "fenced" ? hopeTtls * plan.ttlMs : 0;
  await crew.within(hopeMs, what, () => crew.wroteAfter(token, stoppedAt));
  writeFault(parts, { kind: "continue", node });
  seat.go();
  continueSeat(parts, seat);
}

/**
 * @param {NemesisParts} parts
 * @param {Seat} seat
 * @param {Announcement} announcement
 */
export async function killApplier(parts, seat, { element }) {
  const { crew, fraction } = parts;
  const { node } = seat;
  const [goesOn, afterMs] = [fraction() < 0.5, fraction() * commitMs];
  seat.mayExit = true;
  writeFault(parts, { kind: "kill-applier", node, element });
  if (goesOn) {
    seat.go();
    await crew.pause(afterMs);
  }
  seat.signal("SIGKILL");
  await crew.until(`${node} to die`, () => seat.exit);
  seat.fill();
}
