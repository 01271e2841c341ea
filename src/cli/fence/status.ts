/**
 * `tenure fence status`: what guarded resources have seen, and what operators did to them.
 *
 * Reads only, unfenced: what it shows may be a moment old. Must not make anything.
 */

import type { FenceAct } from "../../fence/acts.js";
import { exitCodes } from "../exit-codes.js";
import { printJson, type Terminal } from "../terminal.js";
import type { Invocation, Verb } from "../verb.js";
import { describeAct, shownAct } from "./act-text.js";
import type { GuardPlace, Seen, SeenResource } from "./place.js";
import { inPlace, tablesOption } from "./places.js";

interface FenceStatus {
  readonly schema: "tenure.fence-status/1";
  readonly guard: { readonly url: string; readonly holds: GuardPlace["holds"] };
  readonly resources: readonly SeenResource[];
  /** Null where they cannot be seen. */
  readonly acts:
    | readonly (Omit<FenceAct, "at"> & { readonly at: string; readonly resource: string })[]
    | null;
}

export const fenceStatus: Verb = {
  name: "fence status",
  everyday: false,
  summary: "what guarded resources have seen",
  about: `GUARD is file:PATH, the directory of file guards or of a journal, sqlite:PATH, postgres://HOST/DATABASE,
mysql://HOST/DATABASE (also of MariaDB), redis://HOST:PORT?prefix=TEXT (rediss:// with TLS), or nats://HOST:PORT/STREAM,
whose resources are its subjects. Shows for each resource and election the highest token that has claimed it (the
watermark), whose it is, and the number of the last write under it, and the latest acts of operators.`,
  positionals: ["GUARD"],
  settings: [],
  options: [
    { name: "resource", kind: "text", value: "NAME", about: "this resource alone" },
    tablesOption,
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.fence-status/1)" },
  ],
  run: runFenceStatus,
};

async function runFenceStatus(invocation: Invocation, terminal: Terminal): Promise<number> {
  const { flags } = invocation;
  return inPlace(invocation, terminal, async (place, { shown }) => {
    const seen = await place.look(flags.text("resource"));
    const { resources, acts } = seen;
    const status: FenceStatus = {
      schema: "tenure.fence-status/1",
      guard: { url: shown, holds: place.holds },
      resources,
      acts:
        typeof acts === "string" ? null : acts.map((act) => ({ ...shownAct(act), resource: act.resource })),
    };
    if (flags.has("json")) printJson(terminal, status);
    else terminal.out(describe(status, seen));
    return exitCodes.done;
  });
}

const problems = {
  newer: "was written by a later version",
  unreadable: "cannot be read; it is left as it is",
  unfenced: "its last message shows nothing of a guard",
};

function describe({ guard }: FenceStatus, { resources, acts }: Seen): string {
  const head = `${guard.url} (${guard.holds})`;
  const nothing = resources.length === 0 ? [`${head}: nothing was claimed yet`] : [head];
  const done = typeof acts === "string" ? [`acts of operators cannot be seen: ${acts}`] : acts.map(actLine);
  return [...nothing, ...resources.flatMap(linesOf), ...done].join("\n");
}

function linesOf({ name, version, problem, rows }: SeenResource): readonly string[] {
  const head = version === null ? name : `${name}, version ${version}`;
  return [
    problem === null ? head : `${head}: ${problems[problem]}`,
    ...rows.map(({ namespace, election, lineage, watermark, owner, seq, inForce = true }) => {
      const row = `  ${election} (namespace ${namespace}): watermark ${watermark} of ${owner}, ${seq} writes, ${lineage}`;
      return inForce ? row : `${row}; nobody writes until it is claimed again`;
    }),
  ];
}

function actLine(act: FenceAct & { readonly resource: string }): string {
  return `${shownAct(act).at} ${act.resource}: ${describeAct(act)}`;
}
