/** A store that tells each write before it is sent, and each answer: every record, for the verdict. */

import { realClock } from "../../base/real-clock.js";
import type { Store } from "../../lease/store.js";
import { wrapStore } from "../../lease/wrap-store.js";
import type { RecordLine } from "./record-line.js";

/** `tell` returns when it is written down. */
export function toldStore(store: Store, tell: (line: RecordLine) => void): Store {
  return wrapStore(store, {
    read: async (key, call) => store.read(key, call),
    async write(key, record, expected, call) {
      const { nonce } = record;
      tell({ kind: "sent", wallMs: realClock.wallMs(), expected: expected ?? null, record });
      try {
        const written = await store.write(key, record, expected, call);
        tell({ kind: "answered", nonce, answer: written.kind });
        return written;
      } catch (cause) {
        tell({ kind: "answered", nonce, answer: "failed" });
        throw cause;
      }
    },
  });
}
