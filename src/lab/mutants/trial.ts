/** A worker thread: runs seeds of the lab one after the other, tells of each, and ends with the first that is red. */

import { parentPort, workerData } from "node:worker_threads";
import { planFor, type ProfileName } from "../profiles.js";
import { run } from "../run.js";

export interface TrialOrder {
  readonly profile: ProfileName;
  readonly faultyMs: number;
  readonly from: number;
  readonly to: number;
}

export interface SeedTold {
  readonly seed: number;
  /** What broke first. */
  readonly why?: string;
}

const { profile, faultyMs, from, to } = workerData as TrialOrder;

for (let seed = from; seed <= to; seed += 1) {
  const { broken } = await run(planFor(profile, { seed, faultyMs, recording: false }));
  const [why] = broken;
  const told: SeedTold = why === undefined ? { seed } : { seed, why };
  parentPort?.postMessage(told, []);
  if (why !== undefined) break;
}
