/** Whether a resource refuses what it must: sound guards pass, each broken one is found out by the probe that shows it. */

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileGuard } from "../../src/fence/file/index.js";
import { memoryGuard } from "../../src/fence/memory/index.js";
import { type FenceVerification, verifyFence } from "../../src/fence/verify/index.js";
import { brokenGuards, type GuardHarness } from "../../src/testkit/index.js";
import { fence } from "./scene.js";

function outcomes({ probes }: FenceVerification): Readonly<Record<string, string>> {
  return Object.fromEntries(probes.map(({ id, outcome }) => [id, outcome]));
}

const allPassed = {
  "leader-writes": "passed",
  "lower-claim": "passed",
  "equal-claim": "passed",
  "foreign-claim": "passed",
  "lower-write": "passed",
  "equal-write": "passed",
  "unclaimed-write": "passed",
  "duplicate-write": "passed",
  "reused-number": "passed",
  "reordered-write": "passed",
  "delayed-write": "passed",
};

describe("a sound guard refuses every probe that must be refused, and nothing is left of them", () => {
  it("in memory, in any order and in strict order", async () => {
    for (const order of ["any", "strict"] as const) {
      const guard = memoryGuard({ resource: "ledger", initial: 0, order, rememberOperations: 8 });
      const found = await verifyFence(() => guard);
      expect(outcomes(found)).toEqual(allPassed);
      expect(found).toMatchObject({ kind: "memory", sound: true, left: [] });
      expect((await guard.inspect()).rows).toEqual([]);
    }
  });

  it("in a directory, beside a resource of yours that stays as it is", async () => {
    const home = await mkdtemp(join(tmpdir(), "tenure-verify-"));
    try {
      const mine = fileGuard(home, { resource: "ledger", initial: 0 });
      const handle = await mine.claim(fence());
      await handle.transaction((tx) => void (tx.value = 42));
      const before = await mine.inspect();
      const found = await verifyFence((resource) => fileGuard(home, { resource, initial: 0 }));
      expect(outcomes(found)).toEqual(allPassed);
      expect(await mine.inspect()).toEqual(before);
      expect(await handle.read()).toBe(42);
      expect((await fileGuard(home, { resource: found.resource, initial: 0 }).inspect()).rows).toEqual([]);
      expect((await readdir(home)).toSorted()).toEqual(["_ledger", "_tenure-fence-verify", "marker.json"]);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});

/** A guard of somebody else's: no transaction(), nobody can look, no row can be removed. */
async function verifyHarness(harness: GuardHarness<unknown>): Promise<FenceVerification> {
  const request = { order: "any", rememberOperations: false } as const;
  return verifyFence((resource) => harness.guard({ ...request, resource }), {
    write: async (handle, { result, options, pause = async () => {} }) =>
      harness.apply(handle, { value: result, result, options, pause }),
  });
}

describe("a guard of your own", () => {
  it.each([
    ["resets numbers", { "duplicate-write": "accepted" }],
    ["accepts equal token of another", { "equal-claim": "accepted" }],
    ["check then act", { "delayed-write": "accepted" }],
    ["answers with another's result", { "reused-number": "accepted" }],
    ["applies a duplicate", { "reordered-write": "accepted" }],
    ["compares across lineages", { "foreign-claim": "accepted" }],
  ])("that %s is not sound: %j", async (name, shown) => {
    const broken = brokenGuards.find((guard) => guard.name === name);
    if (broken === undefined) throw new Error(`there is no broken guard "${name}"`);
    const found = await verifyHarness(await broken.open());
    expect(found.sound).toBe(false);
    expect(outcomes(found)).toMatchObject(shown);
  });

  it("says what is left of the probes where nothing can remove it, and skips what needs that", async () => {
    const honest = brokenGuards.find(({ name }) => name === "forgets the watermark");
    if (honest === undefined) throw new Error("there is none that forgets only in a restart");
    const found = await verifyHarness(await honest.open());
    const skipped = { "equal-write": "skipped", "unclaimed-write": "skipped" };
    expect(outcomes(found)).toEqual({ ...allPassed, ...skipped });
    expect(found.sound).toBe(true);
    expect(found.left).toHaveLength(found.probes.length);
  });

  it("whose handles have no transaction() needs to be told how to write", async () => {
    const guard = { kind: "own", resource: "x", claim: async () => ({}) };
    await expect(verifyFence(() => guard)).rejects.toThrow("write must be a function");
  });

  it("that cannot be reached is no finding: its error is thrown", async () => {
    const directory = join(tmpdir(), "tenure-verify-none", "\0");
    const open = (resource: string) => fileGuard(directory, { resource, initial: 0 });
    await expect(verifyFence(open)).rejects.toMatchObject({ code: "GUARD_FAILED" });
  });
});

it("options out of range are refused before anything is sent", async () => {
  const open = () => expect.unreachable("nothing is opened");
  await expect(verifyFence(open, { patienceMs: 1 })).rejects.toThrow("patienceMs must be");
  await expect(verifyFence(open, { patience: 1 } as never)).rejects.toThrow('unknown option "patience"');
});
