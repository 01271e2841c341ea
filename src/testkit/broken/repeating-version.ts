/**
 * Broken: a version is a counter per key that starts again when the key does.
 *
 * ZooKeeper's dataVersion and NATS revisions behave so. Whoever observed version 1
 * before a deletion replaces the version 1 of somebody it never saw.
 */

import type { StoreHarness } from "../harness.js";
import { createRegister } from "./register.js";

export function repeatingVersion(): StoreHarness {
  const counts = new Map<string, number>();
  return createRegister({
    version({ epoch, key, creates }) {
      const count = creates ? 1 : (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return `${epoch}:${count}`;
    },
  });
}
