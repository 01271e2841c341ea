import { describe, expect, it } from "vitest";
import { createElection } from "../../src/index.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { resolveTiming } from "../../src/lease/budget.js";

const store = memoryStore();
const attempt = (options: object) => () => createElection({ name: "job", store, ...options } as never);

describe("options", () => {
  it("when a number is out of range or no number, the message names option, value and range", () => {
    for (const value of [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "5000",
      null,
      2 ** 31,
      2 ** 40,
      5n,
      999,
      15_001,
    ]) {
      for (const option of ["ttlMs", "renewMs", "requestTimeoutMs"]) {
        if (option !== "ttlMs" && value === 999) continue;
        const problem = attempt({ [option]: value });
        expect(problem, `${option} ${String(value)}`).toThrow(
          expect.objectContaining({ code: "INVALID_OPTION" }),
        );
        expect(problem).toThrow(new RegExp(`${option} must be .* from \\d+ to \\d+, got `));
        expect(problem).toThrow(typeof value === "number" ? RangeError : TypeError);
      }
    }
  });

  it("when two tries do not fit before the deadline, the relation that is broken is named", () => {
    expect(attempt({ ttlMs: 15_000, renewMs: 9_000 })).toThrow(
      /renewMs \+ 2 \* requestTimeoutMs.*10000.*two tries/,
    );
    expect(attempt({ ttlMs: 15_000, requestTimeoutMs: 4_000 })).toThrow(/two tries/);
    expect(attempt({ ttlMs: 15_000, renewMs: 15_000 })).toThrow(/renewMs must be/);
  });

  it("when the ttl is left out, every duration scales with it and fits, for every ttl that a store may allow", () => {
    for (let ttlMs = 1_000; ttlMs <= 86_400_000; ttlMs = Math.ceil(ttlMs * 1.37)) {
      const { beliefMs, renewMs, requestTimeoutMs } = resolveTiming({ ttlMs }, 86_400_000);
      expect(beliefMs * 1.5).toBeLessThanOrEqual(ttlMs);
      expect(renewMs + 2 * requestTimeoutMs).toBeLessThanOrEqual(beliefMs);
      expect(requestTimeoutMs).toBeLessThan(renewMs);
    }
  });

  it("when names are empty, too long, ill-formed or no strings, they are refused", () => {
    for (const name of ["", "x".repeat(1_025), "\ud800", 7, null, undefined, {}]) {
      for (const option of ["name", "namespace", "node"]) {
        if (name === undefined && option !== "name") continue;
        expect(attempt({ [option]: name }), option).toThrow(new RegExp(`${option} must be`));
      }
    }
  });

  it("when an option is misspelt, it is named together with those there are", () => {
    expect(attempt({ ttl: 5_000 })).toThrow(/unknown option "ttl"; known are name, /);
    expect(attempt({ maxTtlMs: 5_000 })).toThrow(TypeError);
  });

  it("when both or neither of store and algorithm are given, construction fails", () => {
    expect(() => createElection({ name: "job" } as never)).toThrow(/store or algorithm must be exactly one/);
    expect(attempt({ algorithm: { kind: "lease" } })).toThrow(/exactly one/);
    expect(() => createElection({ name: "job", algorithm: { kind: "lease" } } as never)).toThrow(
      /algorithm must be/,
    );
    expect(attempt({ store: {} })).toThrow(/store must be a store/);
  });

  it("when callbacks, metadata or loggers have the wrong shape, the part that is wrong is named", () => {
    expect(attempt({ eligible: true })).toThrow(/eligible must be a function/);
    expect(attempt({ history: "x" })).toThrow(/history must be a function/);
    expect(attempt({ logger: { debug() {}, info() {}, warn() {} } })).toThrow(
      /logger.error must be a function/,
    );
    expect(attempt({ metadata: { a: 1 } })).toThrow(/metadata.a must be a string/);
    expect(attempt({ metadata: { a: "x".repeat(5_000) } })).toThrow(/4096 bytes/);
    expect(attempt({ metadata: [] })).toThrow(/metadata must be an object/);
    expect(attempt({ drainMs: -1 })).toThrow(/drainMs must be/);
  });

  it("when options are wrong, long values are not repeated in full", () => {
    expect(attempt({ node: `secret${"x".repeat(2_000)}` })).toThrow(/^(?!.*x{100}).*$/s);
  });
});
