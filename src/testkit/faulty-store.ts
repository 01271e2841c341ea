/**
 * A store object whose calls meet the faults that a plan decides, one call at a time.
 *
 * What happens is what networks and servers do: answers get lost or late, requests
 * are carried out late or twice, calls never settle. It never invents an answer
 * and never changes a record, so whatever goes wrong over it is the caller's
 * fault, or the driver's. No chance of its own: the same plan, the same faults.
 */

import type { Clock } from "../base/clock.js";
import { realClock } from "../base/real-clock.js";
import type { LeaseRecord } from "../lease/record.js";
import type { Call, Store, Written } from "../lease/store.js";
import { wrapStore } from "../lease/wrap-store.js";

export type Fault =
  /** Carried out; the answer never comes. */
  | { readonly kind: "lost-reply" }
  /** Carried out at once; the answer comes later. */
  | { readonly kind: "late-reply"; readonly byMs: number }
  /** Carried out later, also when the caller has given up by then; the answer follows. */
  | { readonly kind: "late-execution"; readonly byMs: number }
  /** Neither carried out nor answered. */
  | { readonly kind: "never-settles" }
  /** Carried out and answered, and carried out once more later. */
  | { readonly kind: "delivered-twice"; readonly byMs: number };

/** What a plan may look at. */
export interface PlannedCall {
  readonly method: "read" | "write";
  readonly key: string;
  /** What is to be written; undefined for a read. */
  readonly record: LeaseRecord | undefined;
}

/** Decides one call; `undefined` lets it pass. Called once per call, in the order of the calls. */
export type FaultPlan = (call: PlannedCall) => Fault | undefined;

/** Delays run on `timers`, by default in real time. Everything but `read` and `write` goes to `store` as it is. */
export function faultyStore(
  store: Store,
  plan: FaultPlan,
  timers: Pick<Clock, "setTimer"> = realClock,
): Store {
  const pause = async (delayMs: number) =>
    new Promise<void>((resolve) => void timers.setTimer(delayMs, resolve));

  async function meet<T>(fault: Fault | undefined, call: Call, send: (call: Call) => Promise<T>): Promise<T> {
    if (fault === undefined) return send(call);
    // On the wire a request no longer knows that its sender gave up.
    const onTheWire = { ...call, signal: new AbortController().signal };
    switch (fault.kind) {
      case "lost-reply":
        await send(onTheWire).catch(() => {});
        return never();
      case "late-reply": {
        const answer = await send(onTheWire);
        await pause(fault.byMs);
        return answer;
      }
      case "late-execution":
        await pause(fault.byMs);
        return send(onTheWire);
      case "never-settles":
        return never();
      case "delivered-twice":
        void pause(fault.byMs).then(async () => send(onTheWire).catch(() => {}));
    }
    return send(call);
  }

  return wrapStore(store, {
    async read(key, call) {
      const fault = plan({ method: "read", key, record: undefined });
      return meet(fault, call, async (sent) => store.read(key, sent));
    },
    async write(key, record, expected, call): Promise<Written> {
      const fault = plan({ method: "write", key, record });
      return meet(fault, call, async (sent) => store.write(key, record, expected, sent));
    },
  });
}

async function never(): Promise<never> {
  return new Promise(() => {});
}
