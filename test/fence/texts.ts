/** A guarded value as the suite for guards wants to see it: a list of texts that grows at its end. */

import type { ValueHandle } from "../../src/fence/value-guard.js";
import type { GuardWrite } from "../../src/testkit/index.js";

export type Texts = readonly string[];

/** The part of a harness that is the same for every guard of a value. */
export const applyTo = {
  apply: async (
    handle: ValueHandle<Texts>,
    { value, result, pause, options }: GuardWrite,
  ): Promise<unknown> =>
    handle.transaction(async (tx) => {
      await pause();
      tx.value = [...tx.value, value];
      return result;
    }, options),
  read: async (handle: ValueHandle<Texts>): Promise<Texts> => handle.read(),
};
