/**
 * `tenure run`: a command that runs where, and while, this node leads.
 *
 * Promise: the command's process group is dead before another node may lead, also when
 * `tenure` is killed or frozen; its output is untouched, ours goes to standard error.
 * Non-promise: a process that leaves the group is out of reach, and so is one whose
 * guardian and `tenure` die in the same moment. Only a resource that checks the token
 * is safe from those.
 */

import { realClock } from "../base/real-clock.js";
import { createElection } from "../create-election.js";
import type { Election } from "../election/api.js";
import { formatDuration } from "./duration.js";
import { codeOfFailure, describeFailure, exitCodes } from "./exit-codes.js";
import { terminalLogger } from "./opened.js";
import { Deadlines } from "./run/deadlines.js";
import { checkReport, type RunReport, writeReport } from "./run/report.js";
import { type Conclusion, Session } from "./run/session.js";
import { withSignals } from "./run/signals.js";
import { waitForElection } from "./run/wait.js";
import { resolveSettings, type Settings } from "./settings.js";
import { openStore } from "./stores.js";
import type { Terminal } from "./terminal.js";
import { isUsageError } from "./usage-error.js";
import type { Invocation, Verb } from "./verb.js";

/** What killing a group and telling of it may take beyond the drain. */
const killMs = 2_000;
/** How long a second signal waits for the lease to be given up. */
const hastyMs = 1_000;

export const run: Verb = {
  name: "run",
  everyday: true,
  summary: "run a command where, and while, this node leads",
  about: `Stands for election NAME, runs the command while it leads, and stands again after a loss. When the command ends by
itself, the lease is given up and its exit code is passed on. A guardian process ends the command's process group
before another node may lead, also when tenure is killed or frozen. SIGTERM and SIGINT are passed on; a second one
ends the command at once. The command sees TENURE_ELECTION, TENURE_NODE and TENURE_FENCING_TOKEN.`,
  positionals: ["NAME"],
  takesCommand: true,
  settings: ["store", "namespace", "node", "ttl", "drain", "local"],
  options: [
    {
      name: "wait",
      kind: "duration",
      value: "DURATION",
      about: "give up when not elected within this time (default: wait for ever; 0: one look)",
      min: 0,
      max: 2_000_000_000,
    },
    {
      name: "once",
      kind: "switch",
      about: "one term only: after a loss, end with 120 instead of standing again",
    },
    {
      name: "report",
      kind: "text",
      value: "FILE",
      about: "write how it ended as JSON (schema tenure.run/1)",
    },
  ],
  run: runCommand,
};

async function runCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  const { flags, command, positionals } = invocation;
  const [election = ""] = positionals;
  const say = (text: string) => terminal.err(`tenure: ${text}`);
  if (process.platform === "win32") {
    say("run needs process groups, which this system does not have");
    return exitCodes.failed;
  }
  const settings = resolveSettings(invocation, terminal);
  const file = flags.text("report");
  const report = file === undefined ? undefined : checkReport(terminal.directory, file);
  const told = await stand(invocation, settings, terminal, say).catch((cause: unknown) => {
    if (isUsageError(cause)) throw cause;
    return { ...neverStood, ...failure(cause, say), node: settings.node ?? null };
  });
  const { namespace } = settings;
  if (report !== undefined)
    writeReport(report, { schema: "tenure.run/1", namespace, election, command, ...told });
  return told.exitCode;
}

type Told = Omit<RunReport, "schema" | "namespace" | "election" | "command">;

const neverStood = { terms: 0, token: null, endReason: null, released: null };

/** Opens the store, stands, and runs the command, until something decides the end. */
async function stand(
  { flags, command, positionals }: Invocation,
  settings: Settings,
  terminal: Terminal,
  say: (text: string) => void,
): Promise<Told> {
  const [name = ""] = positionals;
  const place = await openStore(settings, terminal, "stand");
  if (place.store.scope === "process") say("memory: is seen by this process alone, which always leads");
  if (place.firstWaitMs !== undefined) {
    const wait = formatDuration(place.firstWaitMs);
    say(
      `nobody has stood in namespace ${settings.namespace} yet, so the first leader waits ${wait}: a lease may be forgotten`,
    );
  }
  const deadlines = new Deadlines(realClock, (until) => session.extend(until));
  const election = createRunElection(name, settings, deadlines, place.store, terminal);
  const session = new Session({
    election,
    deadlines,
    clock: realClock,
    command,
    once: flags.has("once"),
    graceMs: Math.min(settings.drainMs, Math.floor(settings.ttlMs / 6)),
    drainMs: settings.drainMs,
    say,
  });
  const { outcome, exitCode, signal } = await lead(election, session, flags.durationMs("wait"), say);
  await place.store[Symbol.asyncDispose]();
  const { terms, token, endReason, released } = session;
  return { node: election.node, outcome, exitCode, signal, terms, token, endReason, released };
}

function createRunElection(
  name: string,
  { namespace, node, ttlMs, drainMs }: Settings,
  deadlines: Deadlines,
  store: Awaited<ReturnType<typeof openStore>>["store"],
  terminal: Terminal,
): Election {
  const election: Election = createElection({
    name,
    namespace,
    ttlMs,
    drainMs: drainMs + killMs,
    store: deadlines.watch(store, () => election.budget.stopMs),
    history: deadlines.note,
    logger: terminalLogger(terminal, "info"),
    ...(node === undefined ? {} : { node }),
  });
  return election;
}

async function lead(
  election: Election,
  session: Session,
  waitMs: number | undefined,
  say: (text: string) => void,
): Promise<Conclusion> {
  const waiting = waitMs === undefined ? undefined : waitForElection(election, waitMs, realClock);
  void waiting?.over.then((conclusion) => conclusion !== undefined && session.conclude(conclusion));
  return withSignals(session, realClock, hastyMs, async () => {
    try {
      await election.run(session.work, { signal: session.leaving });
    } catch (cause) {
      session.conclude(failure(cause, say));
    } finally {
      waiting?.cancel();
    }
    await election.stop({ drainMs: 0 });
    await session.dispose();
    return session.conclusion ?? failure(new Error("the candidacy ended for no reason"), say);
  });
}

function failure(cause: unknown, say: (text: string) => void): Conclusion {
  const exitCode = codeOfFailure(cause);
  const outcome = exitCode === exitCodes.storeUnreachable ? "store-unreachable" : "failed";
  say(describeFailure(cause));
  return { outcome, exitCode, signal: null };
}
