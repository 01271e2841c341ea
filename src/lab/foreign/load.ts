/**
 * Foreign parts from files: what `--elector`, `--store-module` and `--guard` name.
 *
 * Whoever wrote the file reads these messages, so each names the option, the file, and what is missing in it.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createError } from "../../errors/index.js";
import { createNaiveElector } from "./naive-elector.js";
import type { Assumptions, Parts } from "./parts.js";
import { createElector } from "./tenure-elector.js";

/** Paths are relative to the working directory. Electors may also be named: `naive`, or `tenure` for ours. */
export interface PartFiles {
  readonly elector?: string | undefined;
  readonly storeModule?: string | undefined;
  readonly guard?: string | undefined;
}

const named: Readonly<Record<string, Parts>> = {
  naive: { createElector: createNaiveElector },
  tenure: { createElector },
};

/** Rejects with INVALID_OPTION. */
export async function loadParts({ elector, storeModule, guard }: PartFiles): Promise<Parts> {
  const parts = await Promise.all([
    elector !== undefined && (named[elector] ?? loadElector(elector)),
    storeModule !== undefined && loadPart("--store-module", storeModule, "createStore"),
    guard !== undefined && loadPart("--guard", guard, "createGuard"),
  ]);
  return Object.assign({}, ...parts.filter((part) => part !== false)) as Parts;
}

async function loadElector(file: string): Promise<Parts> {
  const { assumptions, ...part } = await loadPart("--elector", file, "createElector");
  const wrong = assumptions === undefined ? undefined : wrongAssumptions(assumptions);
  if (wrong !== undefined) throw partError("--elector", file, wrong);
  return { ...part, ...(assumptions !== undefined && { assumptions }) };
}

async function loadPart(option: string, file: string, name: keyof Parts): Promise<Parts> {
  const exported = await load(option, file);
  const part = exported[name];
  if (typeof part === "function") {
    const { assumptions } = exported as { readonly assumptions?: Assumptions };
    return { [name]: part, ...(assumptions !== undefined && { assumptions }) };
  }
  if (part !== undefined)
    throw partError(option, file, `its export ${name} is no function but ${typeof part}`);
  const names = Object.keys(exported);
  const has = names.length === 0 ? "it exports nothing" : `it exports ${names.join(", ")}`;
  throw partError(option, file, `no function ${name} is exported; ${has}`);
}

/** The names that a module exports, whether it is an ES module or one of CommonJS. */
async function load(option: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  let found: Readonly<Record<string, unknown>>;
  try {
    found = (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const missing = (cause as { readonly code?: unknown } | undefined)?.code === "ERR_MODULE_NOT_FOUND";
    throw partError(
      option,
      file,
      `${missing ? "cannot be found" : "cannot be loaded"}: ${textOf(cause)}`,
      cause,
    );
  }
  const { default: whole, ...names } = found;
  return typeof whole === "object" && whole !== null ? { ...whole, ...names } : names;
}

function wrongAssumptions(assumptions: Assumptions): string | undefined {
  if (typeof assumptions !== "object" || assumptions === null) return "its export assumptions is no object";
  const { clockRates = 1, sleep = true, ...others } = assumptions;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `assumptions.${unknown} is unknown; known are clockRates and sleep`;
  if (!(typeof clockRates === "number" && clockRates >= 1))
    return "assumptions.clockRates is no number from 1 up";
  return typeof sleep === "boolean" ? undefined : "assumptions.sleep is no boolean";
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function partError(option: string, file: string, wrong: string, cause?: unknown): Error {
  return createError("INVALID_OPTION", `${option} ${file}: ${wrong}`, { base: TypeError, cause });
}
