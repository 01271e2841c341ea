/** The demo's command line. */

import { parseArgs } from "node:util";
import { parseStoreUrl, type RedisUrl } from "../store-url.js";
import { usageError } from "../usage-error.js";
import type { ElectorName } from "./settings.js";

export interface Arguments {
  readonly elector: ElectorName;
  readonly rounds: number;
  readonly keep: boolean;
  readonly json: boolean;
  /** Undefined: a directory of the run. */
  readonly store: RedisUrl | undefined;
}

export type Parsed =
  | { readonly kind: "run"; readonly arguments: Arguments }
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly message: string };

/** @throws a usage error. */
function serverOf(text: string | undefined): RedisUrl | undefined {
  if (text === undefined) return undefined;
  const url = parseStoreUrl(text, ".");
  if (url.kind !== "redis") throw usageError(`--store ${url.shown}: the demo takes redis://HOST:PORT`);
  if (url.maxTtlMs !== undefined) throw usageError(`--store ${url.shown}: the demo sets maxTtl itself`);
  return url;
}

const mostRounds = 100;
/** Enough to see each fault more than once, and a handover asked for by the leader and by another. */
const usualRounds: Readonly<Record<ElectorName, number>> = { tenure: 4, naive: 2 };

export const help: string = `Usage: npm run demo -- [options]

Three processes elect a leader, in a directory or on a Redis server. The leader writes to a ledger and keeps a
journal, both fenced. In turn it is killed (kill -9), stopped beyond its ttl in the middle of a write (SIGSTOP, then
SIGCONT), blocked beyond its ttl in the middle of a write (its event loop spins), asked to leave (SIGTERM), and asked
to hand over (transfer; in every other round it is another candidate that asks). Woken, it goes on with that write and
tries two more; and now and then a reply is treated as lost, and its attempt sent again.

What happened is judged from the histories of the processes, from the sequence of records in the store, and from what
the ledger and the journal hold on disk: nobody led beside another, the next leader came in time, every acknowledged
operation is there once, and no stale write is. A directory keeps every record. A server keeps the newest alone: there
candidates tell each write before they send it, and with it the record that it replaces, so the way back from the last
record is known; and the demo looks at the store beside them.

Options:
  --store URL  elect on this server (redis:// or rediss://), in a namespace of the run that is removed at the end
  --rounds N   each fault N times, 1 to ${mostRounds}; default ${usualRounds.tenure}, with --unsafe ${usualRounds.naive}
  --unsafe     the same faults and the same verdict for the elector that many projects write themselves: a flag, and
               a timer that refreshes a lease; its ledger is a plain file. Two lead at once, updates are lost, and the
               run ends with FAIL
  --keep       leave the directory with histories and store, and print where it is
  --json       print the verdict as one JSON object (schema tenure.demo/1); progress goes to stderr
  --help       print this

Exit codes: 0 every promise held; 1 one did not; 64 wrong usage; 122 the server cannot be reached, or refuses;
125 the demo itself failed; 128+n signal n
`;

export function parseArguments(args: readonly string[]): Parsed {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: "string" },
        unsafe: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        store: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const { keep, json } = values;
    const elector = values.unsafe ? "naive" : "tenure";
    const asked = values.rounds ?? String(usualRounds[elector]);
    const rounds = /^[0-9]{1,3}$/.test(asked) ? Number(asked) : 0;
    if (rounds < 1 || rounds > mostRounds) {
      return { kind: "usage", message: `--rounds "${asked}": a whole number from 1 to ${mostRounds}` };
    }
    return { kind: "run", arguments: { elector, rounds, keep, json, store: serverOf(values.store) } };
  } catch (cause) {
    return { kind: "usage", message: cause instanceof Error ? cause.message : String(cause) };
  }
}
