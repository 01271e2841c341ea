/**
 * A candidate as its own process: `candidate.mjs DIRECTORY MODE TTL_MS`.
 *
 * MODE `lead`: campaigns and stays; SIGTERM resigns. MODE `once`: one tryCampaign, then leads on if elected.
 * Tells its story on stdout, one JSON object a line, with the monotonic clock shared by all processes.
 */

import process from "node:process";

// The built package, with the types of its sources: these files are checked before there is a build.
/** @type {unknown} */
const builtFace = await import(new URL("../../dist/index.js", import.meta.url).href);
/** @type {unknown} */
const builtFile = await import(new URL("../../dist/stores/file/index.js", import.meta.url).href);
const { createElection } = /** @type {typeof import("../../src/index.js")} */ (builtFace);
const { fileStore } = /** @type {typeof import("../../src/stores/file/index.js")} */ (builtFile);

const [directory = "", mode = "", ttlMs = "2000"] = process.argv.slice(2);

/** @param {string} event @param {object} [more] */
function tell(event, more = {}) {
  const at = Number(process.hrtime.bigint() / 1_000n) / 1_000;
  process.stdout.write(`${JSON.stringify({ event, at, pid: process.pid, ...more })}\n`);
}

const store = fileStore(directory);
const election = createElection({ name: "job", store, ttlMs: Number(ttlMs) });
process.once("SIGTERM", () => void election.stop().then(() => tell("stopped")));
election.on("lost", ({ reason, lateByMs }) => tell("lost", { reason, lateByMs }));
election.on("released", ({ outcome }) => tell("released", { outcome }));
tell("started");
if (mode === "once") {
  const attempt = await election.tryCampaign();
  const node = attempt.kind === "held" ? attempt.by.node : election.node;
  tell(attempt.kind, { node });
  if (attempt.kind === "held") await election.stop();
} else {
  await election.run(async (leadership) => {
    tell("elected", { token: leadership.token });
    await leadership.ended;
  });
}
