/**
 * A command that shows when it runs: `beat.mjs FILE LABEL [stubborn|slow]`.
 *
 * It and a child of it, in the same process group, append "LABEL PID HRTIME" to FILE every few milliseconds.
 * `stubborn`: neither of them ends on SIGTERM; `slow`: both need 2 s for it. Other signals are noted in the file, and end as usual.
 */

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";

const [file = "", label = "", mode = "", kin = ""] = process.argv.slice(2);

/** @param {string} what */
function note(what) {
  appendFileSync(file, `${label} ${process.pid} ${process.hrtime.bigint()} ${what}\n`);
}

process.on("SIGTERM", () => {
  note("SIGTERM");
  if (mode === "slow") setTimeout(() => process.exit(0), 2_000);
  else if (mode !== "stubborn") process.exit(0);
});
process.on("SIGUSR1", () => note("SIGUSR1"));
if (kin === "")
  spawn(process.execPath, [process.argv[1] ?? "", file, label, mode, "kin"], { stdio: "inherit" });
note("began");
setInterval(() => note("beat"), 4);
