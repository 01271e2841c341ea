/**
 * What a process of the demo asks of whatever elects in it: ours, or a foreign elector.
 *
 * The faults, the witness and the verdict are the same for both. Types only.
 */

import type { Logger } from "../../election/events.js";
import type { History, HistoryIdentity } from "../../history/writer.js";
import type { HistorySink } from "../../history/line.js";
import type { Store } from "../../lease/store.js";
import type { Hold } from "./hold.js";
import type { Places } from "./places.js";
import type { TermLogParts } from "./term-log.js";
import type { Wake } from "./witness.js";

export interface CandidateParts {
  readonly places: Places;
  /** For this candidate alone, which closes it. */
  readonly store: Store;
  /** Where the record of the election lies in it. */
  readonly key: string;
  readonly identity: HistoryIdentity;
  /** Takes a finished line of the history. */
  readonly sink: HistorySink;
  /** Stamps and writes lines of this process. */
  readonly own: History;
  readonly logger: Logger;
  /** For the lines that tell of writes. */
  readonly account: TermLogParts;
  readonly hold: Hold;
  /** Called with the token of the term when its work has written for the first time. */
  readonly onWrote: (token: number) => void;
  /** Called when a leader that woke up has tried to write with what it held. */
  readonly onTried: (token: number) => void;
  /** Called with the token of a leader that is seen for the first time. */
  readonly onLeader: (token: number) => void;
  /** Called after the first look that follows a pause which the leader did not choose. */
  readonly onWake: (wake: Wake) => void;
}

export interface Handover {
  readonly done: boolean;
  /** In a word. */
  readonly outcome: string;
}

export interface Candidate {
  /** Stands, and leads with a witness as its work, until `stop`. Rejects when it cannot go on. */
  run(): Promise<void>;
  /** Asks the check of the present term now, and has the answer written down. */
  look(): void;
  /** Asks for another leader. */
  transfer(): Promise<Handover>;
  stop(): Promise<void>;
}
