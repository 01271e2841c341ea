/**
 * One run: the directory, the candidates, the faults in turn, and the end of them all.
 *
 * Promise: whatever ends it (success, failure, a signal), no process is left, and no
 * directory unless it was asked for.
 */

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realChance } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import { createHistory } from "../../history/writer.js";
import type { RedisUrl } from "../store-url.js";
import { describeFailure } from "../exit-codes.js";
import { boundsOf, type Plan } from "./bounds.js";
import { createCrew, isBroken } from "./crew.js";
import { readEvidence } from "./evidence.js";
import { faultKinds } from "./fault-kinds.js";
import { faults } from "./faults.js";
import { failedRun, judge, type Verdict } from "./judge.js";
import { historyPath, type Places, placesIn, recordPath } from "./places.js";
import { leaderAt, type Play, stable } from "./play.js";
import {
  allowanceMs,
  demoBudget,
  electionName,
  type ElectorName,
  handoverMs,
  silenceMs,
  ttlMs,
} from "./settings.js";
import { clear, openStore, reach, type Site, siteOf, storeKey, told } from "./site.js";
import { Watcher } from "./watcher.js";

export interface RunOptions {
  readonly elector: ElectorName;
  readonly rounds: number;
  /** Undefined: in a directory. */
  readonly store: RedisUrl | undefined;
  readonly keep: boolean;
  readonly interrupted: AbortSignal;
  readonly say: (text: string) => void;
  /** Called with the directory when it exists: the last resort of a process that must end at once. */
  readonly onDirectory: (root: string) => void;
}

export async function runDemo(options: RunOptions): Promise<Verdict> {
  const { elector, rounds, keep, interrupted, say, onDirectory } = options;
  const site = siteOf(options.store);
  await reach(site);
  const plan: Plan = {
    schema: "tenure.demo-plan/1",
    elector,
    rounds,
    site: told(site),
    startedAt: realClock.hrtimeNs().toString(),
    ttlMs,
    handoverMs,
    allowanceMs,
    silenceMs,
    budget: demoBudget(),
  };
  const root = mkdtempSync(join(tmpdir(), "tenure-demo-"));
  onDirectory(root);
  const places = placesIn(root);
  for (const path of [places.histories, places.work, places.records, places.logs]) mkdirSync(path);
  writeFileSync(places.plan, JSON.stringify(plan));
  const crew = createCrew({ places, site, elector, keep }, interrupted);
  const identity = { node: "harness", namespace: site.namespace, election: electionName };
  const path = historyPath(places, identity.node, 1);
  const history = createHistory(
    realClock,
    (line) => appendFileSync(path, `${line}\n`),
    identity,
    (cause) => {
      throw cause;
    },
  );
  const play: Play = { crew, places, history, bounds: boundsOf(plan), say };
  const watcher = watch(site, places);
  try {
    await perform(play, plan);
    await crew.end();
    await watcher?.end();
    for (const { message } of watcher?.findings ?? []) say(`found on the server: ${message}`);
    return judge(await readEvidence(root));
  } catch (cause) {
    if (!isBroken(cause)) throw cause;
    return failedRun(cause.message, plan);
  } finally {
    await crew.end();
    await watcher?.end();
    // The verdict stands, whether or not the server lets us clear up.
    await clear(site).catch((cause: unknown) =>
      say(`what the run left on the server stays: ${describeFailure(cause)}`),
    );
    if (keep) say(`kept: ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

/** A directory keeps every record itself. */
function watch(site: Site, places: Places): Watcher | undefined {
  if (site.kind === "directory") return undefined;
  const path = recordPath(places, "watcher", 1);
  const tell = (line: object) => appendFileSync(path, `${JSON.stringify(line)}\n`);
  const watcher = new Watcher(openStore(site, places.store), storeKey(site), tell);
  watcher.start();
  return watcher;
}

async function perform(play: Play, plan: Plan): Promise<void> {
  const { crew, say } = play;
  const { elector, rounds } = plan;
  announce(play, plan);
  for (const seat of crew.seats) seat.fill();
  const { seat, token } = await stable(play);
  say(`${seat.node} leads with token ${token}, the others follow`);
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const kind of faultKinds) {
      const victim = await leaderAt(play, round === 1 ? 0 : realChance.fraction());
      // Only a leader itself can give back the lease of an elector that knows no handover.
      const others = elector === "naive" || round % 2 === 1 ? [] : crew.seats;
      const asker = others.find((seat) => seat !== victim.seat) ?? victim.seat;
      await faults[kind](play, victim, asker);
    }
  }
  const last = await stable(play);
  // Followers first, so that the end makes no new leader.
  const order = [...crew.seats.filter((seat) => seat !== last.seat), last.seat];
  for (const seat of order) {
    seat.signal("SIGTERM", true);
    await crew.until(`${seat.node} to leave`, () => seat.exit);
  }
}

const electors: Readonly<Record<ElectorName, string>> = {
  tenure: "three candidates",
  naive: "three candidates with the usual flag and timer (--unsafe)",
};

const ledgers: Readonly<Record<ElectorName, string>> = {
  tenure: "a fenced ledger, and what they are about to write to a journal first",
  naive: "a plain file: read, change, write back",
};

function announce({ say, bounds }: Play, plan: Plan): void {
  const { elector, rounds, site, ttlMs, budget, allowanceMs } = plan;
  const given = budget.leaderlessMs - ttlMs;
  const handover = bounds.transfer - allowanceMs;
  const where = site.url === null ? "in one directory" : `on ${site.url}, namespace ${site.namespace}`;
  say(`${electors[elector]} ${where}, ttl ${ttlMs} ms; each fault ${rounds} times`);
  say(`bounds: no overlap of belief; the next leader ${budget.leaderlessMs} ms after the last renewal,`);
  say(`  ${given} ms after a release, ${handover} ms after a request to hand over (nobody leads for`);
  say(`  ${given} ms of that at most); and ${allowanceMs} ms for scheduling`);
  say(`leaders write to ${ledgers[elector]}`);
  if (site.kind === "server")
    say(`the first leader waits ${ttlMs} ms: a new namespace proves nothing of what was before`);
}
