/**
 * Broken: a released record is deleted, to leave nothing behind.
 *
 * Most lock libraries behave so. Nobody can then tell a release from a loss of
 * memory, and the last token is forgotten with the record.
 */

import type { Store } from "../../lease/store.js";
import type { StoreHarness } from "../harness.js";
import { createRegister } from "./register.js";

export function deleteOnRelease(): StoreHarness {
  const register = createRegister();

  function store(): Store {
    const inner = register.store();
    return {
      ...inner,
      async write(key, record, expected, call) {
        const answer = await inner.write(key, record, expected, call);
        if (answer.kind === "written" && record.state === "released") await register.operator.remove(key);
        return answer;
      },
    };
  }

  return { ...register, store };
}
