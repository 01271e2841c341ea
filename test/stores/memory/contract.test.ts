/** The memory driver keeps the contract of the store port. */

import { describe, it } from "vitest";
import { memoryStore } from "../../../src/stores/memory/index.js";
import { storeContract } from "../../../src/testkit/index.js";

const unreachable = "the data lives inside the store object, where no operator reaches it";
const act = async (): Promise<never> => {
  throw new Error(unreachable);
};

storeContract({
  describe,
  it,
  name: "memory",
  capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: true },
  // One object is the whole store, so "another store object" is the same one.
  open: async () => {
    const store = memoryStore();
    return {
      store: () => store,
      operator: { remove: act, wipe: act, put: act, snapshot: act, restore: act },
      close: async () => {},
    };
  },
  skip: {
    "operator.remove": unreachable,
    "operator.wipe": unreachable,
    "operator.put": unreachable,
    "operator.snapshot": unreachable,
    "operator.restore": unreachable,
    "dispose-spares-other-objects": "there is one store object",
  },
});
