/**
 * `tenure lab mutants`: breaks each rule in the ways of mutants/, and shows that the lab turns red on every one.
 *
 * Works in a checkout alone. Writes nothing but a scratch copy, which is removed.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Checkout, openCheckout } from "../../lab/mutants/checkout.js";
import { type Mutant, readMutants } from "../../lab/mutants/mutant.js";
import { prove, type Shown } from "../../lab/mutants/prove.js";
import { exitCodes, signalCode } from "../exit-codes.js";
import { didYouMean } from "../nearest.js";
import { interruptOf, printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Invocation, Verb } from "../verb.js";

const seedCount = 5_000;
const mostLanes = 64;

interface Verdict {
  readonly schema: "tenure.lab-mutants/1";
  readonly mutants: number;
  readonly caught: number;
  /** Their ids. */
  readonly survivors: readonly string[];
}

export const labMutants: Verb = {
  name: "lab mutants",
  everyday: false,
  summary: "break each rule on purpose, and see the lab find it",
  about: `Tries the mutants of a checkout of the sources, or those whose ids are given or begin like it: the lab runs seeds
against each until one turns red. Exit code 123: one survived. The sources are not touched.`,
  positionals: ["[ID]…"],
  settings: [],
  options: [
    {
      name: "seeds",
      kind: "count",
      value: "N",
      min: 1,
      max: 1_000_000,
      about: `at most N seeds for each (default: ${seedCount})`,
    },
    {
      name: "workers",
      kind: "count",
      value: "W",
      min: 1,
      max: mostLanes,
      about: "so many mutants at a time (default: one for each processor)",
    },
    { name: "json", kind: "switch", about: "end with one JSON object (schema tenure.lab-mutants/1)" },
  ],
  run: runLabMutants,
};

async function runLabMutants({ positionals, flags }: Invocation, terminal: Terminal): Promise<number> {
  const to = flags.count("seeds") ?? seedCount;
  const lanes = flags.count("workers") ?? Math.min(availableParallelism(), mostLanes);
  const checkout = await openCheckout();
  const mutants = choose(checkout, positionals);
  const shown = await tryAll(checkout, mutants, { to, lanes }, terminal).catch((cause: unknown) => {
    if (!terminal.interrupted.aborted) throw cause;
  });
  const signal = interruptOf(terminal.interrupted);
  if (shown === undefined) return signal === undefined ? exitCodes.failed : signalCode(signal);
  const survivors = mutants.filter(({ id }) => shown.get(id)?.seed === undefined).map(({ id }) => id);
  const { length: count } = mutants;
  const verdict: Verdict = {
    schema: "tenure.lab-mutants/1",
    mutants: count,
    caught: count - survivors.length,
    survivors,
  };
  if (flags.has("json")) printJson(terminal, verdict);
  else terminal.out(describe(mutants, shown, verdict));
  return survivors.length === 0 ? exitCodes.done : exitCodes.checkFailed;
}

/** Those that are named; all that the lab can see when none is. */
function choose({ root }: Checkout, names: readonly string[]): readonly Mutant[] {
  const all = readMutants(root);
  if (names.length === 0) return all.filter(({ lab }) => lab === undefined);
  const ids = all.map(({ id }) => id);
  for (const name of names) {
    if (!ids.some((id) => id.startsWith(name)))
      throw usageError(`there is no mutant ${JSON.stringify(name)}${didYouMean(name, ids)}`);
  }
  const named = all.filter(({ id }) => names.some((name) => id.startsWith(name)));
  for (const { id, lab } of named)
    if (lab !== undefined) throw usageError(`${id} is not for the lab to see: ${lab}`);
  return named;
}

async function tryAll(
  checkout: Checkout,
  mutants: readonly Mutant[],
  { to, lanes }: { readonly to: number; readonly lanes: number },
  terminal: Terminal,
): Promise<ReadonlyMap<string, Shown>> {
  const folder = mkdtempSync(join(tmpdir(), "tenure-lab-mutants-"));
  let done = 0;
  try {
    return await prove({
      checkout,
      folder,
      mutants,
      seeds: { from: 1, to },
      lanes,
      shown({ id }, { seed, why }) {
        done += 1;
        const result = seed === undefined ? `SURVIVES ${to} seeds` : `seed ${seed}: ${why}`;
        terminal.err(`${done}/${mutants.length} ${id}: ${result}`);
      },
      passedOver: (seed, why) => terminal.err(`seed ${seed} is red without a mutant, passed over: ${why}`),
      signal: terminal.interrupted,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe(
  mutants: readonly Mutant[],
  shown: ReadonlyMap<string, Shown>,
  { caught, survivors }: Verdict,
): string {
  const width = Math.max(...mutants.map(({ id }) => id.length));
  const rows = mutants.map(({ id, breaks }) => {
    const { seed } = shown.get(id) ?? {};
    return `${id.padEnd(width)}  ${seed === undefined ? "survives" : `seed ${seed}`.padEnd(8)}  ${breaks}`;
  });
  const left = survivors.length === 0 ? "" : `; survivors: ${survivors.join(", ")}`;
  return [...rows, `${caught} of ${mutants.length} caught${left}`].join("\n");
}
