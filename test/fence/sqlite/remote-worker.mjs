/** Carries questions to the process that has the database, and wakes the thread that waits for the answer. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { workerData } from "node:worker_threads";

const { signal, port, node, path, file } =
  /** @type {{ signal: Int32Array, port: import("node:worker_threads").MessagePort, node: string, path: string, file: string }} */ (
    workerData
  );

const host = fileURLToPath(new URL("remote-host.mjs", import.meta.url));
const child = spawn(node, ["--no-warnings", host, path, file], { stdio: ["pipe", "pipe", "inherit"] });

/** @param {unknown} answer */
function tell(answer) {
  port.postMessage(answer);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

createInterface(child.stdout).on("line", (line) => tell(JSON.parse(line)));
child.stdin.on("error", () => {});
child.once("close", (code, by) => {
  tell({ error: { message: `the process of the database ended with ${code ?? by}` } });
  port.close();
});
port.on("message", (question) => {
  if (question === undefined) child.stdin.end();
  else child.stdin.write(`${JSON.stringify(question)}\n`);
});
