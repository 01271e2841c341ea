/** The servers of the tests, for plain JavaScript: they are TypeScript, which Node.js 20 does not read. */

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const file = fileURLToPath(new URL("for-programs.ts", import.meta.url));

/** @returns {Promise<typeof import("./for-programs.js")>} */
export async function loadServers() {
  return /** @type {typeof import("./for-programs.js")} */ ((await runnerImport(file)).module);
}
