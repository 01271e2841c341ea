/**
 * `tenure fence status`: what a directory of guards or journals has seen.
 *
 * Reads only, unfenced: what it shows may be a moment old. Must not make anything.
 */

import { resolve } from "node:path";
import { createError } from "../errors/index.js";
import { type FencedResource, lookAtDirectory } from "../fence/file/look.js";
import { exitCodes } from "./exit-codes.js";
import { redacted } from "./store-url.js";
import { printJson, type Terminal } from "./terminal.js";
import { usageError } from "./usage-error.js";
import type { Invocation, Verb } from "./verb.js";

interface FenceStatus {
  readonly schema: "tenure.fence-status/1";
  readonly guard: { readonly url: string; readonly holds: string };
  readonly resources: readonly ResourceStatus[];
}

interface ResourceStatus {
  readonly directory: string;
  readonly version: number;
  /** Null when what fences it can be read. */
  readonly problem: "newer" | "unreadable" | null;
  readonly rows: readonly {
    readonly namespace: string;
    readonly election: string;
    readonly lineage: string;
    readonly watermark: number;
    readonly owner: string;
    readonly seq: number;
  }[];
}

export const fenceStatus: Verb = {
  name: "fence status",
  everyday: false,
  summary: "what guarded resources have seen",
  about: `GUARD is file:PATH, the directory of file guards or of a journal. Shows for each resource and election the highest
token that has claimed it (the watermark), whose it is, and the number of the last write under it.`,
  positionals: ["GUARD"],
  settings: [],
  options: [{ name: "json", kind: "switch", about: "print one JSON object (schema tenure.fence-status/1)" }],
  run: runFenceStatus,
};

async function runFenceStatus({ positionals, flags }: Invocation, terminal: Terminal): Promise<number> {
  const [guard = ""] = positionals;
  const [, path] = /^file:(.+)$/.exec(guard) ?? [];
  if (path === undefined) {
    throw usageError(`guard ${JSON.stringify(redacted(guard))}: this release looks at file:PATH`);
  }
  const directory = resolve(terminal.directory, path);
  const found = await lookAtDirectory(directory).catch((cause: unknown) => {
    throw createError("GUARD_FAILED", `${directory} cannot be read`, { cause });
  });
  if (found === undefined) throw createError("GUARD_FAILED", `there is no guard in ${directory}`);
  const { holds } = found;
  if (holds !== "guard" && holds !== "journal") {
    throw usageError(`${directory} holds a store, not a guard; see tenure status`);
  }
  const status: FenceStatus = {
    schema: "tenure.fence-status/1",
    guard: { url: `file:${directory}`, holds },
    resources: found.resources.map(statusOf),
  };
  if (flags.has("json")) printJson(terminal, status);
  else terminal.out(describe(status));
  return exitCodes.done;
}

function statusOf({ directory, version, rows }: FencedResource): ResourceStatus {
  if (typeof rows === "string") return { directory, version, problem: rows, rows: [] };
  const shown = rows.map(({ namespace, election, row: { lineage, watermark, owner, seq } }) => {
    return { namespace, election, lineage, watermark, owner, seq };
  });
  return { directory, version, problem: null, rows: shown };
}

const problems = {
  newer: "was written by a later version",
  unreadable: "cannot be read; it is left as it is",
};

function describe({ guard, resources }: FenceStatus): string {
  const head = `${guard.url} (${guard.holds})`;
  if (resources.length === 0) return `${head}: nothing was claimed yet`;
  return [head, ...resources.flatMap(linesOf)].join("\n");
}

function linesOf({ directory, version, problem, rows }: ResourceStatus): readonly string[] {
  if (problem !== null) return [`${directory}: ${problems[problem]}`];
  return [
    `${directory}, version ${version}`,
    ...rows.map(({ namespace, election, lineage, watermark, owner, seq }) => {
      return `  ${election} (namespace ${namespace}): watermark ${watermark} of ${owner}, ${seq} writes, ${lineage}`;
    }),
  ];
}
