/**
 * A run as a file: its world and the faults that were done to it. Whoever has the file and this release can run it
 * again, without the profile that once made it.
 */

import { verbs } from "./faults/perform.js";
import type { Fault } from "./faults/fault.js";
import { script } from "./generators/script.js";
import type { Outcome, RunPlan } from "./run.js";
import { calmSettings, type Settings } from "./settings.js";

const schema = "tenure.lab-saved/1";

interface SavedRun {
  readonly schema: typeof schema;
  readonly seed: number;
  readonly kind: RunPlan["kind"];
  readonly faultyMs: number;
  /** What it broke when it was saved. */
  readonly broken: readonly string[];
  readonly settings: Settings;
  readonly faults: readonly Fault[];
}

/** One fault a line, so that two files compare line by line. */
export function saveRun({ plan, broken, faults }: Outcome): string {
  const { seed, kind, faultyMs, settings } = plan;
  const head: Omit<SavedRun, "faults"> = { schema, seed, kind, faultyMs, broken, settings };
  const lines = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  const list = faults.map((fault) => `    ${JSON.stringify(fault)}`).join(",\n");
  return `{\n${lines.join(",\n")},\n  "faults": [${list === "" ? "" : `\n${list}\n  `}]\n}\n`;
}

/** @throws with what is wrong, and where in the file. */
export function loadRun(text: string): Omit<RunPlan, "recording"> {
  const found: unknown = JSON.parse(text);
  const file = fieldsOf(found, "the file");
  if (file["schema"] !== schema)
    throw new Error(`its schema is ${JSON.stringify(file["schema"])}, not ${schema}`);
  const { kind } = file;
  if (kind !== "safety" && kind !== "liveness") throw new Error(`kind: safety or liveness`);
  const seed = countOf(file, "seed");
  const faultyMs = countOf(file, "faultyMs");
  return {
    seed,
    kind,
    faultyMs,
    settings: settingsIn(file["settings"]),
    director: script(faultsIn(file["faults"])),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, where: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where}: an object is wanted`);
  return value as Fields;
}

function countOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== "number" || !(value >= 1)) throw new Error(`${name}: a number from 1 on is wanted`);
  return value;
}

/** Each field is there, and of the kind that it has in a calm world. */
function settingsIn(value: unknown): Settings {
  const fields = fieldsOf(value, "settings");
  for (const [name, calm] of Object.entries(calmSettings)) {
    const same = typeof fields[name] === typeof calm && Array.isArray(fields[name]) === Array.isArray(calm);
    if (!same)
      throw new Error(`settings.${name}: ${Array.isArray(calm) ? "a list" : `a ${typeof calm}`} is wanted`);
  }
  return fields as unknown as Settings;
}

function faultsIn(value: unknown): readonly Fault[] {
  if (!Array.isArray(value)) throw new Error("faults: a list is wanted");
  return value.map((item: unknown, place) => {
    const where = `faults[${place}]`;
    const fields = fieldsOf(item, where);
    const { verb, atMs } = fields;
    if (typeof atMs !== "number") throw new Error(`${where}.atMs: a number is wanted`);
    if (!verbs.some((known) => known === verb)) throw new Error(`${where}.verb: one of ${verbs.join(", ")}`);
    return fields as unknown as Fault;
  });
}
