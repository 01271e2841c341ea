/**
 * Real processes that contend, and are frozen, woken and killed while they do.
 *
 * Nobody sleeps: what is done to a process hangs on what it and the others have told so
 * far, one JSON line each. The same numbers in every run decide who is hit next, and when.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Rival {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;
  frozen: boolean;
  /** How much it has told. */
  lines: number;
}

/** `script` runs under Node.js and tells by its standard output. */
export function runRival<Told>(
  script: string,
  args: readonly string[],
  hear: (told: Told, rival: Rival) => void,
): Rival {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const rival: Rival = { process: child, frozen: false, lines: 0, exited: once(child, "close") };
  createInterface(child.stdout).on("line", (line) => {
    rival.lines += 1;
    hear(JSON.parse(line) as Told, rival);
  });
  return rival;
}

export interface Contest {
  readonly script: string;
  /** Of the n-th process that is started, from 1. */
  readonly argsOf: (started: number) => readonly string[];
  readonly rivals: number;
  /** So many stay awake, so that answers go on. */
  readonly awake: number;
  readonly mostKills: number;
  readonly seed: number;
  /** In answers: before the first hit, from one to the next, and how long a freeze lasts. */
  readonly pace: { readonly first: number; readonly hit: number; readonly freeze: readonly [number, number] };
}

export interface Contended<Told> {
  readonly told: readonly Told[];
  readonly freezes: number;
  readonly kills: number;
}

/** Every few answers one is frozen for some answers of the others, or killed and replaced; until all have ended. */
export async function contend<Told>(contest: Contest): Promise<Contended<Told>> {
  const { script, argsOf, rivals, awake, mostKills, seed, pace } = contest;
  const roll = dice(seed);
  const told: Told[] = [];
  const alive = new Set<Rival>();
  const thaws: { readonly at: number; readonly rival: Rival }[] = [];
  let [freezes, kills, started, next] = [0, 0, 0, pace.first];

  function start(): void {
    started += 1;
    const rival = runRival<Told>(script, argsOf(started), hear);
    alive.add(rival);
    void rival.exited.then(() => {
      alive.delete(rival);
      // The last one awake must not wait for the answers of others.
      for (const other of alive) thaw(other);
    });
  }
  function thaw(rival: Rival): void {
    if (!rival.frozen) return;
    rival.frozen = false;
    rival.process.kill("SIGCONT");
  }
  function hear(line: Told): void {
    told.push(line);
    for (const { at, rival } of thaws) if (told.length >= at) thaw(rival);
    if (told.length < next) return;
    next = told.length + 5 + roll(pace.hit);
    const candidates = [...alive].filter(({ frozen }) => !frozen);
    const victim = candidates[roll(candidates.length)];
    if (victim === undefined || candidates.length <= awake) return;
    if (roll(4) === 0 && kills < mostKills) {
      kills += 1;
      victim.process.kill("SIGKILL");
      start();
      return;
    }
    freezes += 1;
    victim.frozen = true;
    victim.process.kill("SIGSTOP");
    const [least, spread] = pace.freeze;
    thaws.push({ at: told.length + least + roll(spread), rival: victim });
  }

  for (let index = 0; index < rivals; index += 1) start();
  while (alive.size > 0) await Promise.race([...alive].map(async ({ exited }) => exited));
  return { told, freezes, kills };
}

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
