/**
 * One run: the directory, the clients, the nemesis for as long as was asked, the end of them all, the verdict.
 *
 * Promise: whatever ends it (success, failure, a signal), no process is left, and no directory unless it
 * was asked for.
 */

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freshId } from "../dist/base/random.js";
import { realClock } from "../dist/base/real-clock.js";
import { createHistory } from "../dist/history/writer.js";
import { chanceOf } from "./chance.mjs";
import { Crew } from "./crew.mjs";
import { Doubles } from "./doubles.mjs";
import { judgeRun } from "./judge.mjs";
import { Nemesis } from "./nemesis.mjs";
import { fileOf, nodesOf, placesIn } from "./places.mjs";
import { openTortureStore } from "./store.mjs";
import { workloads } from "./workloads.mjs";

/**
 * @typedef {object} RunOptions
 * @property {import("./arguments.mjs").Arguments} arguments
 * @property {AbortSignal} interrupted
 * @property {(text: string) => void} say
 */

const progressMs = 5_000;
/** One pause in so much time is demanded: twenty in two minutes for the usual ttl. */
const pauseEvery = { ms: 6_000, ttls: 3 };
/** And one of each other fault. */
const otherEvery = { ms: 20_000, ttls: 10 };

/**
 * @param {RunOptions} options
 * @returns {Promise<import("./judge.mjs").Verdict>} rejects with a usage error when there is no such store
 */
export async function runTorture({ arguments: asked, interrupted, say }) {
  const { store, keep } = asked;
  const plan = planOf(asked);
  const where = store === undefined ? "a fresh directory" : await lookAtStore(store, plan.ttlMs);
  const root = mkdtempSync(join(tmpdir(), "tenure-torture-"));
  // Clients may be writing their last lines there.
  const remove = () => keep || rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  process.on("exit", remove);
  try {
    prepare(root, plan);
    say(`${workloads[plan.workload].about}, ${plan.form}; ${plan.clients} clients elect on ${where}`);
    say(`${plan.seconds} s, ttl ${plan.ttlMs} ms, seed ${plan.seed}${plan.calm ? ", no faults" : ""}`);
    const storeUrl = store ?? `file:${placesIn(root).store}`;
    const workload = workloads[plan.workload];
    const opened = await workload.open(plan.form, placesIn(root).resource, nodesOf(plan));
    try {
      const appliers = workload.appliers?.nodes ?? [];
      const crew = new Crew({ root, plan, storeUrl, opened, keep }, appliers, interrupted);
      const doubles = new Doubles({ root, plan }, opened);
      await perform({ crew, root, plan, workload, opened, doubles, say });
      await opened.collect();
    } finally {
      await opened.close();
    }
    return await judgeRun(root);
  } finally {
    if (keep) say(`kept: ${root}`);
    remove();
    process.off("exit", remove);
  }
}

/**
 * @param {string} url
 * @param {number} ttlMs
 * @returns {Promise<string>} what to call it: without the password that a URL may carry
 */
async function lookAtStore(url, ttlMs) {
  const place = await openTortureStore(url, ttlMs);
  await place.store[Symbol.asyncDispose]();
  return `${place.url}, ${place.reach}`;
}

/**
 * @param {import("./arguments.mjs").Arguments} asked
 * @returns {import("./places.mjs").Plan}
 */
function planOf({ workload, form, seconds, ttlMs, clients, seed, calm }) {
  const needed = (/** @type {{ readonly ms: number, readonly ttls: number }} */ every) =>
    calm ? 0 : Math.max(1, Math.floor((seconds * 1_000) / Math.max(every.ms, every.ttls * ttlMs)));
  const [neededPauses, neededOthers] = [needed(pauseEvery), needed(otherEvery)];
  // A name of its own, since the store may be one that others use as well.
  const election = `torture-${workload}-${freshId().slice(0, 8)}`;
  const schema = /** @type {const} */ ("tenure.torture-plan/1");
  return {
    schema,
    workload,
    form,
    election,
    seconds,
    ttlMs,
    clients,
    seed,
    calm,
    neededPauses,
    neededOthers,
  };
}

/**
 * @param {string} root
 * @param {import("./places.mjs").Plan} plan
 */
function prepare(root, plan) {
  const places = placesIn(root);
  for (const path of [places.histories, places.work, places.logs]) mkdirSync(path);
  writeFileSync(places.plan, JSON.stringify(plan));
}

/**
 * @typedef {object} Performance
 * @property {Crew} crew
 * @property {string} root
 * @property {import("./places.mjs").Plan} plan
 * @property {import("./workloads.mjs").Workload} workload
 * @property {import("./workloads.mjs").Opened} opened
 * @property {Doubles} doubles
 * @property {(text: string) => void} say
 */

/** @param {Performance} performance */
async function perform({ crew, root, plan, workload, opened, doubles, say }) {
  const kill = () => {
    for (const seat of crew.all) seat.signal("SIGKILL");
    doubles.kill();
  };
  process.on("exit", kill);
  const identity = { node: "harness", namespace: "default", election: plan.election };
  const path = fileOf(placesIn(root).histories, identity.node, 1);
  const history = createHistory(
    realClock,
    (line) => appendFileSync(path, `${line}\n`),
    identity,
    (cause) => {
      throw cause;
    },
  );
  const chance = chanceOf(plan.seed, "nemesis");
  const fraction = () => chance.fraction();
  const nemesis = new Nemesis({ crew, plan, workload, opened, doubles, history, fraction });
  try {
    for (const seat of crew.appliers) seat.fill();
    await crew.allApply();
    for (const seat of crew.seats) seat.fill();
    await crew.until("a first write", () => crew.answers.length > 0 || undefined);
    if (!plan.calm) nemesis.begin();
    const wholeMs = plan.seconds * 1_000;
    // A slow machine makes fewer turns: it is given as long again for what must land.
    const goesOn = (/** @type {number} */ leftMs) => leftMs > 0 || (nemesis.lacksSome && leftMs > -wholeMs);
    for (let leftMs = wholeMs; goesOn(leftMs); leftMs -= progressMs) {
      if (leftMs > 0) await crew.pause(Math.min(leftMs, progressMs));
      else await crew.within(progressMs, "what must land", () => !nemesis.lacksSome || undefined);
      say(progress(crew, nemesis));
    }
    await nemesis.end();
    await crew.allApply();
    await crew.dismiss(crew.seats);
    await crew.dismiss(crew.appliers);
  } finally {
    doubles.kill();
    await crew.end();
    process.off("exit", kill);
  }
}

/**
 * @param {Crew} crew
 * @param {Nemesis} nemesis
 */
function progress({ answers, leader, all }, { counts }) {
  const of = (/** @type {import("./seat.mjs").Answer["kind"]} */ wanted) =>
    answers.filter(({ kind }) => kind === wanted).length;
  const still = all.filter(({ stopped }) => stopped).length;
  return (
    `${of("acknowledged")} writes acknowledged, ${of("refused")} refused; ${counts.landed} pauses landed ` +
    `between check and write, ${counts.stops} others, ${counts.kills} kills${others(counts)}; ` +
    `${still === 0 ? "" : `${still} stand still, `}${leader === undefined ? "nobody" : leader.node} leads`
  );
}

/** @param {Nemesis["counts"]} counts */
function others({ inside, cut, double, applierStop, applierKill }) {
  const words = [
    [inside + applierStop, "stops inside"],
    [cut, "cuts at a commit"],
    [double, "doubles"],
    [applierKill, "kills inside"],
  ];
  return words.map(([count, word]) => (count === 0 ? "" : `, ${count} ${word}`)).join("");
}
