import process from "node:process";
import { expect } from "vitest";
import { createElection } from "../src/create-election.js";
import { memoryStore } from "../src/stores/memory/index.js";
import { createPlace } from "../test/cli/tenure.js";
import type { Ended, Program } from "../test/support/program.js";
import { defineCase } from "./support/case.js";
import { untilTrue } from "./support/processes.js";
import type { Stage } from "./support/stage.js";

interface Way {
  readonly mode?: "slow" | "stubborn";
  readonly drain: string;
  readonly twice?: boolean;
}

interface Outcome extends Ended {
  readonly tookMs: number;
  readonly state: string | undefined;
}

/** SIGTERM to a `tenure run` whose command beats. */
async function told(stage: Stage, { mode, drain, twice = false }: Way): Promise<Outcome> {
  const place = createPlace();
  const running: Program = place.beat("one", ["--ttl", "3s", "--drain", drain], mode);
  await untilTrue(() => place.beats().some(({ what }) => what === "beat"));
  const atMs = performance.now();
  running.process.kill("SIGTERM");
  stage.fault();
  if (twice) {
    await untilTrue(() => place.beats().some(({ what }) => what === "SIGTERM"));
    running.process.kill("SIGTERM");
  }
  const ended = await running.ended;
  await untilTrue(() => place.alive().length === 0);
  return { ...ended, tookMs: ended.atMs - atMs, state: (await place.record())?.state };
}

export const caseB56 = defineCase({
  id: "B56",
  fault:
    "SIGTERM comes to a leader: to the command with one that needs 2 s to end, one that ignores it, and twice; to a user of the library",
  mustHold:
    "the lease is released in under a second after the command has ended, which may take its drain and is killed then, or at the second signal; the code is the command's, or 128 + n; the library installs no handler",
  injected:
    "SIGTERM to three processes of tenure run on the file store; the library is asked in this process",
  mutants: ["run-kills-at-once", "run-second-signal-ignored"],
  faultCount: 3,
  async run(stage) {
    const before = process.listenerCount("SIGTERM");
    const election = createElection({ name: "job", store: memoryStore() });
    const leadership = await election.campaign();
    expect(process.listenerCount("SIGTERM")).toBe(before);
    await leadership.resign();
    const [slow, stubborn, twice] = await Promise.all([
      told(stage, { mode: "slow", drain: "20s" }),
      told(stage, { mode: "stubborn", drain: "3s" }),
      told(stage, { mode: "stubborn", drain: "30s", twice: true }),
    ]);
    expect(slow, slow.stderr).toMatchObject({ code: 0, state: "released" });
    expect(slow.tookMs).toBeGreaterThan(1_900);
    expect(slow.tookMs).toBeLessThan(3_000);
    expect(stubborn, stubborn.stderr).toMatchObject({ code: 137, state: "released" });
    expect(stubborn.tookMs).toBeGreaterThan(2_900);
    expect(stubborn.tookMs).toBeLessThan(4_000);
    expect(twice, twice.stderr).toMatchObject({ code: 137, state: "released" });
    expect(twice.tookMs).toBeLessThan(2_000);
  },
});
