/**
 * The libraries beside Tenure: installed when a part first needs them, and loaded from this folder alone.
 *
 * No part of the package and none of its development: `npm ci` here follows the lock file of this folder, and runs
 * no script of what it installs.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const folder = new URL("./", import.meta.url);
const note = new URL("node_modules/.tenure-lock.json", folder);

/**
 * @param {(text: string) => void} say
 * @returns {Promise<void>}
 */
export async function installPeers(say) {
  const lock = await readFile(new URL("package-lock.json", folder), "utf8");
  const installed = await readFile(note, "utf8").catch(() => "");
  if (installed === lock) return;
  say("installing the other libraries into bench/peers ...");
  // One of them asks for a later Node.js, and works on this one.
  const flags = ["--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = spawn("npm", ["ci", ...flags], { cwd: fileURLToPath(folder), stdio: ["ignore", 2, 2] });
  const [code] = /** @type {[number | null]} */ (await once(child, "exit"));
  if (code !== 0) throw new Error(`npm ci in bench/peers ended with ${code}`);
  await writeFile(note, lock);
}

/**
 * @param {string} name
 * @returns {Promise<unknown>} what the package exports; whoever asks says what that is
 */
export async function loadPeer(name) {
  return import(name);
}

/**
 * @param {string} name
 * @returns {Promise<string>} its version
 */
export async function versionOf(name) {
  const text = await readFile(new URL(`node_modules/${name}/package.json`, folder), "utf8");
  const { version } = /** @type {{ version: string }} */ (JSON.parse(text));
  return version.replace(/^v/, "");
}
