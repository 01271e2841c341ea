/** The end of a series for people: a table, the first few violations, and how each is seen again. */

import type { Series } from "../../lab/series.js";
import { partsNamed, replayCommand } from "./series-options.js";
import { powerCondition, type Tally } from "./tally.js";

export interface Ending {
  readonly tally: Tally;
  readonly series: Series;
  readonly cpuSeconds: number;
  readonly weak: readonly string[];
  readonly interrupted: boolean;
  /** The first of the seeds. */
  readonly from: number;
}

const violationsShown = 5;
const storiesShown = 3;
const admissionsShown = 3;

export function describeEnding(ending: Ending): string {
  const { tally, weak, interrupted } = ending;
  return [
    ...columns(facts(ending)),
    ...tally.violations
      .slice(0, violationsShown)
      .flatMap((violation) => ["", ...describe(violation, ending.series)]),
    ...more(tally.violations.length - violationsShown, "seed", "seeds"),
    "",
    ...describePower(ending),
    "",
    ...weak.map((story) => `WEAK  ${story}`),
    ...(interrupted ? ["Interrupted: this is what was done until then."] : []),
    verdictOf(ending),
  ].join("\n");
}

function verdictOf({ tally, weak, interrupted }: Ending): string {
  if (tally.violations.length > 0) return "FAIL: a promise is broken";
  if (weak.length > 0) return "FAIL: no promise is broken, but there was too little to break them";
  return interrupted ? "No promise was broken so far." : "OK";
}

function facts({ tally, series, cpuSeconds, from }: Ending): readonly (readonly [string, string])[] {
  const { seeds, simulatedMs, simulatedDays, violations, admissions, faults } = tally;
  const each = series.faultyMs / 1_000;
  const ratio = cpuSeconds === 0 ? 0 : simulatedMs / 1_000 / cpuSeconds;
  const named = admissions.slice(0, admissionsShown).map(({ seed, story }) => `seed ${seed}: ${story}`);
  const rest = more(admissions.length - admissionsShown, "more", "more");
  return [
    ["profile", series.profile],
    ...partsNamed(series.parts),
    ["seeds", seeds === 0 ? "none" : `${whole(seeds)}, from ${from} on`],
    [
      "simulated",
      `${simulatedDays.toFixed(2)} days; ${whole(each)} s in each run, ${whole(faults)} faults in all`,
    ],
    ["processor", `${cpuSeconds.toFixed(1)} s, so ${whole(Math.round(ratio))} simulated seconds in each`],
    ["violations", violations.length === 0 ? "none" : seedsOf(violations.length)],
    [
      "admitted",
      admissions.length === 0 ? "none" : `${whole(admissions.length)}, where the docs promise nothing else`,
    ],
    ...[...named, ...rest].map((line) => ["", line] as const),
  ];
}

function describe({ seed, broken }: Tally["violations"][number], series: Series): readonly string[] {
  return [
    `VIOLATION  seed ${seed}`,
    ...broken.slice(0, storiesShown).map((story) => `  ${story.split("\n").join("\n  ")}`),
    ...more(broken.length - storiesShown, "story", "stories").map((line) => `  ${line}`),
    `  again: ${replayCommand(series, seed)}`,
  ];
}

function describePower({ tally, series }: Ending): readonly string[] {
  const { counts, seeds } = tally;
  if (seeds === 0) return [];
  const floors = tally.floors(series);
  const names = [...new Set([...Object.keys(counts), ...Object.keys(floors)])].toSorted();
  const rows = names.map((name) => {
    const floor = floors[name];
    return [
      name,
      (((counts[name] ?? 0) * 100) / seeds).toFixed(1),
      floor === undefined ? "" : String(floor),
    ] as const;
  });
  const judged = tally.isJudgedByPower(series) ? "" : ` (floors are judged from ${powerCondition})`;
  const head = ["power", "per 100 seeds", "floor"] as const;
  return table([head, ...rows]).map((line, index) => (index === 0 ? `${line}${judged}` : line));
}

function table(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length));
  const [first, second, third] = [width(0), width(1), width(2)];
  return rows.map(([name, found, floor]) =>
    `${name.padEnd(first)}  ${found.padStart(second)}  ${floor.padStart(third)}`.trimEnd(),
  );
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, text]) => `${name.padEnd(width)}${text}`);
}

function more(count: number, one: string, many: string): readonly string[] {
  return count > 0 ? [`and ${whole(count)} ${one === many ? one : `more ${count === 1 ? one : many}`}`] : [];
}

function seedsOf(count: number): string {
  return count === 1 ? "1 seed" : `${whole(count)} seeds`;
}

function whole(count: number): string {
  return count.toLocaleString("en-US");
}
