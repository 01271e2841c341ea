/**
 * The place between reading and writing: where a leader can be held, so that it is stopped in the middle of a write
 * and not by chance beside it.
 */

export interface Hold {
  /** From now on the next write stands still once it has read. */
  arm(): void;
  /** Lets it go on. `stale`: another leader has written meanwhile. */
  release(stale: boolean): void;
  /** Whether the write that begins now has to stand still. Answered once. */
  take(): boolean;
  /** Called by that write, of term `token`, between reading and writing. Resolves with whether it is stale now. */
  stand(token: number): Promise<boolean>;
}

export function createHold(onHeld: (token: number) => void): Hold {
  let state: "idle" | "armed" | "taken" = "idle";
  let goOn: ((stale: boolean) => void) | undefined;
  return {
    arm() {
      state = "armed";
    },
    release(stale) {
      state = "idle";
      goOn?.(stale);
      goOn = undefined;
    },
    take() {
      if (state !== "armed") return false;
      state = "taken";
      return true;
    },
    async stand(token) {
      // Let go on its way here.
      if (state !== "taken") return false;
      const released = new Promise<boolean>((resolve) => (goOn = resolve));
      onHeld(token);
      return released;
    },
  };
}
