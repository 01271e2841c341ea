/**
 * Twins of the file system port that record, stop, freeze or fail between any two steps.
 *
 * All are one thing: something that stands around each step.
 */

import type { FileSystem } from "../../src/chain/file-system.js";

export interface Step {
  readonly name: Exclude<keyof FileSystem, "watch" | "freshId">;
  readonly paths: readonly string[];
}

/** Runs the step, or does not, or later. */
export type Around = (step: Step, run: () => Promise<unknown>) => Promise<unknown>;

export function interpose(files: FileSystem, around: Around): FileSystem {
  const step = async <T>(name: Step["name"], paths: readonly string[], run: () => Promise<T>): Promise<T> =>
    around({ name, paths }, run) as Promise<T>;
  return {
    mountType: async (path) => step("mountType", [path], async () => files.mountType(path)),
    stat: async (path) => step("stat", [path], async () => files.stat(path)),
    list: async (path) => step("list", [path], async () => files.list(path)),
    read: async (path, limit) => step("read", [path], async () => files.read(path, limit)),
    writeNew: async (path, content) => step("writeNew", [path], async () => files.writeNew(path, content)),
    sync: async (path) => step("sync", [path], async () => files.sync(path)),
    link: async (existing, name) => step("link", [existing, name], async () => files.link(existing, name)),
    remove: async (path) => step("remove", [path], async () => files.remove(path)),
    makeDirectory: async (path) => step("makeDirectory", [path], async () => files.makeDirectory(path)),
    touch: async (path, modifiedMs) => step("touch", [path], async () => files.touch(path, modifiedMs)),
    watch: (path, report) => files.watch(path, report),
    freshId: () => files.freshId(),
  };
}

/** Appends each step to `steps` when it was done. */
export function recording(files: FileSystem, steps: Step[]): FileSystem {
  return interpose(files, async (step, run) => {
    const result = await run();
    steps.push(step);
    return result;
  });
}

/** Rejects the first step that `matches` with an error of that name, without doing it. */
export function failing(
  files: FileSystem,
  errorName: string,
  matches: (step: Step) => boolean,
  times = 1,
): FileSystem {
  let left = times;
  return interpose(files, async (step, run) => {
    if (left === 0 || !matches(step)) return run();
    left -= 1;
    throw Object.assign(new Error(`${errorName}: injected into ${step.name}`), { code: errorName });
  });
}

export interface Stop {
  readonly files: FileSystem;
  /** Resolves when the step was reached. */
  readonly reached: Promise<Step>;
  /** Lets the stopped process go on; without it, it is dead. */
  readonly thaw: () => void;
}

/** Stands still at the step for which `at` says so, before or after doing it, and so does all that comes after. */
export function stopping(
  files: FileSystem,
  when: "before" | "after",
  at: (step: Step, index: number) => boolean,
): Stop {
  let thaw = () => {};
  let reach: (step: Step) => void = () => {};
  const thawed = new Promise<void>((resolve) => (thaw = resolve));
  const reached = new Promise<Step>((resolve) => (reach = resolve));
  let index = 0;
  let stopped = false;
  const around: Around = async (step, run) => {
    const hit = !stopped && at(step, (index += 1));
    stopped ||= hit;
    if (!stopped) return run();
    if (hit && when === "after") {
      const outcome = run();
      await outcome.catch(() => {});
      reach(step);
      await thawed;
      return outcome;
    }
    if (hit) reach(step);
    await thawed;
    return run();
  };
  return { files: interpose(files, around), reached, thaw };
}
