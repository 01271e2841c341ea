/** `tenure lab run`: many seeds on all processors, and a verdict over all of them. */

import { availableParallelism } from "node:os";
import { realClock } from "../../base/real-clock.js";
import { realChance } from "../../base/random.js";
import { run } from "../../lab/run.js";
import { plannerOf } from "../../lab/series.js";
import { storyOf } from "../../lab/story-of-run.js";
import type { SeedReport } from "../../lab/workers/messages.js";
import { runSeeds } from "../../lab/workers/pool.js";
import { exitCodes, signalCode } from "../exit-codes.js";
import { interruptOf, printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Flags, Invocation, Verb } from "../verb.js";
import { checkTarget, factsOf, writePage } from "./page.js";
import { Progress } from "./progress.js";
import { describeEnding, type Ending } from "./report.js";
import {
  highestSeed,
  partsNamed,
  profileList,
  replayCommand,
  seriesOf,
  seriesOptions,
} from "./series-options.js";
import { Tally } from "./tally.js";

const usualSeeds = 1_000;
const mostSeeds = 10_000_000;

export const labRun: Verb = {
  name: "lab run",
  everyday: false,
  summary: "many simulated worlds under faults, and a verdict over all of them",
  about: `Each seed is one world: the shipped election on virtual time, under faults that the seed decides, judged by the
audit. Exit code 123: a promise is broken, or too little happened to break one. Profiles:

${profileList}`,
  positionals: [],
  settings: [],
  options: [
    {
      name: "seeds",
      kind: "count",
      value: "N",
      min: 1,
      max: mostSeeds,
      about: `how many (default: ${usualSeeds})`,
    },
    {
      name: "from",
      kind: "count",
      value: "N",
      min: 1,
      max: highestSeed,
      about: "the first of them (default: 1)",
    },
    {
      name: "minutes",
      kind: "count",
      value: "M",
      min: 1,
      max: 10_080,
      about: "instead: as many as fit into M minutes, from a random one on, which is printed",
    },
    ...seriesOptions,
    {
      name: "workers",
      kind: "count",
      value: "W",
      min: 1,
      max: 256,
      about: "threads (default: one for each processor)",
    },
    { name: "html", kind: "text", value: "FILE", about: "write the first violation there, as a page" },
    {
      name: "json",
      kind: "switch",
      about: "one object per violation (tenure.lab-violation/1), then one of all (tenure.lab-run/1)",
    },
  ],
  run: runLab,
};

interface Range {
  readonly from: number;
  /** Undefined: as many as fit. */
  readonly seedCount: number | undefined;
  readonly forMs: number;
}

async function runLab({ flags }: Invocation, terminal: Terminal): Promise<number> {
  const range = rangeOf(flags);
  const series = seriesOf(flags);
  // What cannot be loaded is told once, and not by each thread.
  await plannerOf(series);
  const html = flags.text("html");
  if (html !== undefined) checkTarget("html", html, terminal.directory);
  const json = flags.has("json");
  const tally = new Tally();
  const { interrupted } = terminal;
  if (range.seedCount === undefined) terminal.err(`tenure: seeds from ${range.from} on`);
  const before = process.cpuUsage();
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const progress = new Progress(
    { tally, seedCount: range.seedCount, clock: realClock, cpuSeconds },
    terminal,
  );
  const onReport = (report: SeedReport) => {
    tally.add(report);
    if (json && report.broken.length > 0)
      printJson(terminal, violationOf(report, replayCommand(series, report.seed)));
  };
  try {
    const threadCount = flags.count("workers") ?? availableParallelism();
    await runSeeds({
      series,
      seeds: seedsOf(range),
      threadCount,
      clock: realClock,
      signal: interrupted,
      onReport,
    });
  } finally {
    progress.end();
  }
  const ending: Ending = {
    tally,
    series,
    cpuSeconds: cpuSeconds(),
    weak: tally.weak(series),
    interrupted: interrupted.aborted,
    from: range.from,
  };
  await repeatFirst(ending, html, terminal);
  if (json) printJson(terminal, resultOf(ending));
  else terminal.out(describeEnding(ending));
  if (tally.violations.length > 0 || ending.weak.length > 0) return exitCodes.checkFailed;
  const signal = interruptOf(interrupted);
  return signal === undefined ? exitCodes.done : signalCode(signal);
}

function rangeOf(flags: Flags): Range {
  const minutes = flags.count("minutes");
  if (minutes !== undefined) {
    for (const other of ["seeds", "from"])
      if (flags.has(other)) throw usageError(`--minutes draws its seeds itself, so --${other} has no say`);
    // Room for more than any machine runs in a week.
    const from = 1 + Math.floor(realChance.fraction() * (highestSeed / 2));
    return { from, seedCount: undefined, forMs: minutes * 60_000 };
  }
  const from = flags.count("from") ?? 1;
  const seedCount = flags.count("seeds") ?? usualSeeds;
  if (from + seedCount - 1 > highestSeed)
    throw usageError(`--from ${from} with ${seedCount} seeds: the last seed there is is ${highestSeed}`);
  return { from, seedCount, forMs: Number.POSITIVE_INFINITY };
}

function* seedsOf({ from, seedCount, forMs }: Range): Generator<number> {
  const untilMs = realClock.monotonicMs() + forMs;
  const end = seedCount === undefined ? highestSeed : from + seedCount - 1;
  for (let seed = from; seed <= end && realClock.monotonicMs() < untilMs; seed += 1) yield seed;
}

function violationOf({ seed, broken, faultCount }: SeedReport, replay: string): object {
  return { schema: "tenure.lab-violation/1", seed, broken, faults: faultCount, replay };
}

function resultOf({ tally, series, cpuSeconds, weak, interrupted, from }: Ending): object {
  return {
    schema: "tenure.lab-run/1",
    profile: series.profile,
    from,
    seeds: tally.seeds,
    violations: tally.violations.length,
    admitted: tally.admissions.length,
    simulatedDays: tally.simulatedDays,
    cpuSeconds,
    power: tally.counts,
    weak,
    interrupted,
  };
}

/** Once more, in this thread: for the page, and because parts by others may not repeat themselves. */
async function repeatFirst(
  { tally, series }: Ending,
  html: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const first = tally.violations.find(({ stuck }) => !stuck);
  if (first === undefined) {
    if (html === undefined) return;
    const why = tally.violations.length === 0 ? "no promise is broken" : "what hangs cannot be shown";
    terminal.err(`tenure: ${html} is not written: ${why}`);
    return;
  }
  const { seed, broken } = first;
  const planFor = await plannerOf(series);
  const outcome = await run(planFor({ seed, recording: html !== undefined }));
  if (JSON.stringify(outcome.broken) !== JSON.stringify(broken)) {
    const parts = partsNamed(series.parts).length > 0;
    const advice = parts ? ": let parts take time and chance from what they are given, and nowhere else" : "";
    terminal.err(`tenure: seed ${seed} did not end in the same way again${advice}`);
  }
  if (html === undefined) return;
  const again = replayCommand(series, seed);
  writePage(html, storyOf(outcome, { facts: factsOf(series), again }), terminal);
  terminal.err(`tenure: the page of seed ${seed} is ${html}`);
}
