/**
 * The write that the fence is there for: begun before the successor's claim, and carried out after it.
 *
 * A resource may refuse it, or let the claim wait until it is done. Then it came before the claim.
 */

import { TenureError } from "../../errors/index.js";
import { accepted, failed, type Finding, passed, skipped } from "./finding.js";
import type { Probe } from "./probe.js";
import { say, settle, type Settled, type Stand } from "./stand.js";

const operation = "delayed";
/** A guard whose writes hold the process until they are done refuses a body that awaits. */
const synchronous = skipped("a write here is over before anything is awaited");

export const delayedWrite: Probe = {
  id: "delayed-write",
  sent: "a write that was begun before the successor's claim and goes on after it",
  expected: "refused, or the claim waits until it is done",
  async run(stand) {
    const old = await stand.claim(20, "a");
    const begun = await begin(stand, old);
    if ("outcome" in begun) return begun;
    const claiming = settle(stand.claim(21, "b"));
    const claimed = await stand.inTime(claiming);
    begun.goOn();
    const written = await begun.written;
    if (written.kind === "rejected" && TenureError.is(written.error, "INVALID_OPTION")) return synchronous;
    if (claimed !== "waiting" && claimed.kind === "resolved") return judgeAfterClaim(stand, written);
    if (claimed !== "waiting" && !TenureError.is(claimed.error, "CLAIM_BLOCKED")) {
      return failed(`the successor's claim: ${say(claimed.error)}`);
    }
    await claiming;
    await stand.claim(21, "b");
    const late = await stand.refuses("STALE", async () => stand.write(old, "late"));
    if (late.outcome !== "passed") return late;
    return (await stand.knows(operation))
      ? accepted("it counts under the successor's claim")
      : passed("the claim waited");
  },
};

interface Begun {
  readonly goOn: () => void;
  readonly written: Promise<Settled>;
}

async function begin(stand: Stand, handle: unknown): Promise<Begun | Finding> {
  let goOn = () => {};
  let reach = () => {};
  const going = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<"standing">((resolve) => (reach = () => resolve("standing")));
  // Decided anew after the claim, it stands still no second time.
  const pause = async () => {
    reach();
    await going;
  };
  const written = settle(stand.write(handle, operation, operation, pause));
  const first = await Promise.race([reached, written]);
  if (first === "standing") return { goOn, written };
  if (first.kind === "resolved") return skipped("a write here does not stand still between check and effect");
  return TenureError.is(first.error, "INVALID_OPTION") ? synchronous : failed(say(first.error));
}

async function judgeAfterClaim(stand: Stand, written: Settled): Promise<Finding> {
  if (written.kind === "resolved") return accepted("it was applied after the successor's claim");
  if (await stand.knows(operation))
    return accepted(`it was applied, and answered with ${say(written.error)}`);
  return passed(TenureError.is(written.error) ? written.error.code : say(written.error));
}
