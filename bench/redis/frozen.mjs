/**
 * The server stops answering while a lease is held: how long until the holder is told.
 *
 * Every holder is a process with a server of its own, which is stopped with SIGSTOP at a random place of the ttl: its
 * connections stay open, nothing is refused, no answer comes. In each wave all holders hold first, then all servers are
 * frozen, so that nothing starts while it is measured, and a busy moment is busy for all. Waits are bounded.
 */

import { etcdIsThere } from "./server.mjs";
import { startHolder } from "./holder.mjs";
import { contenders } from "../contenders/all.mjs";
import { installPeers, versionOf } from "../peers/install.mjs";
import { figuresOfOurs, markdownOf } from "./frozen-table.mjs";

/** @typedef {import("./holder.mjs").Entry} Entry */
/** @typedef {import("./holder.mjs").Telling} Telling */
/**
 * @typedef {object} Row
 * @property {Entry} entry
 * @property {string} title
 * @property {Telling[]} tellings
 * @property {number} lostBefore how often it held no more when its server was to be frozen: no telling of a freeze
 */

const ttlMs = 2_000;

/** A quarter of the ttl: what a user may set who wants to hear of a silent server. */
const commandTimeoutMs = 500;

/** Processes that start at the same time take each other's processor. */
const startAtOnce = 4;

/** The others release and acquire from elsewhere; these keep what they hold. */
const holders = Object.values(contenders);

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureFrozen({ plan, session, say }) {
  await installPeers(say);
  const withEtcd = await etcdIsThere();
  if (!withEtcd) say("etcd is not in PATH: etcd3 is left out");
  const rows = await Promise.all(entries(withEtcd).map(rowOf));
  for (let wave = 0; wave < plan.frozenWaves; wave += 1) {
    await runWave(session, rows, { plan, wave });
    await session.endChildren();
    say(`wave ${wave + 1} of ${plan.frozenWaves}`);
  }
  const settings = { ttlMs, limitMs: plan.frozenLimitMs };
  return {
    figures: figuresOfOurs(rows, settings),
    samples: Object.fromEntries(rows.flatMap(samplesOf)),
    markdown: markdownOf(rows, settings),
  };
}

/**
 * @param {boolean} withEtcd
 * @returns {readonly Entry[]} each library as it comes, and on a client with a timeout where that can be set
 */
function entries(withEtcd) {
  return holders.flatMap(({ package: name, server }) => {
    if (server === "etcd" && !withEtcd) return [];
    const entry = { package: name, server, commandTimeoutMs: undefined };
    return server === "redis" && name !== "tenure" ? [entry, { ...entry, commandTimeoutMs }] : [entry];
  });
}

/**
 * @param {Entry} entry
 * @returns {Promise<Row>}
 */
async function rowOf(entry) {
  const name = entry.package === "tenure" ? "Tenure" : `${entry.package} ${await versionOf(entry.package)}`;
  const title =
    entry.commandTimeoutMs === undefined ? name : `${name}, \`commandTimeout\` ${commandTimeoutMs} ms`;
  return { entry, title, tellings: [], lostBefore: 0 };
}

/**
 * @param {import("../session.mjs").Session} session
 * @param {readonly Row[]} rows
 * @param {{ readonly plan: import("../plan.mjs").Plan, readonly wave: number }} settings
 */
async function runWave(session, rows, { plan, wave }) {
  const all = rows.flatMap((row) =>
    Array.from({ length: row.entry.package === "tenure" ? plan.frozenCopies : 1 }, () => row),
  );
  const inTurn = [...all.slice(wave % all.length), ...all.slice(0, wave % all.length)];
  /** @type {{ row: Row, holder: import("./holder.mjs").Holder }[]} */
  const held = [];
  for (let from = 0; from < inTurn.length; from += startAtOnce) {
    const some = inTurn.slice(from, from + startAtOnce).map(async (row, index) => {
      const directory = `frozen-${wave}-${from + index}`;
      return { row, holder: await startHolder(session, row.entry, { ttlMs, directory }) };
    });
    held.push(...(await Promise.all(some)));
  }
  const tellings = held.map(async ({ row, holder }) => {
    // Each has renewed by then, and its server stops anywhere between two renewals.
    await session.pause(ttlMs + Math.random() * ttlMs);
    return { row, telling: await holder.freeze(plan.frozenLimitMs) };
  });
  for (const { row, telling } of await Promise.all(tellings)) {
    if (telling === undefined) row.lostBefore += 1;
    else row.tellings.push(telling);
  }
}

/**
 * @param {Row} row
 * @returns {readonly (readonly [string, readonly number[]])[]}
 */
function samplesOf({ title, tellings, lostBefore }) {
  const told = tellings.flatMap(({ afterFreezeMs }) => (afterFreezeMs === undefined ? [] : [afterFreezeMs]));
  return [
    [`${title}: told after the freeze, ms`, told],
    [
      `${title}: told, or still silent at the limit, after the last confirmed renewal, ms`,
      tellings.map((telling) => telling.afterRenewalMs),
    ],
    [`${title}: not told, times`, [tellings.length - told.length]],
    [`${title}: lost before the freeze, times`, [lostBefore]],
  ];
}
