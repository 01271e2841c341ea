/** A register at the far end of a network that may deliver twice: what a conflict says, and what it does not. */

import { describe, expect, it } from "vitest";
import type { Cell } from "../../src/fence/cell.js";
import type { Fence } from "../../src/fence/fence.js";
import { createValueGuard, type ValueHandle, type ValueSnapshot } from "../../src/fence/value-guard.js";
import { createError } from "../../src/errors/index.js";

const options = { resource: "count", numbering: "count", order: "any", rememberOperations: 0 } as const;
const fence: Fence = { v: 1, namespace: "n", election: "e", lineage: "l", token: 1, owner: "a" };

/** What becomes of the next calls, in order; as usual after that. */
type Fate = "lost" | "twice" | "overtaken" | undefined;

class Register implements Cell<ValueSnapshot, string> {
  readonly fates: Fate[] = [];
  #now: ValueSnapshot = { fencing: { rows: [], operations: [] }, value: "0" };

  get value(): string | undefined {
    return this.#now.value;
  }

  async read() {
    if (this.fates.shift() === "lost") throw createError("GUARD_FAILED", "the register did not answer");
    return this.#now;
  }

  async replace(before: ValueSnapshot, fencing: ValueSnapshot["fencing"], change: string | undefined) {
    const fate = this.fates.shift();
    if (fate === "overtaken") this.#now = { ...this.#now };
    if (before !== this.#now) return { kind: "conflict" } as const;
    this.#now = { fencing, value: change ?? before.value };
    return { kind: fate === "twice" ? "conflict" : "replaced" } as const;
  }

  async confirm() {}
}

async function opened(): Promise<{ register: Register; handle: ValueHandle<number> }> {
  const register = new Register();
  const guard = createValueGuard<number>("test", register, options, "0");
  return { register, handle: await guard.claim({ fence }) };
}

async function add(handle: ValueHandle<number>, options = {}): Promise<number> {
  return handle.transaction((transaction) => (transaction.value += 1), options);
}

describe("a write that conflicts", () => {
  it("when it had been delivered before, and nobody can look, it may have been applied; its attempt tells", async () => {
    const { register, handle } = await opened();
    register.fates.push(undefined, "twice", "lost");
    const failure = await add(handle, { opId: "first" }).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ code: "GUARD_UNCONFIRMED", cause: { code: "GUARD_FAILED" } });
    const { attempt } = failure as { attempt: object };
    expect(await add(handle, { attempt })).toBe(1);
    expect(await add(handle, { opId: "second" })).toBe(2);
    expect(register.value).toBe("2");
  });

  it("when it had been delivered before, the next look finds it", async () => {
    const { register, handle } = await opened();
    register.fates.push(undefined, "twice");
    expect(await add(handle)).toBe(1);
    expect(register.value).toBe("1");
  });

  it("when somebody else was quicker, it is made again", async () => {
    const { register, handle } = await opened();
    register.fates.push(undefined, "overtaken");
    expect(await add(handle)).toBe(1);
  });

  it("when nobody could look before it was sent, nothing was applied", async () => {
    const { register, handle } = await opened();
    register.fates.push("lost");
    await expect(add(handle)).rejects.toMatchObject({ code: "GUARD_FAILED" });
    expect(register.value).toBe("0");
  });
});
