/** Worlds outside of what P1 assumes: two may believe at once, and that is all. */

import { describe, expect, it } from "vitest";
import { planFor, type ProfileName, type SeedOptions } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";

interface Worlds {
  readonly profile: ProfileName;
  readonly seeds: readonly number[];
  readonly expiry?: SeedOptions["expiry"];
}

const faultyMs = 120_000;
const firstTwelve = Array.from({ length: 12 }, (_, index) => index + 1);

async function judge({ profile, seeds, expiry = "observed" }: Worlds) {
  const broken: string[] = [];
  const admitted: string[] = [];
  let staleCount = 0;
  for (const seed of seeds) {
    const outcome = await run(planFor(profile, { seed, faultyMs, expiry }));
    broken.push(...outcome.broken);
    admitted.push(...outcome.admitted);
    staleCount += outcome.counts["stale-refused"] ?? 0;
  }
  return { broken, admitted, staleCount };
}

describe("advisory worlds", () => {
  it.each<Worlds>([
    { profile: "fail-over", seeds: firstTwelve },
    // In the last one a leader hears of its take after its successor has of its own.
    { profile: "drift", seeds: [...firstTwelve, 28] },
    { profile: "host-pause", seeds: firstTwelve },
    { profile: "default", seeds: firstTwelve, expiry: "store-clock" },
  ])("when the profile is $profile, overlaps are admitted and stale writes are refused", async (worlds) => {
    const { broken, admitted, staleCount } = await judge(worlds);
    expect(broken).toEqual([]);
    expect(admitted.length).toBeGreaterThan(0);
    expect(staleCount).toBeGreaterThan(0);
  });
});
