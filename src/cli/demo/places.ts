/** Where things lie in the demo's directory. */

import { join } from "node:path";

export interface Places {
  readonly root: string;
  readonly store: string;
  readonly histories: string;
  readonly logs: string;
  /** What was run and which bounds were printed: all that judging needs besides histories and store. */
  readonly plan: string;
}

export function placesIn(root: string): Places {
  return {
    root,
    store: join(root, "store"),
    histories: join(root, "histories"),
    logs: join(root, "logs"),
    plan: join(root, "plan.json"),
  };
}

/** One file for each start of a process: what a killed one left is never written on. */
export function historyPath(places: Places, node: string, start: number): string {
  return join(places.histories, `${node}-${start}.jsonl`);
}

export function logPath(places: Places, node: string, start: number): string {
  return join(places.logs, `${node}-${start}.log`);
}

/** Appears when a leader that was blocked in this term may go on. */
export function unblockPath(places: Places, node: string, token: number): string {
  return join(places.root, `unblock-${node}-${token}`);
}
