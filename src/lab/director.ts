/** Who decides what goes wrong in a world, and when. */

import type { HistoryEvent } from "../history/line.js";
import type { LeaseRecord } from "../lease/record.js";
import type { CallKind, Fate } from "./faults/fault.js";
import type { Sender } from "./world/network.js";
import type { Process } from "./world/process.js";
import type { Entry } from "./world/store-account.js";

export interface Director {
  /** Faults may happen from now on. */
  begin(): void;
  /** The last faults have happened. */
  end(): void;
  /** What becomes of the call that is sent now; undefined: nothing. */
  fate(sender: Sender, kind: CallKind): Fate | undefined;
  /** A process writes to the store. */
  onSent?(process: Process, record: LeaseRecord): void;
  /** The store carried out a write. */
  onEntry?(entry: Entry): void;
  /** A process tells its history. */
  onTold?(process: Process, event: HistoryEvent): void;
}

/** Nothing goes wrong. */
export const noFaults = (): Director => ({ begin() {}, end() {}, fate: () => undefined });
