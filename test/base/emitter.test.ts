import { describe, expect, it } from "vitest";
import { Emitter } from "../../src/base/emitter.js";

interface Events {
  ping: number;
}

describe("emitter", () => {
  it("when listeners throw or reject, others still hear, the emitter goes on, and each fault is reported once", async () => {
    const faults: unknown[] = [];
    const heard: number[] = [];
    const emitter = new Emitter<Events>((_, cause) => faults.push(cause));
    emitter.on("ping", () => {
      throw new Error("thrown");
    });
    emitter.on("ping", () => Promise.reject(new Error("rejected")));
    emitter.on("ping", () => new Promise(() => {}));
    emitter.on("ping", (value) => heard.push(value));
    emitter.emit("ping", 1);
    await Promise.resolve();
    await Promise.resolve();
    expect(heard).toEqual([1]);
    expect(faults.map(String)).toEqual(["Error: thrown", "Error: rejected"]);
  });

  it("when a listener is removed, by hand or by signal, it hears nothing more and leaves nothing on the signal", () => {
    const emitter = new Emitter<Events>(() => {});
    const abort = new AbortController();
    const heard: string[] = [];
    const off = emitter.on("ping", () => heard.push("by hand"));
    emitter.on("ping", () => heard.push("by signal"), abort.signal);
    emitter.on("ping", () => heard.push("aborted already"), AbortSignal.abort());
    emitter.emit("ping", 1);
    off();
    abort.abort();
    emitter.emit("ping", 2);
    expect(heard).toEqual(["by hand", "by signal"]);
  });

  it("when one listener removes another while hearing, the emission is not disturbed", () => {
    const emitter = new Emitter<Events>(() => {});
    const heard: string[] = [];
    emitter.on("ping", () => emitter.clear());
    emitter.on("ping", () => heard.push("still"));
    emitter.emit("ping", 1);
    emitter.emit("ping", 2);
    expect(heard).toEqual(["still"]);
  });
});
