/** What one election object was shown of the record, as its answers tell. */

import type { Version } from "../../lease/store.js";

export interface Sight {
  /** First. */
  presentAt: number;
  /** First since it was last present. */
  absentAt: number;
  highestToken: number;
  highestAt: number;
  highestOwner: string;
  /** Last shown. */
  epoch: string | undefined;
  /** The version shown last, and in which epoch: shown again it tells nothing new. */
  shown: { readonly version: Version; readonly epoch: string } | undefined;
  /** When each state of the record was first shown, by what tells it from another. */
  readonly firstAt: Map<string, number>;
  /** Of the last own write that says "held". */
  sentAt: number;
}

export function nothingSeen(): Sight {
  return {
    presentAt: Number.POSITIVE_INFINITY,
    absentAt: Number.POSITIVE_INFINITY,
    highestToken: 0,
    highestAt: Number.NEGATIVE_INFINITY,
    highestOwner: "",
    epoch: undefined,
    shown: undefined,
    firstAt: new Map(),
    sentAt: Number.NEGATIVE_INFINITY,
  };
}
