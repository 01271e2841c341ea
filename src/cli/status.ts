/**
 * `tenure status`: who leads, now.
 *
 * Says *held* only after it has seen the leader renew; a record that stays unchanged
 * for longer than its holder can believe is *unknown*. Must not write anything.
 */

import { realClock } from "../base/real-clock.js";
import { createElection, type LeaseElectionOptions } from "../create-election.js";
import { createError } from "../errors/index.js";
import type { ElectionStatus } from "../election/api.js";
import { rateTolerance } from "../lease/budget.js";
import { leaseKey } from "../lease/lease.js";
import type { LeaseRecord, LeaseRequest } from "../lease/record.js";
import type { Store, StoreFinding, Stored } from "../lease/store.js";
import { formatDuration } from "./duration.js";
import { exitCodes, signalCode } from "./exit-codes.js";
import { resolveSettings } from "./settings.js";
import { openStore } from "./stores.js";
import { interruptOf, printJson, type Terminal } from "./terminal.js";
import type { Invocation, Verb } from "./verb.js";

const lookMs = 50;

type Leader =
  | {
      readonly kind: "held";
      readonly node: string;
      readonly token: number;
      readonly metadata: Readonly<Record<string, string>>;
      readonly state: "held" | "draining";
      readonly ttlMs: number;
      /** By the clock of the leader; a label. */
      readonly electedAt: string;
      /** Whether it was seen to renew while we looked; null when nobody waited for it. */
      readonly renewed: true | null;
    }
  | {
      readonly kind: "vacant";
      readonly reason: "released" | "offered" | "never-held";
      readonly lastToken: number | null;
    }
  | {
      readonly kind: "unknown";
      readonly reason: "not-renewed" | "unreadable" | "newer";
      readonly lastNode: string | null;
    };

interface Status {
  readonly schema: "tenure.status/1";
  readonly namespace: string;
  readonly election: string;
  readonly store: {
    readonly url: string;
    readonly kind: string;
    readonly scope: string;
    /** What its driver found out about how it is set up. */
    readonly findings: readonly StoreFinding[];
  };
  /** What an election in this store may promise, and why it is not more. */
  readonly belief: ElectionStatus["belief"];
  readonly reasons: readonly string[];
  readonly leader: Leader;
  readonly request: Omit<LeaseRequest, "id"> | null;
}

export const status: Verb = {
  name: "status",
  everyday: true,
  summary: "who leads",
  about: `Waits until the leader has renewed once, which takes up to a sixth of its ttl, since a record alone does not say
whether its holder lives. A holder that does not renew for ttl / 1.5 leads no longer, and is not reported as leader.`,
  positionals: ["NAME"],
  settings: ["store", "namespace", "local"],
  options: [
    {
      name: "now",
      kind: "switch",
      about: "answer from one look at the record, without waiting for a renewal",
    },
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.status/1)" },
  ],
  run: runStatus,
};

