/** Each fault does what its name says, and nothing else. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { createRegister } from "../../src/testkit/broken/register.js";
import { type Fault, faultyStore, type PlannedCall } from "../../src/testkit/index.js";
import { readRecord, sampleCall, sampleRecord, write } from "../../src/testkit/steps.js";

async function open(fault: Fault | undefined) {
  const world = createVirtualWorld();
  const register = createRegister();
  const plain = register.store();
  const planned: PlannedCall[] = [];
  const plan = (call: PlannedCall) => {
    planned.push(call);
    return fault;
  };
  const faulty = faultyStore(register.store(), plan, world.createClock());
  const record = sampleRecord();
  let answer: unknown;
  const given = new AbortController();
  void faulty.write("key", record, undefined, sampleCall({ signal: given.signal })).then(
    (value) => (answer = value.kind),
    (cause: unknown) => (answer = cause),
  );
  await world.advance(0);
  const present = async () => (await plain.read("key", sampleCall())) !== undefined;
  return { world, plain, faulty, planned, record, given, present, answer: () => answer };
}

describe("a faulty store", () => {
  it("when the plan decides nothing, the call passes and the plan has seen it", async () => {
    const { present, answer, planned, record } = await open(undefined);
    expect([await present(), answer()]).toEqual([true, "written"]);
    expect(planned).toEqual([{ method: "write", key: "key", record }]);
  });

  it("when the reply is lost, the write is carried out and never answered", async () => {
    const { world, present, answer } = await open({ kind: "lost-reply" });
    await world.advance(60_000);
    expect([await present(), answer()]).toEqual([true, undefined]);
  });

  it("when the reply is late, the write is carried out at once and answered later", async () => {
    const { world, present, answer } = await open({ kind: "late-reply", byMs: 100 });
    expect([await present(), answer()]).toEqual([true, undefined]);
    await world.advance(99);
    expect(answer()).toBeUndefined();
    await world.advance(1);
    expect(answer()).toBe("written");
  });

  it("when the execution is late, it happens although the caller has given up", async () => {
    const { world, present, answer, given } = await open({ kind: "late-execution", byMs: 100 });
    given.abort();
    await world.advance(99);
    expect(await present()).toBe(false);
    await world.advance(1);
    expect([await present(), answer()]).toEqual([true, "written"]);
  });

  it("when the call never settles, it is neither carried out nor answered", async () => {
    const { world, present, answer } = await open({ kind: "never-settles" });
    await world.advance(60_000);
    expect([await present(), answer()]).toEqual([false, undefined]);
  });

  it("when the call is delivered twice, the second delivery creates anew what was deleted meanwhile", async () => {
    const world = createVirtualWorld();
    const register = createRegister();
    const plain = register.store();
    const twice = faultyStore(
      register.store(),
      () => ({ kind: "delivered-twice", byMs: 100 }),
      world.createClock(),
    );
    const record = sampleRecord();
    await write(twice, "key", record);
    await register.operator.remove("key");
    await world.advance(100);
    expect((await readRecord(plain, "key")).body).toEqual(record);
  });

  it("when it is watched or disposed, the store behind it is", async () => {
    const { faulty, plain } = await open(undefined);
    const woken: string[] = [];
    faulty.watch?.(["other"], (key) => woken.push(key), new AbortController().signal);
    await write(plain, "other", sampleRecord());
    expect(woken).toEqual(["other"]);
    await faulty[Symbol.asyncDispose]();
    await expect(faulty.read("key", sampleCall())).rejects.toThrow(/STORE_CLOSED/);
  });
});
