/** An operator's acts on a resource of one value: what they do, what they leave behind, and what they are refused. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileGuard } from "../../src/fence/file/index.js";
import { memoryGuard } from "../../src/fence/memory/index.js";
import type { ValueGuard } from "../../src/fence/value-guard.js";
import { fence } from "./scene.js";

const signed = { by: "kim@host", reason: "moved to Raft" };
const seen = { lineage: "default/lease", watermark: 7 };
const raft = { lineage: "default/raft", owner: "raft-1" };
const instant = expect.any(Number) as number;
const nobody = expect.stringMatching(/^operator-/) as string;

async function inEach(work: (guard: ValueGuard<number>) => Promise<void>): Promise<void> {
  await work(memoryGuard({ resource: "ledger", initial: 0 }));
  const home = await mkdtemp(join(tmpdir(), "tenure-operator-"));
  try {
    await work(fileGuard(home, { resource: "ledger", initial: 0 }));
  } finally {
    await rm(home, { recursive: true });
  }
}

describe("when a resource is adopted by another lineage", () => {
  it("claims and writes of the old one are refused, the new one claims above the watermark, and the value stays", async () => {
    await inEach(async (guard) => {
      const old = await guard.claim(fence());
      await old.transaction((tx) => void (tx.value = 42));
      await expect(guard.claim(fence({ ...raft, token: 9 }))).rejects.toMatchObject({
        code: "FOREIGN_LINEAGE",
      });
      const order = { election: "invoices", from: seen, lineage: "default/raft", ...signed };
      const act = await guard.operator.adopt(order);
      expect(act).toEqual({
        at: instant,
        kind: "adopt",
        namespace: "default",
        election: "invoices",
        ...signed,
        before: { ...seen, owner: "a" },
        after: { lineage: "default/raft", watermark: 7, owner: nobody },
      });
      await expect(old.transaction(() => {})).rejects.toMatchObject({ code: "FOREIGN_LINEAGE" });
      await expect(guard.claim(fence({ token: 9 }))).rejects.toMatchObject({ code: "FOREIGN_LINEAGE" });
      // The watermark stays: nothing is lowered, and it is nobody's.
      await expect(guard.claim(fence({ ...raft, token: 6 }))).rejects.toMatchObject({ code: "STALE" });
      await expect(guard.claim(fence({ ...raft, token: 7 }))).rejects.toMatchObject({ code: "CONFLICT" });
      const next = await guard.claim(fence({ ...raft, token: 8 }));
      expect(await next.transaction((tx) => (tx.value += 1))).toBe(43);
      expect(await guard.operator.acts()).toEqual([act]);
    });
  });
});

describe("when a watermark is reset", () => {
  const order = { election: "invoices", from: seen, by: "kim", reason: "a clock was years ahead" };

  it("a lower one makes room for tokens above it, and who had claimed before has to claim again", async () => {
    await inEach(async (guard) => {
      const old = await guard.claim(fence());
      await guard.operator.reset({ ...order, watermark: 3 });
      await expect(old.transaction(() => {})).rejects.toMatchObject({ code: "CLAIM_MISSING" });
      await expect(guard.claim(fence({ token: 3, owner: "b" }))).rejects.toMatchObject({ code: "CONFLICT" });
      await guard.claim(fence({ token: 4, owner: "b" }));
      await guard.claim(fence());
    });
  });

  it("to nothing, any claim is the first one, and the record of it stays", async () => {
    await inEach(async (guard) => {
      await guard.claim(fence());
      const act = await guard.operator.reset({ ...order, watermark: "forget" });
      expect(act.after).toBeNull();
      expect((await guard.inspect()).rows).toEqual([]);
      const handle = await guard.claim(fence({ ...raft, token: 1 }));
      await handle.transaction((tx) => void (tx.value = 1));
      expect(await guard.operator.acts()).toEqual([act]);
    });
  });

  it("the latest 16 acts are kept, the latest first", async () => {
    await inEach(async (guard) => {
      await guard.claim(fence({ token: 1 }));
      for (let watermark = 1; watermark <= 20; watermark += 1) {
        const from = { lineage: "default/lease", watermark };
        await guard.operator.reset({ ...order, from, watermark: watermark + 1 });
      }
      const after = (await guard.operator.acts()).map((act) => act.after?.watermark);
      expect(after).toEqual(Array.from({ length: 16 }, (_, index) => 21 - index));
    });
  });
});

describe("an act is refused, and nothing is changed", () => {
  it.each([
    ["another watermark stands there", { from: { ...seen, watermark: 6 } }, { ...seen, owner: "a" }],
    ["another lineage stands there", { from: { ...seen, lineage: "x/lease" } }, { ...seen, owner: "a" }],
    ["nothing stands there", { election: "other" }, null],
  ])("when %s than was seen", async (_, change, found) => {
    await inEach(async (guard) => {
      await guard.claim(fence());
      const before = await guard.inspect();
      const order = { election: "invoices", from: seen, watermark: 3, ...signed, ...change };
      await expect(guard.operator.reset(order)).rejects.toMatchObject({ code: "FENCE_CHANGED", found });
      expect(await guard.inspect()).toEqual(before);
      expect(await guard.operator.acts()).toEqual([]);
    });
  });

  it.each([
    ["by", { by: "" }],
    ["reason", { reason: "r".repeat(501) }],
    ["election", { election: "" }],
    ["from.watermark", { from: { ...seen, watermark: 0 } }],
    ["from", { from: undefined }],
    ["watermark", { watermark: 2 ** 52 + 1 }],
    ["watermark", { watermark: 7 }],
    ["unknown option", { force: true }],
  ])("when %s is out of its range", async (option, change) => {
    const guard = memoryGuard({ resource: "ledger", initial: 0 });
    const order = { election: "invoices", from: seen, watermark: 3, ...signed, ...change };
    await expect(guard.operator.reset(order as never)).rejects.toThrow(option);
  });

  it("when the lineage is the one that fences already", async () => {
    const guard = memoryGuard({ resource: "ledger", initial: 0 });
    const order = { election: "invoices", from: seen, lineage: "default/lease", ...signed };
    await expect(guard.operator.adopt(order)).rejects.toThrow("lineage must be another one");
  });
});
