/**
 * A planned change of leaders between two processes: from the end of one belief
 * to the beginning of the next.
 *
 * Two ways in turn: `transfer`, where the successor has answered before the leader ends, and
 * `stop`, as on SIGTERM, where a waiting candidate finds a released lease.
 */

import { createCrew, msBetween } from "../crew.mjs";
import { percentile, threeDigits } from "../numbers.mjs";

/** @typedef {import("../crew.mjs").Candidate} Candidate */
/** @typedef {import("../crew.mjs").Order} Order */

const ttlMs = 15_000;
const orders = /** @type {const} */ (["transfer", "stop"]);

/**
 * @param {import("../run.mjs").Context} context
 * @param {import("../crew.mjs").OpenPlace} openPlace
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureHandover({ plan, session, say }, openPlace) {
  const place = await openPlace(session, "handover");
  const crew = createCrew(session, { store: place.store, ttlMs });
  const candidates = [crew.start("a"), crew.start("b")];
  /** @type {number[]} */
  const bare = [];
  const gaps = { transfer: /** @type {number[]} */ ([]), stop: /** @type {number[]} */ ([]) };
  let kept = 0;
  for (let round = 0; round < plan.handovers; round += 1) {
    for (const order of orders) {
      const leader = await crew.until("a leader that both follow", () => followed(candidates));
      // What the change before left to do is done by then.
      await session.pause(50 + Math.random() * 50);
      bare.push(await place.bareWrite());
      const gapMs = await handOver(crew, {
        leader,
        next: candidates.find((other) => other !== leader),
        order,
      });
      if (gapMs === undefined) kept += 1;
      else gaps[order].push(gapMs);
    }
    if ((round + 1) % 50 === 0) say(`${round + 1} handovers of each kind`);
  }
  const samples = {
    "handover by transfer, ms": gaps.transfer,
    "handover by stop, ms": gaps.stop,
    [`${place.bareName}, ms`]: bare,
  };
  const keptToo = { ...keptFigure, value: kept, unit: `of ${plan.handovers}` };
  return { figures: [...figuresOf(gaps, { bare, bareName: place.bareName }), keptToo], samples };
}

const keptFigure = { name: "transfers that found no candidate", most: 0, why: "one stood by" };

/**
 * @param {import("../crew.mjs").Crew} crew
 * @param {{ readonly leader: Candidate, readonly next: Candidate | undefined, readonly order: Order }} change
 * @returns {Promise<number | undefined>} undefined when nobody answered, and the leader leads on
 */
async function handOver(crew, { leader, next, order }) {
  leader.order(order);
  const end = await crew.until(`the end of a term by ${order}`, () => {
    if (leader.leads === undefined) return "ended";
    return leader.standing ? "kept" : undefined;
  });
  if (end === "kept") return undefined;
  await crew.until("its successor", () => next?.leads);
  leader.order("stand");
  return msBetween(leader.lostAt, next?.electedAt ?? 0n);
}

/**
 * @param {readonly Candidate[]} candidates
 * @returns {Candidate | undefined}
 */
function followed(candidates) {
  const leader = candidates.find(({ leads }) => leads !== undefined);
  const follows = (/** @type {Candidate} */ { standing, sees }) => standing && sees === leader?.leads;
  return leader !== undefined && candidates.every(follows) ? leader : undefined;
}

/**
 * @param {Readonly<Record<typeof orders[number], readonly number[]>>} gaps
 * @param {{ readonly bare: readonly number[], readonly bareName: string }} under
 * @returns {readonly import("../table.mjs").Figure[]}
 */
function figuresOf(gaps, { bare, bareName }) {
  return orders.flatMap((order) =>
    [
      { percent: 50, most: 10 },
      { percent: 99, most: 100 },
    ].map(({ percent, most }) => {
      const value = percentile(gaps[order], percent);
      const beside = `${threeDigits(value / percentile(bare, percent))} x ${bareName}`;
      return { name: `handover by ${order}, p${percent}`, value, unit: "ms", most, beside };
    }),
  );
}
