/**
 * One candidate of the demo: an entry of its own, started as a child process.
 *
 * Promise: writes each history line down before anything else hears of it; leaves
 * cleanly on SIGTERM, with nothing of the library keeping it alive; and never outlives
 * the parent, whatever ended that.
 */

import { appendFileSync, rmSync } from "node:fs";
import { realClock } from "../../base/real-clock.js";
import type { Logger } from "../../election/events.js";
import type { HistoryLine } from "../../history/line.js";
import { createHistory } from "../../history/writer.js";
import { silenceFault } from "./fault-kinds.js";
import { type Assignment, type FromCandidate, readMessage, type ToCandidate } from "./messages.js";
import { historyPath, placesIn } from "./places.js";
import { createDemoElection, electionName, namespace } from "./settings.js";
import { witness } from "./witness.js";

const { root, node, start, keep } = JSON.parse(process.argv[2] ?? "{}") as Assignment;
const places = placesIn(root);
const path = historyPath(places, node, start);
let frozenSibling: number | undefined;
let finished = false;

function tell(message: FromCandidate): void {
  // A parent that is gone is noticed by "disconnect".
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function writeDown(line: string): void {
  appendFileSync(path, `${line}\n`);
  const told = JSON.parse(line) as HistoryLine;
  const { event, at } = told;
  if (event === "elected" || event === "extended" || event === "lost" || event === "released") {
    tell({ type: "told", event, token: told.token, at });
  }
}

const logger: Logger = {
  debug() {},
  info() {},
  warn: (fields, message) => console.error("warn", message, fields),
  error: (fields, message) => console.error("error", message, fields),
};

function abandon(): void {
  if (finished) return;
  try {
    if (frozenSibling !== undefined) process.kill(frozenSibling, "SIGCONT");
  } catch {
    // It is gone already.
  }
  if (!keep) rmSync(root, { recursive: true, force: true });
  process.exit(1);
}

process.on("disconnect", abandon);
process.on("message", (value) => {
  frozenSibling = readMessage<ToCandidate>(value)?.pid;
});
// Ctrl-C reaches the whole group; the parent decides what ends when.
process.on("SIGINT", () => {});

const own = createHistory(realClock, writeDown, { node, namespace, election: electionName }, (cause) => {
  throw cause;
});
const { election, closeStore } = createDemoElection({
  storeDirectory: places.store,
  node,
  history: writeDown,
  logger,
  onSilence: () => own.write({ event: "fault", fault: silenceFault }),
});

election.on("leaderChanged", (view) => {
  if (view.kind !== "held" || view.token === undefined) return;
  // A view names no instance; the token says which term is meant.
  own.write({ event: "observed", instance: "", token: view.token });
  tell({ type: "sees", token: view.token });
});

process.on("SIGTERM", () => {
  void election
    .stop()
    .then(closeStore)
    .finally(() => {
      finished = true;
      if (process.connected) process.disconnect();
    });
});

try {
  await election.run((leadership) =>
    witness(leadership, realClock, writeDown, (wake) => tell({ type: "woke", ...wake })),
  );
} catch (cause) {
  tell({ type: "failed", message: String(cause) });
  process.exitCode = 1;
}
