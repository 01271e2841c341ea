/** The demo's command line. */

import { parseArgs } from "node:util";

export interface Arguments {
  readonly rounds: number;
  readonly keep: boolean;
  readonly json: boolean;
}

export type Parsed =
  | { readonly kind: "run"; readonly arguments: Arguments }
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly message: string };

const mostRounds = 100;

export const help: string = `Usage: npm run demo -- [options]

Three processes elect a leader in a directory. In turn the leader is killed (kill -9), stopped beyond its ttl
(SIGSTOP, then SIGCONT), and asked to leave (SIGTERM). What happened is judged from the histories of the processes
and from the store's own sequence of records: nobody led beside another, and the next leader came in time.

Options:
  --rounds N   each fault N times, 1 to ${mostRounds}; default 5
  --keep       leave histories and store, and print where they are
  --json       print the verdict as one JSON object (schema tenure.demo/1); progress goes to stderr
  --help       print this

Exit codes: 0 every promise held; 1 one did not; 64 wrong usage; 125 the demo itself failed; 128+n signal n
`;

export function parseArguments(args: readonly string[]): Parsed {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: "string", default: "5" },
        keep: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const rounds = /^[0-9]{1,3}$/.test(values.rounds) ? Number(values.rounds) : 0;
    if (rounds < 1 || rounds > mostRounds) {
      return {
        kind: "usage",
        message: `--rounds "${values.rounds}": a whole number from 1 to ${mostRounds}`,
      };
    }
    return { kind: "run", arguments: { rounds, keep: values.keep, json: values.json } };
  } catch (cause) {
    return { kind: "usage", message: cause instanceof Error ? cause.message : String(cause) };
  }
}
