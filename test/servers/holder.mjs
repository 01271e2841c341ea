// Starts servers and says so, as a bench would: plain Node.js, with the harness loaded through vite. Then it ends in
// the way that it is told, or is killed, and leaves the servers to the guardian.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** @typedef {typeof import("./redis.js")} Redis */

const file = fileURLToPath(new URL("redis.ts", import.meta.url));
const { startRedis } = /** @type {Redis} */ ((await runnerImport(file)).module);

const [one, frozen] = await Promise.all([startRedis(), startRedis()]);
const proxy = await one.proxy();
await frozen.freeze();
await one.snapshot();
console.log(JSON.stringify({ pids: [one.pid, frozen.pid], proxyPort: proxy.port }));
if (process.argv[2] === "exit") process.exit(3);
if (process.argv[2] === "throw") throw new Error("as told");
