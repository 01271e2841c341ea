/**
 * Tries mutants: the lab runs seeds against each, until one is red or all are green.
 *
 * A seed that is red without the mutant as well shows nothing: it is passed over, and told.
 */

import { join } from "node:path";
import { realClock } from "../../base/real-clock.js";
import type { Checkout } from "./checkout.js";
import { hashOf, type Mutant } from "./mutant.js";
import type { ProfileName } from "../profiles.js";
import { Scratch } from "./scratch.js";
import type { TrialOrder } from "./trial.js";
import { type TrialEnd, watched } from "./watched.js";

export interface Seeds {
  readonly from: number;
  readonly to: number;
}

export interface ProofPlan {
  readonly checkout: Checkout;
  /** Scratch copies are made in it, and removed. It exists. */
  readonly folder: string;
  readonly mutants: readonly Mutant[];
  readonly seeds: Seeds;
  /** Without a word for so long a world is held to never end, ms. Default: longer than any takes. */
  readonly stuckMs?: number;
  /** How many are tried at a time. */
  readonly lanes: number;
  readonly shown: (mutant: Mutant, shown: Shown) => void;
  /** A seed is red without any mutant. */
  readonly passedOver: (seed: number, why: string) => void;
  /** Ends it, which rejects with its reason. */
  readonly signal: AbortSignal;
}

/** What the lab has shown of one mutant. */
export interface Shown {
  readonly hash: string;
  /** The first that is red; absent when none is. */
  readonly seed?: number;
  /** What it said first. */
  readonly why?: string;
}

const usualProfile = "default";
const faultyMs = 120_000;
const longestWhy = 160;
const defaultStuckMs = 20_000;

export async function prove(plan: ProofPlan): Promise<ReadonlyMap<string, Shown>> {
  const { checkout, folder, mutants, lanes, shown } = plan;
  const left = [...mutants];
  const all = new Map<string, Shown>();
  const intact = new Intact(new Scratch(checkout, join(folder, "intact")), plan);
  const work = async (lane: number): Promise<void> => {
    const scratch = new Scratch(checkout, join(folder, `lane-${lane}`), intact.scratch);
    try {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const found = await tryOne(scratch, intact, mutant, plan);
        all.set(mutant.id, found);
        shown(mutant, found);
      }
    } finally {
      scratch.remove();
    }
  };
  try {
    const count = Math.min(lanes, mutants.length);
    await Promise.all(Array.from({ length: count }, (_, lane) => work(lane)));
  } finally {
    intact.scratch.remove();
  }
  return all;
}

async function tryOne(scratch: Scratch, intact: Intact, mutant: Mutant, plan: ProofPlan): Promise<Shown> {
  const hash = hashOf(mutant);
  if (!scratch.files.has(mutant.file)) throw new Error(`${mutant.id}: the lab does not run ${mutant.file}`);
  const { profile = usualProfile } = mutant;
  scratch.mutate(mutant);
  try {
    const { to } = plan.seeds;
    for (let { from } = plan.seeds; from <= to; ) {
      const end = await trial(scratch, { profile, from, to }, plan);
      if (end.kind === "green") break;
      if (!(await intact.isRed(profile, end.seed))) return { hash, seed: end.seed, why: short(end) };
      from = end.seed + 1;
    }
    return { hash };
  } finally {
    scratch.restore(mutant);
  }
}

type Limits = Pick<ProofPlan, "stuckMs" | "signal">;

function trial({ trial }: Scratch, seeds: Omit<TrialOrder, "faultyMs">, limits: Limits): Promise<TrialEnd> {
  const { stuckMs = defaultStuckMs, signal } = limits;
  return watched(trial, { faultyMs, ...seeds }, { clock: realClock, stuckMs, signal });
}

/** Without the instant of one run. */
function short({ kind, why }: Exclude<TrialEnd, { kind: "green" }>): string {
  const [line = ""] = why.split("\n");
  const text = line.replace(/ \(at \d+ ms\)$/, "").slice(0, longestWhy);
  return kind === "red" ? text : `${kind}: ${text}`;
}

/** The code without a mutant. */
class Intact {
  readonly scratch: Scratch;
  readonly #plan: Pick<ProofPlan, "passedOver"> & Limits;
  readonly #known = new Map<string, Promise<TrialEnd>>();

  constructor(scratch: Scratch, plan: Pick<ProofPlan, "passedOver"> & Limits) {
    this.scratch = scratch;
    this.#plan = plan;
  }

  async isRed(profile: ProfileName, seed: number): Promise<boolean> {
    const name = `${profile} ${seed}`;
    const known = this.#known.get(name);
    const asked = known ?? trial(this.scratch, { profile, from: seed, to: seed }, this.#plan);
    this.#known.set(name, asked);
    const end = await asked;
    if (end.kind === "green") return false;
    if (known === undefined) this.#plan.passedOver(seed, end.why);
    return true;
  }
}