async function runStatus(invocation: Invocation, terminal: Terminal): Promise<number> {
  const settings = resolveSettings(invocation, terminal);
  const [name = ""] = invocation.positionals;
  const { namespace } = settings;
  const { store, url, reach } = await openStore(settings, terminal, "look");
  try {
    const key = leaseKey(namespace, name);
    const seen = await look(store, key, invocation.flags.has("now"), terminal.interrupted);
    if (seen === undefined) return signalCode(interruptOf(terminal.interrupted) ?? "SIGINT");
    const { kind, scope, findings = [] } = store;
    const { expiry: asked, ...shown } = seen;
    const expiry = store.capabilities.storeClock ? asked : "observed";
    const found: Status = {
      schema: "tenure.status/1",
      namespace,
      election: name,
      store: { url, kind, scope, findings },
      ...(await promised({ name, namespace, store, ttlMs: store.maxTtlMs, expiry })),
      ...shown,
    };
    if (invocation.flags.has("json")) printJson(terminal, found);
    else terminal.out(describe(found, reach));
    return exitCodes.done;
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/** As an election says it that looks at the same store, with the mode that the leader chose; it does not stand. */
async function promised(options: LeaseElectionOptions): Promise<Pick<Status, "belief" | "reasons">> {
  const election = createElection(options);
  const { belief, reasons } = election.status;
  await election.stop({ drainMs: 0 });
  return { belief, reasons };
}

interface Seen extends Pick<Status, "leader" | "request"> {
  readonly expiry: LeaseRecord["expiry"];
}

/** Undefined when interrupted. */
async function look(
  store: Store,
  key: string,
  now: boolean,
  interrupted: AbortSignal,
): Promise<Seen | undefined> {
  const first = await readOnce(store, key);
  let stored = first;
  let record = recordOf(stored);
  let since = realClock.monotonicMs();
  while (!now && record !== undefined && isKept(record)) {
    const before: LeaseRecord = record;
    const unchangedMs = realClock.monotonicMs() - since;
    // Rule 3: a holder that has not renewed for this long believes no longer.
    if (unchangedMs >= before.ttlMs / rateTolerance) {
      return {
        leader: { kind: "unknown", reason: "not-renewed", lastNode: before.node },
        request: requestOf(before),
        expiry: before.expiry,
      };
    }
    await new Promise<void>((resolve) => realClock.setTimer(Math.min(lookMs, before.ttlMs / 40), resolve));
    if (interrupted.aborted) return undefined;
    stored = await readOnce(store, key);
    record = recordOf(stored);
    const same = record?.instance === before.instance && record.token === before.token;
    if (same && record !== undefined && record.seq > before.seq) return answer(stored, true);
    if (!same) since = realClock.monotonicMs();
  }
  return answer(stored, null);
}

async function readOnce(store: Store, key: string): Promise<Stored | undefined> {
  const limit = new AbortController();
  const timeoutMs = Math.floor((store.maxTtlMs * 2) / 15);
  const { signal } = limit;
  const late = createError("STORE_TIMEOUT", `the store gave no answer within ${timeoutMs} ms`);
  const timer = realClock.setTimer(timeoutMs, () => limit.abort(late));
  try {
    return await new Promise((resolve, reject) => {
      // A store may leave a call unanswered for good: who waits has to give up by itself.
      signal.addEventListener("abort", () => reject(late));
      store.read(key, { signal, timeoutMs, absence: "prove", takeover: "observed" }).then(resolve, reject);
    });
  } finally {
    timer.cancel();
  }
}

function recordOf(stored: Stored | undefined): LeaseRecord | undefined {
  return stored === undefined || typeof stored.body === "string" ? undefined : stored.body;
}

function isKept({ state }: LeaseRecord): boolean {
  return state === "held" || state === "draining";
}

function requestOf(record: LeaseRecord): Status["request"] {
  if (record.request === undefined) return null;
  const { id: _, ...request } = record.request;
  return request;
}

function answer(stored: Stored | undefined, renewed: true | null): Seen {
  const nothing = { request: null, expiry: "observed" } as const;
  if (stored === undefined) {
    return { leader: { kind: "vacant", reason: "never-held", lastToken: null }, ...nothing };
  }
  if (typeof stored.body === "string") {
    return { leader: { kind: "unknown", reason: stored.body, lastNode: null }, ...nothing };
  }
  const { state, node, token, metadata, ttlMs, electedAt, expiry } = stored.body;
  if (state === "released" || state === "offered") {
    return { leader: { kind: "vacant", reason: state, lastToken: token }, request: null, expiry };
  }
  const since = new Date(electedAt).toISOString();
  const leader = { kind: "held", node, token, metadata, state, ttlMs, electedAt: since, renewed } as const;
  return { leader, request: requestOf(stored.body), expiry };
}

const reasons = {
  released: "it was given up",
  offered: "it is being handed over",
  "never-held": "nobody has led it yet",
  "not-renewed": "its holder does not renew",
  unreadable: "the record is no lease record",
  newer: "the record was written by a later version",
};

function describe(found: Status, reach: string): string {
  const { namespace, election, store, leader, request, belief, reasons: why } = found;
  const rows = [
    ["election", `${election} (namespace ${namespace})`],
    ["store", `${store.url} (${reach})`],
    ["leader", whoLeads(leader)],
  ];
  if (leader.kind === "held") {
    rows.push(["token", String(leader.token)]);
    rows.push(["since", `${leader.electedAt} by its clock`]);
    rows.push(["ttl", formatDuration(leader.ttlMs)]);
    for (const [key, value] of Object.entries(leader.metadata)) rows.push([`  ${key}`, value]);
  }
  if (request !== null) {
    rows.push([
      "asked",
      `${request.verb}${request.to === undefined ? "" : ` to ${request.to}`}, by ${request.by}`,
    ]);
  }
  for (const { code, message } of store.findings) rows.push(["found", `${code}: ${message}`]);
  if (belief === "advisory") rows.push(["belief", `advisory, two may lead at once: ${why.join("; ")}`]);
  return rows.map(([key = "", value = ""]) => `${key.padEnd(10)}${value}`).join("\n");
}

function whoLeads(leader: Leader): string {
  if (leader.kind === "vacant") return `nobody: ${reasons[leader.reason]}`;
  if (leader.kind === "unknown") {
    const last = leader.lastNode === null ? "" : ` (last ${leader.lastNode})`;
    return `unknown: ${reasons[leader.reason]}${last}`;
  }
  const draining = leader.state === "draining" ? ", which is leaving" : "";
  return `${leader.node}${draining}${leader.renewed === null ? " (not seen to renew)" : ""}`;
}
