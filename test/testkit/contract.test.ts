/** What the suite declares to a runner: ids, skips with reasons, and its refusal of skips that name nothing. */

import type * as nodeTest from "node:test";
import { describe, expect, it } from "vitest";
import { createRegister, registerCapabilities } from "../../src/testkit/broken/register.js";
import { type Describe, type It, type StoreContractOptions, storeContract } from "../../src/testkit/index.js";
import { createRecordingRunner, idOf } from "./recording-runner.js";

function declare(change: Partial<StoreContractOptions> = {}) {
  const runner = createRecordingRunner();
  storeContract({
    describe: runner.describe,
    it: runner.it,
    name: "register",
    open: async () => createRegister(),
    capabilities: registerCapabilities,
    ...change,
  });
  return runner;
}

type Runner = { readonly describe: Describe; readonly it: It };

/** Compiles while the functions of node:test fit; mocha's and jest's have the same form. */
function fits(runner: Pick<typeof nodeTest, "describe" | "it">): Runner {
  return runner;
}

describe("the store contract", () => {
  it("when the runner is node:test or vitest, its functions fit as they are", () => {
    const runner: Runner = { describe, it };
    expect(Object.keys(runner)).toEqual(["describe", "it"]);
    expect(fits).toBeTypeOf("function");
  });

  it("when it is declared, each test has an id of its own in kebab case", () => {
    const ids = declare().titles.map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
  });

  it("when one test is left out, it is reported as skipped with the reason", () => {
    const runner = declare({ skip: { "wipe-changes-epoch": "a flush leaves the run id as it was" } });
    expect(runner.skipped).toEqual([
      expect.stringMatching(/^wipe-changes-epoch: .* \(skipped: a flush leaves the run id as it was\)$/),
    ]);
    expect(runner.titles.map(idOf)).not.toContain("wipe-changes-epoch");
  });

  it("when an act of the operator is left out, every test that needs it is skipped with the reason", () => {
    const runner = declare({ skip: { "operator.put": "records are no text here" } });
    expect(runner.skipped.map(idOf)).toEqual(expect.arrayContaining(["unreadable-never-overwritten"]));
    for (const title of runner.skipped) expect(title).toContain("(skipped: records are no text here)");
  });

  it("when the driver does not notify, the tests of wakes are skipped", () => {
    const runner = declare({ capabilities: { ...registerCapabilities, notifies: false } });
    expect(runner.skipped.map(idOf)).toEqual(["watch-wakes-on-state-change", "watch-ends-with-its-signal"]);
    expect(runner.skipped[0]).toContain("(skipped: the driver declares notifies: false)");
  });

  it("when a skip names no test or gives no reason, the declaration throws", () => {
    expect(() => declare({ skip: { ["odd-keys" as "odd-keys-kept-apart"]: "typing error" } })).toThrow(
      /odd-keys/,
    );
    expect(() => declare({ skip: { "odd-keys-kept-apart": " " } })).toThrow(/must give a reason/);
  });

  it("when a test fails, its store objects are disposed and its keyspace is closed", async () => {
    let open = 0;
    const runner = declare({
      capabilities: { ...registerCapabilities, readBackProves: false },
      open: async () => {
        const register = createRegister();
        open += 1;
        return {
          ...register,
          async close() {
            open -= 1;
            await register.close();
          },
        };
      },
    });
    const outcomes = await runner.run();
    expect(outcomes.filter(({ error }) => error !== undefined).map(({ id }) => id)).toEqual([
      "capabilities-as-declared",
    ]);
    expect(open).toBe(0);
  });
});
