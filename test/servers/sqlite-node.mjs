/** The Node.js that has `node:sqlite`: this one, or the one that `npm run servers` unpacks. */

import process from "node:process";
import { loadServers } from "./load.mjs";

/** @returns {Promise<string>} path of its program */
export async function locateSqliteNode() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  return major >= 22 ? process.execPath : (await loadServers()).locateOrThrow("node22").path;
}
