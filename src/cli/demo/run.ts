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
import { boundsOf, type Plan } from "./bounds.js";
import { createCrew, isBroken } from "./crew.js";
import { readEvidence } from "./evidence.js";
import { faultKinds } from "./fault-kinds.js";
import { faults, leaderAt, type Play, stable } from "./faults.js";
import { failedRun, judge, type Verdict } from "./judge.js";
import { historyPath, placesIn } from "./places.js";
import { allowanceMs, demoBudget, electionName, namespace, silenceMs, ttlMs } from "./settings.js";

export interface RunOptions {
  readonly rounds: number;
  readonly keep: boolean;
  readonly interrupted: AbortSignal;
  readonly say: (text: string) => void;
  /** Called with the directory when it exists: the last resort of a process that must end at once. */
  readonly onDirectory: (root: string) => void;
}

export async function runDemo(options: RunOptions): Promise<Verdict> {
  const { rounds, keep, interrupted, say, onDirectory } = options;
  const plan: Plan = {
    schema: "tenure.demo-plan/1",
    rounds,
    ttlMs,
    allowanceMs,
    silenceMs,
    budget: demoBudget(),
  };
  const root = mkdtempSync(join(tmpdir(), "tenure-demo-"));
  onDirectory(root);
  const places = placesIn(root);
  for (const path of [places.histories, places.logs]) mkdirSync(path);
  writeFileSync(places.plan, JSON.stringify(plan));
  const crew = createCrew(places, keep, interrupted);
  const identity = { node: "harness", namespace, election: electionName };
  const path = historyPath(places, identity.node, 1);
  const history = createHistory(
    realClock,
    (line) => appendFileSync(path, `${line}\n`),
    identity,
    (cause) => {
      throw cause;
    },
  );
  const play: Play = { crew, history, bounds: boundsOf(plan), say };
  try {
    await perform(play, plan);
    await crew.end();
    return judge(await readEvidence(root));
  } catch (cause) {
    if (!isBroken(cause)) throw cause;
    return failedRun(cause.message, plan);
  } finally {
    await crew.end();
    if (keep) say(`kept: ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function perform(play: Play, { rounds, budget, ttlMs, allowanceMs }: Plan): Promise<void> {
  const { crew, say } = play;
  say(`three candidates in one directory, ttl ${ttlMs} ms; each fault ${rounds} times`);
  say(`bounds: no overlap of belief; the next leader ${budget.leaderlessMs} ms after the last renewal`);
  say(`(a released lease: ${budget.leaderlessMs - ttlMs} ms), and ${allowanceMs} ms for scheduling`);
  for (const seat of crew.seats) seat.fill();
  const { seat, token } = await stable(play);
  say(`${seat.node} leads with token ${token}, the others follow`);
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const kind of faultKinds) {
      await faults[kind](play, await leaderAt(play, round === 1 ? 0 : realChance.fraction()));
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
