/** A writer that dies at any step, and a machine that loses power there, leave the old record or the new one. */

import { describe, expect, it } from "vitest";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { stopping } from "../../support/interposed.js";
import { inDirectory, key, nonceAt, put, putSeveral, record, call, createFileStore } from "./scene.js";
import { createSimulatedDisk } from "../../support/simulated-disk.js";

/** One write that stops dead at step `k`; false when it was over before. */
async function crashRun(before: number, when: "before" | "after", k: number): Promise<boolean> {
  return inDirectory(async (directory) => {
    const healthy = fileStore(directory, { keepVersions: 4 });
    // Without a version before, the directory is not there either.
    const expected = before === 0 ? undefined : await putSeveral(healthy, before);
    const old = before === 0 ? undefined : await nonceAt(healthy);
    const { files, reached } = stopping(nodeFileSystem, when, (_, index) => index === k);
    const dying = createFileStore(directory, { keepVersions: 4 }, files);
    const wanted = record();
    const write = dying.write(key, wanted, expected, call({ absence: "waited" })).then(() => "done");
    const dead = (await Promise.race([write, reached.then(() => "dead")])) === "dead";
    const fresh = fileStore(directory, { keepVersions: 4 });
    expect([old, wanted.nonce], `seen after step ${k}`).toContain(await nonceAt(fresh));
    // And can go on, past the window of kept versions.
    await putSeveral(fresh, 6);
    expect(await nonceAt(fileStore(directory))).toBe(await nonceAt(fresh));
    return dead;
  });
}

async function everyStep(run: (k: number) => Promise<boolean>): Promise<number> {
  let k = 1;
  while (await run(k)) k += 1;
  return k - 1;
}

describe("a writer that dies", () => {
  for (const when of ["before", "after"] as const) {
    it(`when it creates store and key and is killed ${when} any step, others see nothing or the new record and go on`, async () => {
      expect(await everyStep(async (k) => crashRun(0, when, k))).toBeGreaterThan(25);
    });
    it(`when it replaces a record and is killed ${when} any step, others see the old or the new record and go on`, async () => {
      // With seven versions there is something to prune as well.
      expect(await everyStep(async (k) => crashRun(7, when, k))).toBeGreaterThan(16);
    });
  }
});

describe("a machine that loses power", () => {
  it("at any step, whatever the disk kept of what was not synced: no acknowledged record is lost, none is torn, work goes on", async () => {
    for (let seed = 1; seed <= 8; seed += 1) {
      const steps = await everyStep(async (k) => powerLoss(k, coinOf(seed * 1_000 + k)));
      // Up to the end of the last of eight writes.
      expect(steps).toBeGreaterThan(120);
    }
  });
});

/** Eight writes; the power goes at step `k`. */
async function powerLoss(k: number, coin: () => boolean): Promise<boolean> {
  const disk = createSimulatedDisk();
  await disk.files.makeDirectory("/var");
  await disk.files.sync("/");
  const { files, reached } = stopping(disk.files, "before", (_, index) => index === k);
  const store = createFileStore("/var/lib/store", { keepVersions: 4 }, files);
  const allowed = new Set<string | undefined>([undefined]);
  const write = (async () => {
    let version: string | undefined;
    for (let seq = 1; seq <= 8; seq += 1) {
      const wanted = record({ seq, state: seq % 2 === 0 ? "held" : "released" });
      allowed.add(wanted.nonce);
      version = await put(store, wanted, version);
      // Acknowledged: from here on nothing older may be seen.
      allowed.clear();
      allowed.add(wanted.nonce);
    }
    return "done";
  })();
  const lost = (await Promise.race([write, reached.then(() => "dead")])) === "dead";
  disk.losePower(coin);
  const rebooted = createFileStore("/var/lib/store", { keepVersions: 4 }, disk.files);
  expect([...allowed], `seen after step ${k}`).toContain(await nonceAt(rebooted));
  await putSeveral(rebooted, 6);
  return lost;
}

/** A coin of its own per run, the same in every run of the suite. */
function coinOf(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >= 2 ** 31;
  };
}
