/** Asking whoever leads to leave or to hand over, from outside: what `resign` and `transfer` share. */

import { realClock } from "../base/real-clock.js";
import type { TransferResult } from "../election/api.js";
import { formatDuration } from "./duration.js";
import { exitCodes, signalCode } from "./exit-codes.js";
import { openElection } from "./opened.js";
import { interruptOf, printJson, type Terminal } from "./terminal.js";
import type { Invocation, OptionSpec } from "./verb.js";

const usualTimeoutMs = 30_000;

export const askingOptions: readonly OptionSpec[] = [
  {
    name: "timeout",
    kind: "duration",
    value: "DURATION",
    about: `how long to wait for the outcome (default: ${formatDuration(usualTimeoutMs)})`,
    min: 1,
    max: 86_400_000,
  },
];

export interface Asking {
  readonly schema: "tenure.resign/1" | "tenure.transfer/1";
  readonly to: string | undefined;
  readonly orResign: boolean;
  /** For people; a result that is not listed here is a failure. */
  readonly done: readonly TransferResult["kind"][];
}

const timedOut = "timed-out";

export async function ask(asking: Asking, invocation: Invocation, terminal: Terminal): Promise<number> {
  const { schema, to, orResign, done } = asking;
  const opened = await openElection(invocation, terminal);
  const timeoutMs = invocation.flags.durationMs("timeout") ?? usualTimeoutMs;
  const limit = new AbortController();
  const timer = realClock.setTimer(timeoutMs, () => limit.abort(timedOut));
  const signal = AbortSignal.any([limit.signal, terminal.interrupted]);
  try {
    const options = { orResign, signal, ...(to === undefined ? {} : { to }) };
    const result = await opened.election.transfer(options).catch((cause: unknown) => {
      if (cause === timedOut) return { kind: timedOut } as const;
      throw cause;
    });
    const follows = result.kind === "transferred" ? result : undefined;
    if (invocation.flags.has("json")) {
      printJson(terminal, {
        schema,
        namespace: opened.settings.namespace,
        election: opened.name,
        result: result.kind,
        to: follows?.to ?? null,
        token: follows?.token ?? null,
      });
    } else {
      terminal.out(`${opened.name}: ${describe(result, timeoutMs)}`);
    }
    return result.kind !== timedOut && done.includes(result.kind) ? exitCodes.done : exitCodes.checkFailed;
  } catch (cause) {
    const interrupt = interruptOf(terminal.interrupted);
    if (interrupt !== undefined) return signalCode(interrupt);
    throw cause;
  } finally {
    timer.cancel();
    await opened.close();
  }
}

const meanings = {
  resigned: "the leader has left",
  "no-candidate": "nobody was ready to follow; the leader goes on",
  superseded: "leadership changed for another reason, or somebody else had asked before",
  "not-held": "nobody leads",
};

function describe(result: TransferResult | { readonly kind: typeof timedOut }, timeoutMs: number): string {
  if (result.kind === "transferred") return `${result.to} leads with token ${result.token}`;
  if (result.kind !== timedOut) return meanings[result.kind];
  return `no outcome within ${formatDuration(timeoutMs)}; the request stands in the record`;
}
