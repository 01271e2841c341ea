/** What one election object was shown of the record, as its answers tell. */

import type { LeaseRecord } from "../../lease/record.js";
import type { Version } from "../../lease/store.js";

type Shown = Pick<LeaseRecord, "instance" | "token" | "seq" | "state">;

/** Records of one term in one state and epoch, which differ by `seq`. */
interface Stretch extends Omit<Shown, "seq"> {
  readonly epoch: string;
  readonly firstAt: Map<number, number>;
}

/** When each state of the record was first shown. */
class FirstSights {
  /** Few: a term, a state and an epoch mostly outlast many renewals. */
  readonly #stretches: Stretch[] = [];

  get(record: Shown, epoch: string): number | undefined {
    return this.#find(record, epoch)?.firstAt.get(record.seq);
  }

  note(record: Shown, epoch: string, at: number): void {
    const stretch = this.#find(record, epoch);
    if (stretch === undefined) {
      const { instance, token, state, seq } = record;
      this.#stretches.push({ instance, token, state, epoch, firstAt: new Map([[seq, at]]) });
    } else if (!stretch.firstAt.has(record.seq)) stretch.firstAt.set(record.seq, at);
  }

  /** The one that goes on is the last. */
  #find({ instance, token, state }: Shown, epoch: string): Stretch | undefined {
    return this.#stretches.findLast(
      (one) => one.token === token && one.instance === instance && one.state === state && one.epoch === epoch,
    );
  }
}

export interface Sight {
  /** When the store answered last, whatever it said. */
  answeredAt: number;
  /** First. */
  presentAt: number;
  /** First since it was last present. */
  absentAt: number;
  /** Last, whatever came with it. */
  heardAbsentAt: number;
  /** The absence before that, and when an answer ended it. */
  absentBefore: { readonly fromMs: number; readonly endedAtMs: number };
  highestToken: number;
  highestAt: number;
  highestOwner: string;
  /** Last shown. */
  epoch: string | undefined;
  /** All that it was told of, and since when of the last one. */
  epochs: { readonly told: ReadonlySet<string>; readonly since: number };
  /** The version shown last, and in which epoch: shown again it tells nothing new. */
  shown: { readonly version: Version; readonly epoch: string } | undefined;
  readonly firstAt: FirstSights;
  /** Of the last own write that says "held". */
  sentAt: number;
}

export function nothingSeen(): Sight {
  return {
    answeredAt: Number.NEGATIVE_INFINITY,
    presentAt: Number.POSITIVE_INFINITY,
    absentAt: Number.POSITIVE_INFINITY,
    heardAbsentAt: Number.NEGATIVE_INFINITY,
    absentBefore: { fromMs: Number.POSITIVE_INFINITY, endedAtMs: Number.NEGATIVE_INFINITY },
    highestToken: 0,
    highestAt: Number.NEGATIVE_INFINITY,
    highestOwner: "",
    epoch: undefined,
    epochs: { told: new Set(), since: Number.POSITIVE_INFINITY },
    shown: undefined,
    firstAt: new FirstSights(),
    sentAt: Number.NEGATIVE_INFINITY,
  };
}
