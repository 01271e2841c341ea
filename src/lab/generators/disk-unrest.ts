/**
 * What disturbs a machine with a disk, beside what disturbs its processes: power goes, the disk stalls or is full, a
 * sync fails. A file system that has turned read-only needs its machine to start again, which an operator sees to.
 */

import { Around } from "../around.js";
import { diceFor, type Dice } from "../dice.js";
import type { Director } from "../director.js";
import type { CreateDirector, World } from "../world/world.js";

const habits = ["power", "power", "power", "stall", "stall", "fill", "file", "file", "directory"] as const;

export function withDiskFaults(director: CreateDirector): CreateDirector {
  return (world) => new DiskUnrest(world, director(world));
}

class DiskUnrest extends Around {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #habits: readonly (typeof habits)[number][];
  readonly #pauseMs: number;

  constructor(world: World, inner: Director) {
    super(inner);
    this.#world = world;
    const dice = diceFor(world.seed, "disk unrest");
    this.#dice = dice;
    const known = new Set(habits.filter(() => dice.happens(0.6)));
    this.#habits = known.size === 0 ? ["power"] : habits.filter((habit) => known.has(habit));
    this.#pauseMs = dice.between(8_000, 40_000);
  }

  override end(): void {
    super.end();
    if (this.#world.installed?.host?.disk.readOnly === true) this.#losePower(0.5);
  }

  protected override next(): void {
    this.#world.plans.after(-Math.log(1 - this.#dice.fraction()) * this.#pauseMs, () => {
      if (this.resting) return;
      this.#act(this.#dice.pick(this.#habits));
      this.next();
    });
  }

  #act(habit: (typeof habits)[number]): void {
    const [world, dice] = [this.#world, this.#dice];
    switch (habit) {
      case "power":
        return this.#losePower(dice.between(200, dice.pick([2_000, 30_000])));
      case "stall":
        return world.perform({ verb: "stall-disk", forMs: dice.between(100, dice.pick([3_000, 20_000])) });
      case "fill":
        return world.perform({ verb: "fill-disk", forMs: dice.between(500, 20_000) });
      default:
        world.perform({ verb: "fail-sync", of: habit });
        if (habit === "directory")
          world.plans.after(dice.between(100, 20_000), () => {
            if (!this.resting) this.#losePower(dice.between(200, 5_000));
          });
    }
  }

  #losePower(forMs: number): void {
    this.#world.perform({ verb: "lose-power", forMs });
  }
}
