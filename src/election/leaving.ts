/** A candidate's wish to leave: by its own signal, or because the election stops. */

export interface Leaving {
  readonly signal: AbortSignal;
  readonly left: Promise<void>;
  dispose(): void;
}

export function watchLeaving(stopped: AbortSignal, own: AbortSignal | undefined): Leaving {
  const controller = new AbortController();
  const signals = own === undefined ? [stopped] : [stopped, own];
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = () => {
      controller.abort();
      resolve();
    };
  });
  for (const signal of signals) {
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  }
  return {
    signal: controller.signal,
    left,
    dispose() {
      for (const signal of signals) signal.removeEventListener("abort", leave);
    },
  };
}
