/** A candidate's wish to leave: by its own signal, or because the election stops. */

import { offAbort, onAbort } from "../base/abort.js";
import { Latch } from "../base/latch.js";

export interface Leaving {
  readonly left: Latch;
  dispose(): void;
}

export function watchLeaving(stopped: Latch, signal: AbortSignal | undefined): Leaving {
  const left = new Latch();
  const leave = () => left.close();
  stopped.add(leave);
  if (stopped.closed || signal?.aborted === true) leave();
  else if (signal !== undefined) onAbort(signal, leave);
  return {
    left,
    dispose() {
      stopped.remove(leave);
      if (signal !== undefined) offAbort(signal, leave);
    },
  };
}
