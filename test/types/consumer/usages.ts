/** What users write: each function is one situation of the guide, and has to compile as it stands. */
import { setTimeout as sleep } from "node:timers/promises";
import { createElection, type AnyLeadership, type Election, type Leadership, TenureError } from "tenure";
import { lease, type Store } from "tenure/lease";
import { memoryStore } from "tenure/memory";
import { createTestElection, recordingResource, type Sleep } from "tenure/testing";
import { fences } from "tenure/fence";
import { fileGuard } from "tenure/fence/file";
import { unfenced } from "./unfenced.js";

const store: Store = memoryStore();
const election = createElection({ name: "invoices", store });
const ledgerGuard = fileGuard<string[]>("./ledger", { resource: "ledger", initial: [] });

export async function fencedLoop(): Promise<void> {
  const work = fences({ ledger: ledgerGuard }, async ({ ledger }, leadership) => {
    while (leadership.isCurrent) await ledger.transaction((tx) => tx.value.push("a"));
  });
  await election.run(work);
}

export async function outbox(relay: () => Promise<number>): Promise<void> {
  await election.run(async (leadership) => {
    while (leadership.isCurrent) {
      if ((await relay()) === 0) await sleep(500, undefined, { signal: leadership.signal });
    }
  });
}

export async function cron(report: (signal: AbortSignal) => Promise<void>): Promise<string> {
  const attempt = await election.tryCampaign();
  if (attempt.kind === "held") return attempt.by.node;
  await using leadership = attempt.leadership;
  await report(leadership.signal);
  return leadership.fence.owner;
}

export async function cronAtOnce(): Promise<"elected" | "held" | "unknown"> {
  const attempt = await election.tryCampaign({ immediate: true });
  return attempt.kind;
}

export async function shutdown(stop: AbortSignal): Promise<number> {
  await election.run(async (leadership) => void (await leadership.ended), { signal: stop, drainMs: 20_000 });
  await election.stop({ drainMs: 0 });
  return election.budget.shutdownMs;
}

export function routing(): (proxy: (url: string | undefined) => void) => boolean {
  const who = election.observe();
  return (proxy) => {
    if (who.current.kind !== "held") return false;
    proxy(who.current.metadata["url"]);
    return true;
  };
}

export async function following(): Promise<void> {
  for await (const view of election.observe()) {
    const token: number | undefined = view.kind === "held" ? view.token : undefined;
    if (view.kind === "unknown") return void [view.sinceMs, token];
  }
}

/** An algorithm picked from configuration: the leadership is the union, and narrows by its token. */
export async function chosen(useLease: boolean): Promise<number | undefined> {
  const picked = createElection({
    name: "jobs",
    algorithm: useLease ? lease({ store, ttlMs: 5_000 }) : unfenced,
  });
  const either: Election<AnyLeadership> = picked;
  const leadership = await either.campaign();
  if (leadership.token !== undefined) return leadership.fence.token;
  return undefined;
}

export async function errors(leadership: Leadership): Promise<string> {
  try {
    leadership.check();
    await leadership.ensure(1_000, { signal: leadership.signal });
    return await election.runOnce(async ({ token }) => `done by ${token}`, { maxTermMs: 60_000 });
  } catch (error) {
    if (TenureError.is(error, "LEADERSHIP_LOST")) {
      const code: "LEADERSHIP_LOST" = error.code;
      return `${code} ${error.outcome} ${error.retry}`;
    }
    throw error;
  }
}

export async function handover(): Promise<string> {
  const result = await election.transfer({ to: "node-2" });
  return result.kind === "transferred" ? `${result.to} ${result.token ?? ""}` : result.kind;
}

export function listening(): () => void {
  const off = election.on("lost", ({ reason, token, lateByMs }) => void [reason, token, lateByMs]);
  election.on("released", async ({ outcome }) => void outcome);
  return off;
}

/** A logger and a history sink need no wrapping. */
export const observed = createElection({
  name: "observed",
  namespace: "billing",
  node: "node-1",
  metadata: { url: "http://10.0.0.1" },
  eligible: () => true,
  logger: console,
  history: (line) => void JSON.stringify(line),
  store,
});

/** Work under test: the pause of Node and the virtual one fit one argument. */
export const realPause: Sleep = sleep;

export async function testing(
  work: (leadership: Leadership, pause: Sleep) => Promise<void>,
): Promise<number> {
  const { election: tested, elect, loseNow, sleep: pause } = createTestElection({ name: "a", ttlMs: 5_000 });
  const under: Election = tested;
  void under.run((leadership) => work(leadership, pause));
  const { fence } = await elect();
  await loseNow("store-lost");
  const resource = recordingResource<{ readonly id: string }>("orders");
  const verdict = resource.write(fence, { id: "1" });
  return verdict.kind === "refused" ? verdict.token : resource.applied.length;
}
