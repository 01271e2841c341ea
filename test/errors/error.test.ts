import { describe, expect, it } from "vitest";
import { createError, errorTable, TenureError } from "../../src/errors/index.js";

describe("TenureError", () => {
  it("when made by another copy of the package, it is recognised by the registered symbol", () => {
    const foreign = Object.assign(new Error("x"), { code: "STORE_TIMEOUT" });
    expect(TenureError.is(foreign)).toBe(false);
    Object.defineProperty(foreign, Symbol.for("tenure.error"), { value: true });
    expect(TenureError.is(foreign, "STORE_TIMEOUT")).toBe(true);
    expect(TenureError.is(foreign, "STORE_CLOSED")).toBe(false);
  });

  it("when anything else is asked about, it says no and does not throw", () => {
    for (const value of [undefined, null, 1, "x", {}, new Error("x")])
      expect(TenureError.is(value)).toBe(false);
  });

  it("when created, it carries what the table says, the code in its message, and its cause", () => {
    const cause = new Error("below");
    const error = createError("STORE_TIMEOUT", "no answer", { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "TenureError",
      code: "STORE_TIMEOUT",
      outcome: "unknown",
      retry: "now",
      cause,
    });
    expect(error.message).toBe("STORE_TIMEOUT: no answer");
    expect(String(error.stack)).toContain("STORE_TIMEOUT");
  });

  it("when an option is wrong, it is also the built-in error that callers expect", () => {
    expect(createError("INVALID_OPTION", "x", { base: RangeError })).toBeInstanceOf(RangeError);
  });

  it("when the table is read, every sentence is there", () => {
    for (const facts of Object.values(errorTable)) {
      expect(facts.meaning).toMatch(/\.$/);
      expect(facts.advice).toMatch(/\.$/);
    }
  });
});
