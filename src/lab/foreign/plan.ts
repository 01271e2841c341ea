/** What a plan becomes where parts of it are foreign: worlds that ask of a part what its port promises, and no more. */

import { Around } from "../around.js";
import { type Dice, diceFor } from "../dice.js";
import { type Director, noFaults } from "../director.js";
import type { CallKind, Fate } from "../faults/fault.js";
import type { RunPlan } from "../run.js";
import { calmSettings, fastestRate, maxTtlMs, type Settings, slowestRate } from "../settings.js";
import { type Sender, whoOf } from "../world/network.js";
import type { CreateDirector, World } from "../world/world.js";
import type { Assumptions, Parts } from "./parts.js";
import { createElector } from "./tenure-elector.js";
import { unrest } from "./unrest.js";

export function planWith(brought: Parts, plan: RunPlan): RunPlan {
  const dice = diceFor(plan.seed, "foreign parts");
  const parts = withElector(brought);
  const { createStore, createGuard, assumptions = {} } = parts;
  const calm = plan.director === noFaults;
  let { settings, director } = plan;
  if (parts.createElector !== undefined) {
    settings = calm ? { ...calmSettings, store: "memory" } : electorSettings(dice, assumptions);
    director = calm ? noFaults : unrest({ sleep: assumptions.sleep ?? true });
  } else if (createStore !== undefined) settings = storeSettings(dice, settings);
  if (createGuard !== undefined && !calm) {
    const mood = dice.pick(["mixed", "stubborn", "stubborn"] as const);
    const writeEveryMs = dice.pick([500, 1_500]);
    // A guard keeps tokens, also those of clocks that pass a limit of theirs.
    settings = { ...settings, mood, writeEveryMs, wall: plan.settings.wall };
    director = withLateLeaders(director);
  }
  return { ...plan, settings, director, parts };
}

/** A guard alone is tried by leaders that are judged as strangers are: nothing but what it does is at stake. */
function withElector(parts: Parts): Parts {
  const { createElector: theirs, createStore, createGuard } = parts;
  const guardAlone = createGuard !== undefined && createStore === undefined && theirs === undefined;
  return guardAlone ? { ...parts, createElector } : parts;
}

/** Within P1, or within less where the elector says that it promises less. */
function electorSettings(dice: Dice, { clockRates = 1.5 }: Assumptions): Settings {
  const widest = Math.min(fastestRate / slowestRate, 1 + (clockRates - 1) * 0.99);
  const slow = widest === 1 ? 1 : Math.max(slowestRate, 1 / Math.sqrt(widest));
  const fast = slow * widest;
  return {
    ...calmSettings,
    // Its keys are its own affair, so the store is one that has any.
    store: "memory",
    rates: ratesOf(dice, slow, fast),
    latency: dice.pick([
      { shape: "even", mostMs: 5 },
      { shape: "even", mostMs: 30 },
      { shape: "even", mostMs: 150 },
      { shape: "tailed", mostMs: 300 },
    ] as const),
    hints: dice.happens(0.7),
    mood: dice.pick(["mixed", "steady", "stubborn"]),
    writeEveryMs: dice.pick([700, 2_000, 5_000]),
  };
}

/** Where the margin of a deadline is too small, it shows between a slow leader and fast followers. */
function ratesOf(dice: Dice, slow: number, fast: number): readonly number[] {
  const slowest = dice.below(calmSettings.slots.length);
  const kind = dice.pick(["alike", "apart", "apart", "any"] as const);
  return calmSettings.slots.map((_, place) => {
    if (kind === "alike") return 1;
    if (kind === "any") return dice.between(slow, fast);
    return place === slowest ? slow : fast;
  });
}

/** One ttl for all: the default, for which a store may take up to a second for an answer. */
function storeSettings(dice: Dice, settings: Settings): Settings {
  const { slots } = settings;
  const [judged, oneObserves] = [dice.happens(0.5), dice.happens(0.5)];
  return {
    ...settings,
    store: "register",
    ttlsMs: slots.map(() => maxTtlMs),
    // Where the store has a clock that judges.
    byStoreClock: slots.map((_, place) => judged && !(oneObserves && place === 1)),
  };
}

/** What a leader sent to the resource arrives late, or once more, also long after its term; and strangers claim. */
export function withLateLeaders(director: CreateDirector): CreateDirector {
  return (world) => new LateLeaders(world, director(world));
}

class LateLeaders extends Around {
  readonly #world: World;
  readonly #dice: Dice;

  constructor(world: World, inner: Director) {
    super(inner);
    this.#world = world;
    this.#dice = diceFor(world.seed, "late leaders");
  }

  /** Somebody claims who must be refused. */
  protected override next(): void {
    this.#world.plans.after(this.#dice.between(3_000, 60_000), () => {
      if (this.resting) return;
      this.#world.perform({ verb: "stray-claim", token: this.#dice.pick(["same", "lower"]) });
      this.next();
    });
  }

  override fate(sender: Sender, call: CallKind): Fate | undefined {
    const dice = this.#dice;
    if (call !== "ledger-write" || !dice.happens(0.12)) return super.fate(sender, call);
    const kind = dice.pick(["late-execution", "twice", "twice", "resent"] as const);
    const byMs =
      kind === "resent" ? dice.between(0, 1_500) : dice.between(0, dice.pick([4_000, 30_000, 90_000]));
    this.#world.perform({ verb: "fate", who: whoOf(sender), call, fate: { kind, byMs } });
    return { kind, byMs };
  }
}
