/** `--wait`: the end of a candidacy that was not elected in time. */

import type { Clock } from "../../base/clock.js";
import type { Election } from "../../election/api.js";
import { exitCodes } from "../exit-codes.js";
import type { Conclusion } from "./session.js";

interface Waiting {
  /** Undefined when it was elected, or no longer matters. */
  readonly over: Promise<Conclusion | undefined>;
  cancel(): void;
}

/** A store that answers at all answers one look within this part of the ttl. */
const lookPart = 4 / 15;

/** With 0, the first answer of the store decides: whoever stands in the record is not waited for. */
export function waitForElection(election: Election, waitMs: number, clock: Clock): Waiting {
  let settle: (conclusion: Conclusion | undefined) => void = () => {};
  const over = new Promise<Conclusion | undefined>((resolve) => {
    settle = resolve;
  });
  const { stopMs } = election.budget;
  const limit = clock.setTimer(waitMs === 0 ? stopMs * 1.5 * lookPart : waitMs, () =>
    settle(conclude(election)),
  );
  const removals = [
    election.on("elected", () => settle(undefined)),
    election.on("leaderChanged", (view) => {
      if (waitMs === 0 && view.kind === "held" && !view.self) settle(conclude(election));
    }),
  ];
  return {
    over: over.finally(() => {
      limit.cancel();
      for (const remove of removals) remove();
    }),
    cancel: () => settle(undefined),
  };
}

/** A store that gave no answer is another matter than a leader that stays. */
function conclude({ status }: Election): Conclusion {
  const silent = status.lastError !== undefined && status.leader.kind === "unknown";
  return silent
    ? { outcome: "store-unreachable", exitCode: exitCodes.storeUnreachable, signal: null }
    : { outcome: "not-acquired", exitCode: exitCodes.notAcquired, signal: null };
}
