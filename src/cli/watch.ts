/** `tenure watch`: each change of who leads, until a signal. Must not stand and must not write. */

import { realClock } from "../base/real-clock.js";
import type { LeaderView } from "../election/events.js";
import { signalCode } from "./exit-codes.js";
import { openElection } from "./opened.js";
import { interruptOf, printJson, type Terminal } from "./terminal.js";
import type { Invocation, Verb } from "./verb.js";

interface Seen {
  readonly schema: "tenure.watch/1";
  readonly at: string;
  readonly namespace: string;
  readonly election: string;
  readonly leader:
    | {
        readonly kind: "held";
        readonly node: string;
        readonly token: number | null;
        readonly metadata: object;
      }
    | { readonly kind: "vacant" }
    | { readonly kind: "unknown" };
}

export const watch: Verb = {
  name: "watch",
  everyday: true,
  summary: "each change of who leads, until a signal",
  about: `One line at once and one per change. A leader that shows no life for its ttl becomes "unknown".`,
  positionals: ["NAME"],
  settings: ["store", "namespace", "local"],
  options: [{ name: "json", kind: "switch", about: "one JSON object per line (schema tenure.watch/1)" }],
  run: runWatch,
};

async function runWatch(invocation: Invocation, terminal: Terminal): Promise<number> {
  const opened = await openElection(invocation, terminal);
  const { election, place } = opened;
  const json = invocation.flags.has("json");
  terminal.err(`tenure: ${opened.name} in ${place.url} (${place.reach})`);
  try {
    const observer = election.observe({ signal: terminal.interrupted });
    // The first answer of the store is worth waiting for; after that, not knowing is news.
    let first = true;
    let told: string | undefined;
    for await (const view of observer) {
      if (first && view.kind === "unknown")
        await firstAnswer(terminal.interrupted, () => observer.current.kind !== "unknown");
      first = false;
      if (terminal.interrupted.aborted) break;
      const seen = seenOf(observer.current, opened);
      // What is shown may be newer than what woke us: then the wake that follows brings no news.
      const news = JSON.stringify(seen.leader);
      if (news === told) continue;
      told = news;
      if (json) printJson(terminal, seen);
      else terminal.out(`${seen.at}  ${describe(seen.leader)}`);
    }
    return signalCode(interruptOf(terminal.interrupted) ?? "SIGINT");
  } finally {
    await opened.close();
  }
}

const patienceMs = 1_000;

async function firstAnswer(interrupted: AbortSignal, known: () => boolean): Promise<void> {
  const untilMs = realClock.monotonicMs() + patienceMs;
  while (!known() && !interrupted.aborted && realClock.monotonicMs() < untilMs) {
    await new Promise<void>((resolve) => realClock.setTimer(10, resolve));
  }
}

function seenOf(view: LeaderView, { name, settings }: Awaited<ReturnType<typeof openElection>>): Seen {
  return {
    schema: "tenure.watch/1",
    at: new Date(realClock.wallMs()).toISOString(),
    namespace: settings.namespace,
    election: name,
    leader: leaderOf(view),
  };
}

function leaderOf(view: LeaderView): Seen["leader"] {
  if (view.kind !== "held") return { kind: view.kind };
  const { node, token = null, metadata } = view;
  return { kind: "held", node, token, metadata };
}

function describe(leader: Seen["leader"]): string {
  if (leader.kind === "vacant") return "nobody leads";
  if (leader.kind === "unknown") return "unknown who leads";
  return `${leader.node} leads with token ${leader.token}`;
}
