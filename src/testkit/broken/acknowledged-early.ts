/**
 * Broken: a write is acknowledged before it is there for others to read.
 *
 * A write-behind buffer or an asynchronous replica behaves so. Writes are judged
 * in order, but another store object may first be shown what was there before;
 * the writer's own next call, or that first look, lets the write arrive.
 */

import type { Store, Stored } from "../../lease/store.js";
import type { StoreHarness } from "../harness.js";
import { createRegister } from "./register.js";

interface OnItsWay {
  readonly writer: Store;
  readonly before: Stored | undefined;
}

export function acknowledgedEarly(): StoreHarness {
  const register = createRegister();
  const onItsWay = new Map<string, OnItsWay>();

  function arrive(writer: Store): void {
    for (const [key, write] of onItsWay) if (write.writer === writer) onItsWay.delete(key);
  }

  function store(): Store {
    const inner = register.store();
    return {
      ...inner,
      async read(key, call) {
        arrive(inner);
        const write = onItsWay.get(key);
        onItsWay.delete(key);
        const truth = await inner.read(key, call);
        return write === undefined ? truth : write.before;
      },
      async write(key, record, expected, call) {
        arrive(inner);
        const before = await inner.read(key, call);
        const answer = await inner.write(key, record, expected, call);
        if (answer.kind === "written" && before?.version === expected) {
          onItsWay.set(key, { writer: inner, before });
        }
        return answer;
      },
    };
  }

  return { ...register, store };
}
