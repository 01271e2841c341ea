/** Work behind guards: handles are typed by their guards, and a term without a token is refused. */

import {
  type AnyLeadership,
  createElection,
  type Election,
  TenureError,
  type UnfencedLeadership,
} from "tenure";
import { type Attempt, type Fence, fences, type Guard } from "tenure/fence";
import { fileGuard } from "tenure/fence/file";
import { memoryGuard, type ValueHandle } from "tenure/fence/memory";
import { memoryStore } from "tenure/memory";

interface Ledger {
  readonly entries: string[];
}

const election = createElection({ name: "invoices", store: memoryStore() });
const ledger = fileGuard<Ledger>("./ledger", { resource: "ledger", initial: { entries: [] } });
const counter = memoryGuard({ resource: "counter", initial: 0 });

await election.run(
  fences({ ledger, counter }, async ({ ledger, counter }, leadership) => {
    const length: number = await ledger.transaction((tx) => tx.value.entries.push("a"));
    await counter.transaction((tx) => void (tx.value += length));
    const token: number = leadership.fence.token;
    // @ts-expect-error the value is a number
    await counter.transaction((tx) => void (tx.value = `${token}`));
    // @ts-expect-error no guard of that name was claimed
    await ledger.unknown();
  }),
);

const sum: number = await election.runOnce(fences({ counter }, async ({ counter }) => counter.read()));
void sum;

// A bare fence, as it comes out of JSON, and a leadership can both claim.
const fence: Fence = JSON.parse("{}") as Fence;
const handle: ValueHandle<number> = await counter.claim(fence);
await counter.claim(await election.campaign());

try {
  await handle.transaction(() => undefined);
} catch (error) {
  if (TenureError.is(error, "GUARD_UNCONFIRMED")) {
    const attempt: Attempt = error.attempt;
    await handle.transaction(() => undefined, { attempt });
  }
  if (TenureError.is(error, "STALE")) {
    const watermark: number = error.watermark;
    void watermark;
  }
  // @ts-expect-error only errors of one code carry an attempt
  if (TenureError.is(error)) void error.attempt;
}

declare const either: AnyLeadership;
if (either.token !== undefined) await counter.claim(either);

const guard: Guard<ValueHandle<number>> = counter;
void guard;
