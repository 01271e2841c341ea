/** A store in memory that can come back with older data, and then proves nothing until it is told to. */

import type { Store, Stored } from "../../src/lease/store.js";
import { createRegister } from "../../src/testkit/broken/register.js";
import type { Snapshot } from "../../src/testkit/index.js";

export interface DoubtingStore {
  readonly store: Store;
  /** Answers `unproven` wherever it is asked for proof. */
  doubts: boolean;
  snapshot(): Promise<Snapshot>;
  /** Another epoch, with what was there then, and doubts. */
  restart(snapshot: Snapshot): Promise<void>;
}

export function doubtingStore(): DoubtingStore {
  const register = createRegister();
  const inner = register.store();
  let starts = 1;
  const now = () => `start-${starts}`;
  const shown = (stored: Stored | undefined) => stored && { ...stored, epoch: now() };
  const twin: DoubtingStore = {
    doubts: false,
    snapshot: async () => register.operator.snapshot(),
    async restart(snapshot) {
      starts += 1;
      twin.doubts = true;
      await register.operator.restore(snapshot);
    },
    store: {
      ...inner,
      read: async (key, call) => shown(await inner.read(key, call)),
      async write(key, record, expected, call) {
        const current = await inner.read(key, call);
        if (twin.doubts && call.absence === "prove" && current?.version === expected)
          return { kind: "unproven", epoch: now() };
        const answer = await inner.write(key, record, expected, call);
        if (answer.kind === "conflict") return { kind: "conflict", current: shown(answer.current) };
        return { ...answer, epoch: now() };
      },
    },
  };
  return twin;
}
