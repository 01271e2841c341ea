import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { createElection } from "../src/create-election.js";
import { fileStore } from "../src/stores/file/index.js";
import { directoryFor } from "./support/processes.js";
import { stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseB36 = defineCase({
  id: "B36",
  fault: "a duration is taken for another unit on its way to the store, or multiplied twice",
  mustHold:
    "what stands in the store after a take and after renewals is the ttl that was asked for, in milliseconds",
  injected: "ttls of 1 s, 3 s and 15 s on memory, and on disk as a text that is read without the driver",
  mutants: ["options-ttl-in-seconds"],
  faultCount: 4,
  async run(stage) {
    for (const ttlMs of [1_000, 3_000, 15_000]) {
      const leader = stage.candidate(`of ${ttlMs}`, { name: `job-${ttlMs}`, ttlMs });
      const leadership = await stage.lead(leader);
      expect(leadership.remainingMs()).toBeCloseTo(ttlMs / 1.5, -2);
      for (const advance of [0, ttlMs]) {
        await stage.world.advance(advance);
        expect(await stored(stage.store, `default/job-${ttlMs}`)).toMatchObject({ ttlMs });
      }
      expect(leader.wire.writes.length).toBeGreaterThan(3);
      stage.fault();
    }
    const directory = await directoryFor(stage);
    const election = createElection({ name: "job", store: fileStore(directory), ttlMs: 3_000 });
    await using leadership = await election.campaign();
    expect(leadership.isCurrent).toBe(true);
    const names = await readdir(join(directory, "default_job"));
    const version = names.find((name) => name.startsWith("0")) ?? "";
    const text = await readFile(join(directory, "default_job", version), "utf8");
    expect(JSON.parse(text)).toMatchObject({ ttlMs: 3_000 });
    stage.fault();
  },
});
