/**
 * Broken: a takeover by the store's clock is written whatever that clock says.
 *
 * A driver that knows nothing of `takeover` behaves so, and so does one that compares before its atomic step and
 * not in it. A candidate whose estimate is too early then takes the lease of a leader that has just renewed.
 */

import type { Store } from "../../lease/store.js";
import type { StoreHarness } from "../harness.js";
import { createRegister } from "./register.js";

export function ageUnjudged(): StoreHarness {
  const register = createRegister();

  function store(): Store {
    const inner = register.store();
    return {
      ...inner,
      write: async (key, record, expected, call) =>
        inner.write(key, record, expected, { ...call, takeover: "observed" }),
    };
  }

  return { ...register, store };
}
