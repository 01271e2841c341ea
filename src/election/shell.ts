/** What the parts of one election share. Types only. */

import type { Clock } from "../base/clock.js";
import type { Emitter } from "../base/emitter.js";
import type { Engine } from "./algorithm.js";
import type { Candidacy } from "./candidacy.js";
import type { ElectionEvents } from "./events.js";
import type { OpenObserver } from "./observer.js";
import type { ResolvedOptions } from "./options.js";
import type { TermHandle } from "./term.js";

export interface Shell {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly candidacy: Candidacy;
  readonly events: Emitter<ElectionEvents>;
  readonly observers: Set<OpenObserver>;
  /** Aborted by `stop()`. */
  readonly stopped: AbortController;
  term: TermHandle | undefined;
  onQuiet: (() => void) | undefined;
}
