/**
 * Servers of the bench: each on a fresh port of 127.0.0.1, keeping nothing, and gone with the session.
 *
 * A frozen server is stopped with SIGSTOP: its connections stay open, and nobody answers. It promises no more than
 * `kill(2)`: the server stops within microseconds, unless the machine gives it no processor to stop on.
 */

import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import process from "node:process";
import { openWire } from "./wire.mjs";

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {() => bigint} freeze answers the instant before it, in the nanoseconds of `process.hrtime`
 */

/**
 * @typedef {Server & { readonly url: string, readonly wire: import("./wire.mjs").Wire }} RedisServer
 */

/**
 * @param {import("../session.mjs").Session} session
 * @returns {Promise<RedisServer>}
 */
export async function startRedis(session) {
  const port = await freshPort();
  const args = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const child = session.spawn("redis-server", args);
  await untilSaid(child, "Ready to accept connections", "redis-server");
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    wire: await openWire(port),
    freeze: () => freeze(child),
  };
}

/**
 * @param {import("../session.mjs").Session} session
 * @param {string} name of its directory
 * @returns {Promise<Server>}
 */
export async function startEtcd(session, name) {
  const [port, peerPort] = [await freshPort(), await freshPort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const addresses = [
    ["--listen-client-urls", client],
    ["--advertise-client-urls", client],
    ["--listen-peer-urls", peer],
    ["--initial-advertise-peer-urls", peer],
    ["--initial-cluster", `default=${peer}`],
  ].flat();
  // With its default of 1 s the least lease is 2 s; so it is granted what it was asked for.
  const timing = ["--heartbeat-interval", "50", "--election-timeout", "250"];
  const directory = await session.directory(name);
  const child = session.spawn("etcd", ["--data-dir", directory, ...addresses, ...timing]);
  await untilSaid(child, "ready to serve client requests", "etcd");
  return { port, freeze: () => freeze(child) };
}

/** @returns {Promise<boolean>} */
export async function etcdIsThere() {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = folders.map(async (folder) => access(join(folder, "etcd"), constants.X_OK));
  return Promise.any(found).then(
    () => true,
    () => false,
  );
}

/** @param {import("node:child_process").ChildProcess} child */
function freeze(child) {
  const at = process.hrtime.bigint();
  child.kill("SIGSTOP");
  return at;
}

/** @returns {Promise<number>} one that nobody had a moment ago */
async function freshPort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port to be had");
  return address.port;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} words
 * @param {string} name
 * @returns {Promise<void>}
 */
function untilSaid(child, words, name) {
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (/** @type {Buffer} */ chunk) => {
      if (said.includes(words)) return;
      said += chunk.toString("latin1");
      if (said.includes(words)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("error", (cause) => reject(new Error(`${name} did not start: ${cause.message}`)));
    child.once("exit", (code, signal) => {
      reject(new Error(`${name} ended with ${code ?? signal}: ${said.trim().slice(-300)}`));
    });
  });
}
