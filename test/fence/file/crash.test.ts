/** A leader that dies at any step, and a machine that loses power there: no acknowledged claim or write is lost, nothing stale is applied. */

import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../../src/chain/file-system.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { TenureError } from "../../../src/errors/index.js";
import { stopping } from "../../support/interposed.js";
import { createSimulatedDisk } from "../../support/simulated-disk.js";
import { fence } from "../scene.js";
import type { Texts } from "../texts.js";
import { append, everyStep, failure, inDirectory, openGuard, standing } from "./scene.js";

/** What was acknowledged, and what was asked for last. */
interface Told {
  texts: Texts;
  watermark: number;
  asked: { texts: Texts; watermark: number };
}

/** Three terms with two writes each. */
async function work(directory: string, files: FileSystem, told: Told): Promise<"done"> {
  const guard = openGuard(directory, files, { keepVersions: 4 });
  for (const token of [7, 8, 9]) {
    told.asked = { texts: told.texts, watermark: token };
    const handle = await guard.claim(fence({ token, owner: `owner-${token}` }));
    told.watermark = token;
    for (const index of [1, 2]) {
      told.asked = { texts: [...told.texts, `${token}-${index}`], watermark: token };
      await append(handle, `${token}-${index}`);
      told.texts = told.asked.texts;
    }
  }
  return "done";
}

/** What is there after the crash must be what was acknowledged, or with it what was asked for last. */
async function judge(directory: string, files: FileSystem, told: Told, k: number): Promise<void> {
  const { texts, watermark } = await standing(directory, files);
  const [before, after] = [
    { texts: told.texts, watermark: told.watermark },
    { texts: told.asked.texts, watermark: told.asked.watermark },
  ];
  expect([before, after], `after a crash at step ${k}`).toContainEqual({ texts, watermark });
  const guard = openGuard(directory, files, { keepVersions: 4 });
  // Whoever was refused before the crash is refused after it.
  if (told.watermark > 1) {
    const late = await failure(guard.claim(fence({ token: told.watermark - 1, owner: "late" })));
    expect(TenureError.is(late, "STALE")).toBe(true);
  }
  const successor = await guard.claim(fence({ token: 10, owner: "successor" }));
  for (let index = 0; index < 6; index += 1) await append(successor, `10-${index}`);
  expect((await standing(directory, files)).texts).toHaveLength(texts.length + 6);
}

async function crashAt(
  k: number,
  when: "before" | "after",
  directory: string,
  whole: FileSystem,
  crash: () => void,
): Promise<boolean> {
  const { files, reached } = stopping(whole, when, (_, index) => index === k);
  const told: Told = { texts: [], watermark: 0, asked: { texts: [], watermark: 0 } };
  const dead = (await Promise.race([work(directory, files, told), reached.then(() => "dead")])) === "dead";
  crash();
  await judge(directory, whole, told, k);
  return dead;
}

/** A coin of its own per run, the same in every run of the suite. */
function coinOf(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >= 2 ** 31;
  };
}

describe("a leader that dies", () => {
  it("at any step: what was acknowledged stands, the next claim works at once, and nothing is torn", async () => {
    const steps = await everyStep(async (k) =>
      // Each seventh; the simulated machine below is stopped at all of them.
      inDirectory(async (directory) => crashAt(7 * k, "after", directory, nodeFileSystem, () => {})),
    );
    expect(steps).toBeGreaterThan(18);
  });
});

describe("a machine that loses power", () => {
  it("at any step, whatever the disk kept of what was not synced: no acknowledged claim or write is lost, none is torn", async () => {
    for (let seed = 1; seed <= 2; seed += 1) {
      for (const when of ["before", "after"] as const) {
        const steps = await everyStep(async (k) => {
          const disk = createSimulatedDisk();
          await disk.files.makeDirectory("/var");
          await disk.files.sync("/");
          const coin = coinOf(seed * 1_000 + k);
          return crashAt(k, when, "/var/lib/ledger", disk.files, () => disk.losePower(coin));
        });
        expect(steps).toBeGreaterThan(130);
      }
    }
  });

  it("after an answer that rests on what was read, at any step before it: what was answered is there", async () => {
    // A write became visible and its directory's fsync failed; whoever confirms it makes it durable.
    for (let seed = 1; seed <= 8; seed += 1) {
      const disk = createSimulatedDisk();
      await disk.files.makeDirectory("/var");
      await disk.files.sync("/");
      const guard = openGuard("/var/ledger", disk.files);
      const handle = await guard.claim(fence());
      let links = 0;
      const failing: FileSystem = {
        ...disk.files,
        async link(existing, name) {
          await disk.files.link(existing, name);
          links += 1;
        },
        async sync(path) {
          if (links > 0 && !path.includes("temp-")) throw Object.assign(new Error("EIO"), { code: "EIO" });
          await disk.files.sync(path);
        },
      };
      const broken = await openGuard("/var/ledger", failing).claim(fence());
      const error = await failure(append(broken, "x", { opId: "one" }));
      expect(TenureError.is(error, "GUARD_UNCONFIRMED")).toBe(true);
      expect(await append(handle, "x", { opId: "one" })).toBe(1);
      disk.losePower(coinOf(seed));
      expect((await standing("/var/ledger", disk.files)).texts).toEqual(["x"]);
    }
  });
});
