// Fetches the servers that tests need and this machine lacks, and says where each one is. Exit code 1 when one is
// missing in the end.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** @typedef {typeof import("../test/servers/unpack.js")} Unpack */

const file = fileURLToPath(new URL("../test/servers/unpack.ts", import.meta.url));
const { provideAll } = /** @type {Unpack} */ ((await runnerImport(file)).module);

for (const { name, found } of provideAll()) {
  if ("missing" in found) {
    console.error(`${name}: ${found.missing}`);
    process.exitCode = 1;
  } else console.log(`${name}: ${found.path}`);
}
