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
import { blockUntilFile } from "./block.js";
import type { CandidateParts } from "./candidate.js";
import { createElectorCandidate } from "./elector-candidate.js";
import { createHold } from "./hold.js";
import {
  type Assignment,
  type FromCandidate,
  readMessage,
  siteVariable,
  type ToCandidate,
} from "./messages.js";
import { createNaiveElector } from "../../lab/foreign/naive-elector.js";
import { historyPath, placesIn, recordPath, workPath } from "./places.js";
import type { RecordLine } from "./record-line.js";
import { electionName } from "./settings.js";
import { clear, openStore, type Site, storeKey } from "./site.js";
import { stamped } from "./stamp.js";
import { createTenureCandidate } from "./tenure-candidate.js";
import { toldStore } from "./told-store.js";
import type { WorkLine } from "./work-line.js";

const { root, node, start, elector, keep } = JSON.parse(process.argv[2] ?? "{}") as Assignment;
const places = placesIn(root);
const path = historyPath(places, node, start);
let frozenSibling: number | undefined;
let finished = false;
/** The parent is gone: what is told now is told to nobody, and its directory goes. */
let abandoned = false;

const site = JSON.parse(process.env[siteVariable] ?? "{}") as Site;
const store =
  site.kind === "server"
    ? toldStore(openStore(site, places.store), tellRecord)
    : openStore(site, places.store);

function tellRecord(line: RecordLine): void {
  if (abandoned) return;
  appendFileSync(recordPath(places, node, start), `${JSON.stringify(line)}\n`);
}

function tell(message: FromCandidate): void {
  // A parent that is gone is noticed by "disconnect".
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function writeDown(line: string): void {
  if (abandoned) return;
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

function fail(cause: unknown): void {
  tell({ type: "failed", message: String(cause) });
  process.exitCode = 1;
}

function abandon(): void {
  if (finished) return;
  abandoned = true;
  try {
    if (frozenSibling !== undefined) process.kill(frozenSibling, "SIGCONT");
  } catch {
    // It is gone already.
  }
  void clearUp().finally(() => {
    if (!keep) rmSync(root, { recursive: true, force: true });
    process.exit(1);
  });
}

/** First nothing more is written to the store, then what was is removed. */
async function clearUp(): Promise<void> {
  await store[Symbol.asyncDispose]();
  await clear(site);
}

process.on("disconnect", abandon);
process.on("message", (value) => {
  const message = readMessage<ToCandidate>(value);
  if (message?.type === "frozen") frozenSibling = message.pid;
  if (message?.type === "hold") hold.arm();
  if (message?.type === "release") hold.release(message.stale);
  if (message?.type === "block") {
    blockUntilFile(message.until);
    // The first statement after the block, before any timer or answer: may I still act?
    candidate.look();
  }
  if (message?.type === "transfer") {
    void candidate.transfer().then((handover) => tell({ type: "asked", ...handover }), fail);
  }
});
// Ctrl-C reaches the whole group; the parent decides what ends when.
process.on("SIGINT", () => {});

const identity = { node, namespace: site.namespace, election: electionName };
const own = createHistory(realClock, writeDown, identity, (cause) => {
  throw cause;
});
const hold = createHold((token) => tell({ type: "held", token }));
const parts: CandidateParts = {
  places,
  store,
  key: storeKey(site),
  identity,
  sink: writeDown,
  own,
  logger,
  account: {
    node,
    now: () => realClock.hrtimeNs(),
    tell: (at, event) => writeDown(stamped(realClock, identity, at, event)),
    write: (line: WorkLine) => appendFileSync(workPath(places, node, start), `${JSON.stringify(line)}\n`),
  },
  hold,
  onWrote: (token) => tell({ type: "wrote", token }),
  onTried: (token) => tell({ type: "tried", token }),
  onLeader: (token) => tell({ type: "sees", token }),
  onWake: (wake) => tell({ type: "woke", ...wake }),
};
const candidate =
  elector === "naive" ? createElectorCandidate(createNaiveElector, parts) : createTenureCandidate(parts);

process.on("SIGTERM", () => {
  void candidate.stop().finally(() => {
    finished = true;
    if (process.connected) process.disconnect();
  });
});

try {
  await candidate.run();
} catch (cause) {
  fail(cause);
}
