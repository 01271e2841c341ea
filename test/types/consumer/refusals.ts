/** What must not compile. An expectation that is no longer needed is itself an error of the compiler. */
import { createElection, type Election, type Leadership, TenureError, type UnfencedLeadership } from "tenure";
import { lease } from "tenure/lease";
import { memoryStore } from "tenure/memory";
import { fences } from "tenure/fence";
import { fileGuard } from "tenure/fence/file";
import { unfenced } from "./unfenced.js";

const store = memoryStore();
const election = createElection({ name: "a", store });
const advisory = createElection({ name: "a", algorithm: unfenced });
const ledgerGuard = fileGuard<string[]>("./ledger", { resource: "ledger", initial: [] });
const work = fences({ ledger: ledgerGuard }, async ({ ledger }) => ledger.transaction(() => {}));

export async function refusals(
  leadership: Leadership,
  unfencedLeadership: UnfencedLeadership,
): Promise<void> {
  // @ts-expect-error a store and an algorithm: which of the two decides?
  createElection({ name: "a", store, algorithm: lease({ store }) });
  // @ts-expect-error neither a store nor an algorithm: nobody decides
  createElection({ name: "a" });
  // @ts-expect-error an election without a name
  createElection({ store });
  // @ts-expect-error fenced work under an algorithm that yields no token
  await advisory.run(work);
  // @ts-expect-error a guard refuses a leadership without a fence
  await ledgerGuard.claim(unfencedLeadership);
  // @ts-expect-error an unfenced leadership stands for no fenced one
  const fenced: Leadership = unfencedLeadership;
  // @ts-expect-error an election without tokens stands for none with them
  const elected: Election = advisory;
  // @ts-expect-error nothing in a leadership can be set
  leadership.isCurrent = true;
  // @ts-expect-error a fence is data that nobody changes
  leadership.fence.token = 1;
  // @ts-expect-error "unknown" comes only with `immediate`, so the cases are complete without it
  if ((await election.tryCampaign()).kind === "unknown") return;
  // @ts-expect-error held or unknown has no leadership
  void (await election.tryCampaign({ immediate: true })).leadership;
  // @ts-expect-error no event of that name
  election.on("error", () => {});
  // @ts-expect-error no error of that code
  TenureError.is(undefined, "LEADERSHIP_MISPLACED");
  void [fenced, elected];
}
