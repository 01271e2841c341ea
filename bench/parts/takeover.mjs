/**
 * A leader is killed with `kill -9`; how long until the next one leads.
 *
 * Three candidates as processes of their own on the file store, ttl 1 s, the shortest there is.
 * The kill comes at a random place between two renewals, once everybody follows the leader.
 */

import { createCrew, msBetween } from "../crew.mjs";
import { percentile } from "../numbers.mjs";

/** @typedef {import("../crew.mjs").Candidate} Candidate */

const ttlMs = 1_000;
const renewMs = ttlMs / 6;

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("./check.mjs").Measured>}
 */
export async function measureTakeover({ plan, session, say }) {
  const crew = createCrew(session, { directory: await session.directory("takeover"), ttlMs });
  /** @type {Candidate[]} */
  let candidates = ["a", "b", "c"].map((node) => crew.start(node));
  /** @type {number[]} */
  const takeoverMs = [];
  while (takeoverMs.length < plan.takeovers) {
    const leader = await crew.until("a leader that all follow", () => followed(candidates));
    await session.pause(Math.random() * renewMs);
    const killedAt = leader.kill();
    crew.forget(leader);
    const others = candidates.filter((candidate) => candidate !== leader);
    const next = await crew.until("the next leader", () => others.find(({ leads }) => leads !== undefined));
    takeoverMs.push(msBetween(killedAt, next.electedAt));
    candidates = [...others, crew.start(leader.node)];
    if (takeoverMs.length % 50 === 0) say(`${takeoverMs.length} takeovers`);
  }
  return {
    figures: figuresOf(takeoverMs, candidates[0]?.leaderlessMs ?? 0),
    samples: { "takeover, ms": takeoverMs },
  };
}

/**
 * The leader, once all see it and its renewals have been going on for long enough to fall in with.
 *
 * @param {readonly Candidate[]} candidates
 * @returns {Candidate | undefined}
 */
function followed(candidates) {
  const leader = candidates.find(({ leads }) => leads !== undefined);
  if (leader === undefined || candidates.some(({ sees }) => sees !== leader.leads)) return undefined;
  return leader.renewals >= 4 ? leader : undefined;
}

/**
 * @param {readonly number[]} takeoverMs
 * @param {number} leaderlessMs
 * @returns {readonly import("../table.mjs").Figure[]}
 */
function figuresOf(takeoverMs, leaderlessMs) {
  const name = "crash takeover, ttl 1 s,";
  const most = ttlMs + 500;
  const beside = `budget.leaderlessMs ${leaderlessMs} ms`;
  const why = "ttl + 0.5 s";
  const max = percentile(takeoverMs, 100);
  return [
    { name: `${name} p50`, value: percentile(takeoverMs, 50), unit: "ms", beside },
    { name: `${name} p99`, value: percentile(takeoverMs, 99), unit: "ms", most, why, beside },
    { name: `${name} max`, value: max, unit: "ms", most, why, beside },
    { name: `${name} max`, value: max, unit: "ms", most: leaderlessMs, why: "budget.leaderlessMs" },
  ];
}
