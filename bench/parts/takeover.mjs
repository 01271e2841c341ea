/**
 * A leader is killed with `kill -9`; how long until the next one leads.
 *
 * Three candidates as processes of their own, ttl 1 s, the shortest there is.
 * The kill comes at a random place between two renewals, once everybody follows the leader.
 * Measured twice: from the kill, and from the last renewal that reached the store, whether or
 * not the killed process heard of it; that is where the printed bound counts from.
 */

import { overlapsOf, scenesOf } from "../../dist/audit/index.js";
import { createCrew, msBetween } from "../crew.mjs";
import { percentile } from "../numbers.mjs";

/** @typedef {import("../crew.mjs").Candidate} Candidate */

const ttlMs = 1_000;
const renewMs = ttlMs / 6;

/**
 * @param {import("../run.mjs").Context} context
 * @param {import("../crew.mjs").OpenPlace} openPlace
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureTakeover({ plan, session, say }, openPlace) {
  const place = await openPlace(session, "takeover");
  const crew = createCrew(session, { store: place.store, ttlMs });
  /** @type {Candidate[]} */
  let candidates = ["a", "b", "c"].map((node) => crew.start(node));
  const samples = {
    "takeover, ms": /** @type {number[]} */ ([]),
    "leaderless, ms": /** @type {number[]} */ ([]),
  };
  for (let count = 1; count <= plan.takeovers; count += 1) {
    const leader = await crew.until("a leader that all follow", () => followed(candidates));
    await session.pause(Math.random() * renewMs);
    const killedAt = leader.kill();
    crew.forget(leader);
    const others = candidates.filter((candidate) => candidate !== leader);
    const next = await crew.until("the next leader", () => others.find(({ leads }) => leads !== undefined));
    samples["takeover, ms"].push(msBetween(killedAt, next.electedAt));
    samples["leaderless, ms"].push(await place.leaderlessMs(leader, next));
    candidates = [...others, crew.start(leader.node)];
    if (count % 50 === 0) say(`${count} takeovers`);
  }
  const overlaps = scenesOf(crew.history).flatMap(({ terms }) => overlapsOf(terms));
  const overlapMs = overlaps.reduce((sum, { ns }) => sum + Number(ns) / 1e6, 0);
  return { figures: figuresOf(samples, candidates[0]?.leaderlessMs ?? 0, overlapMs), samples };
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
 * @param {Readonly<Record<"takeover, ms" | "leaderless, ms", readonly number[]>>} samples
 * @param {number} leaderlessMs
 * @param {number} overlapMs
 * @returns {readonly import("../table.mjs").Figure[]}
 */
function figuresOf(samples, leaderlessMs, overlapMs) {
  const name = "crash takeover, ttl 1 s,";
  const fromKill = { unit: "ms", most: ttlMs + 500, why: "ttl + 0.5 s" };
  const fromRenewal = { unit: "ms", most: leaderlessMs, why: "budget.leaderlessMs" };
  const { "takeover, ms": killed, "leaderless, ms": leaderless } = samples;
  return [
    { name: `${name} from the kill, p50`, value: percentile(killed, 50), unit: "ms" },
    { name: `${name} from the kill, p99`, value: percentile(killed, 99), ...fromKill },
    { name: `${name} from the kill, max`, value: percentile(killed, 100), ...fromKill },
    { name: `${name} from the last renewal, p50`, value: percentile(leaderless, 50), unit: "ms" },
    { name: `${name} from the last renewal, p99`, value: percentile(leaderless, 99), ...fromRenewal },
    { name: `${name} from the last renewal, max`, value: percentile(leaderless, 100), ...fromRenewal },
    { name: `${name} belief overlap`, value: overlapMs, unit: "ms", most: 0, why: "budget.overlapMs" },
  ];
}
