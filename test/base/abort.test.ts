import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { offAbort, onAbort } from "../../src/base/abort.js";
import { Latch } from "../../src/base/latch.js";

describe("listening to a signal", () => {
  it("when many listen, the signal has one listener, and none once all have gone", () => {
    const { signal } = new AbortController();
    const listeners = Array.from({ length: 100 }, () => () => {});
    for (const listener of listeners) onAbort(signal, listener);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const listener of listeners) offAbort(signal, listener);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("when it aborts, each hears of it once and in order, but those that are taken off meanwhile", () => {
    const controller = new AbortController();
    const { signal } = controller;
    const heard: string[] = [];
    const third = () => heard.push("third");
    onAbort(signal, () => heard.push("first"));
    onAbort(signal, () => offAbort(signal, third));
    onAbort(signal, third);
    onAbort(signal, () => heard.push("fourth"));
    controller.abort();
    controller.abort();
    expect(heard).toEqual(["first", "fourth"]);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("when one that does not listen is taken off, the others stay", () => {
    const controller = new AbortController();
    let heard = 0;
    onAbort(controller.signal, () => (heard += 1));
    offAbort(controller.signal, () => {});
    offAbort(new AbortController().signal, () => {});
    controller.abort();
    expect(heard).toBe(1);
  });
});

describe("latch", () => {
  it("when closed, it calls each once and in order, and whoever comes later is not called", async () => {
    const latch = new Latch();
    const heard: string[] = [];
    const third = () => heard.push("third");
    latch.add(() => heard.push("first"));
    latch.add(() => latch.remove(third));
    latch.add(third);
    const waited = latch.wait().then(() => heard.push("waited"));
    latch.close();
    latch.add(() => heard.push("late"));
    latch.close();
    expect([latch.closed, ...heard]).toEqual([true, "first"]);
    await waited;
    await latch.wait();
    expect(heard).toEqual(["first", "waited"]);
  });
});
