/** A holder process and the server that is its own: from its start until it is told that it holds no more. */

import { msBetween } from "../crew.mjs";
import { startEtcd, startRedis } from "./server.mjs";

/** @typedef {import("../frozen-child.mjs").FromHolder} FromHolder */

/**
 * @typedef {object} Entry what one row of the table asks for
 * @property {string} package
 * @property {"redis" | "etcd"} server
 * @property {number | undefined} commandTimeoutMs
 *
 * @typedef {object} Telling
 * @property {number | undefined} afterFreezeMs undefined: not told within the limit
 * @property {number} afterRenewalMs from when the last confirmed renewal was sent, until told or until the limit
 * @property {string} how
 *
 * @typedef {object} Holder
 * @property {Entry} entry
 * @property {(limitMs: number) => Promise<Telling | undefined>} freeze stops the server and waits to be told;
 *   undefined: it had lost its lease before, and this proves nothing
 */

/** Several times what a start takes when many start at once. */
const startLimitMs = 60_000;

/**
 * @param {import("../session.mjs").Session} session
 * @param {Entry} entry
 * @param {{ readonly ttlMs: number, readonly directory: string }} settings
 * @returns {Promise<Holder>} when it holds
 */
export async function startHolder(session, entry, { ttlMs, directory }) {
  const server = entry.server === "redis" ? await startRedis(session) : await startEtcd(session, directory);
  const args = [entry.package, server.port, ttlMs, entry.commandTimeoutMs ?? "none"].map(String);
  const child = session.start("frozen-child.mjs", args);
  const first = await answerOf(child, session, { name: entry.package, limitMs: startLimitMs });
  if (first?.said !== "held") throw new Error(`${entry.package} did not acquire: ${describe(first)}`);
  return {
    entry,
    async freeze(limitMs) {
      const told = answerOf(child, session, { name: entry.package, limitMs });
      const frozenAt = server.freeze();
      const message = (await told) ?? (await askedAtTheLimit(child, session, entry.package));
      if (message.said === "told") {
        const at = BigInt(message.at);
        if (at < frozenAt) return undefined;
        const afterRenewalMs = msBetween(BigInt(message.confirmedAt), at);
        return { afterFreezeMs: msBetween(frozenAt, at), afterRenewalMs, how: message.how };
      }
      if (message.said !== "silent") throw new Error(`${entry.package}: ${describe(message)}`);
      const afterRenewalMs = msBetween(BigInt(message.confirmedAt), process.hrtime.bigint());
      return { afterFreezeMs: undefined, afterRenewalMs, how: "not told" };
    },
  };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {import("../session.mjs").Session} session
 * @param {string} name
 * @returns {Promise<FromHolder>}
 */
async function askedAtTheLimit(child, session, name) {
  child.send("ask");
  const answer = await answerOf(child, session, { name, limitMs: startLimitMs });
  if (answer === undefined) throw new Error(`${name} does not answer`);
  return answer;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {import("../session.mjs").Session} session
 * @param {{ readonly name: string, readonly limitMs: number }} wait
 * @returns {Promise<FromHolder | undefined>} its next message; undefined: none within the limit
 */
function answerOf(child, session, { name, limitMs }) {
  return new Promise((resolve, reject) => {
    const settle = (/** @type {() => void} */ act) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      session.interrupted.removeEventListener("abort", onAbort);
      act();
    };
    const onMessage = (/** @type {unknown} */ message) =>
      settle(() => resolve(/** @type {FromHolder} */ (message)));
    const onExit = () => settle(() => reject(new Error(`${name} ended by itself`)));
    const onError = (/** @type {Error} */ cause) => settle(() => reject(cause));
    const onAbort = () => settle(() => reject(/** @type {Error} */ (session.interrupted.reason)));
    const timer = setTimeout(() => settle(() => resolve(undefined)), limitMs);
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
    session.interrupted.addEventListener("abort", onAbort);
    if (session.interrupted.aborted) onAbort();
  });
}

/** @param {FromHolder | undefined} message */
function describe(message) {
  if (message === undefined) return "no word within the limit";
  return message.said === "failed" ? message.message : JSON.stringify(message);
}
