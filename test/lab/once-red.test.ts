/** Worlds that were red once: a judge said what was not so, or the lease had a weakness. */

import { expect, test } from "vitest";
import { planFor } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";

test.each([
  [498_949_028, 60_000, "of two renewals that are confirmed at one instant, the longer one counts"],
  [
    498_960_513,
    60_000,
    "whoever was let in by a loss may die, and be taken over while the first one still believes",
  ],
  [498_961_857, 60_000, "a sleep that would end with all faults is none where it is too short to be noticed"],
  [498_983_152, 60_000, "a look shows that somebody else has taken since, and what he has may be taken anew"],
  [498_987_289, 60_000, "whoever has been elected since asks for no answer to a look from before"],
  [1_021_504_402, 60_000, "what an operator writes again looks like life where it was gone before"],
  [1_021_505_857, 60_000, "nobody sleeps for less than clocks can tell, also at the end of all faults"],
  [
    1_021_521_050,
    60_000,
    "who takes once more what it was not told of comes in by the loss, not by its first try",
  ],
  [1_008_004_334, 60_000, "what a roll-back shows looks like life"],
  [441_106_666, 120_000, "a store that went back and carries out what it had refused is no clone"],
  [408_277_586, 120_000, "also what conflicts too late may tell of the epoch that the store is in"],
  [408_293_578, 120_000, "a late answer to a request shows an old renewal, and the next look no life"],
  [888_082_292, 120_000, "what cannot be read lies over a write that was delivered twice, and has arrived"],
  [
    888_097_970,
    120_000,
    "what was seen in one epoch was not seen in the next one, which a late answer tells of",
  ],
  [446_650_096, 60_000, "what conflicts on its second way may have been carried out on the first"],
  [446_651_593, 60_000, "a clone takes as its twin did before the store went back, and no earlier"],
  [446_669_439, 60_000, "whoever has led may find its own record again, in a store that went back"],
  [745_429_138, 60_000, "two images write one number, and who looks cannot tell the second from the first"],
  [3_858, 600_000, "two conflicts in a row come too late, and show that the store is empty"],
  [5_004, 600_000, "what a late take expects is gone where something unreadable was written over it"],
  [43_580_876, 60_000, "a claim that was given up is refused later, and the work hears of nothing"],
  [
    43_645_274,
    60_000,
    "a resource knows a token that the store forgot, and the first term ends while it drains",
  ],
  [840_613_072, 60_000, "an observer that is cut off names whom it saw last, and has not looked"],
  [408_289_609, 120_000, "a request that lies over what one image wrote may hide it from the other"],
])("seed %i of %i ms: %s", async (seed, faultyMs) => {
  const { broken } = await run(planFor("default", { seed, faultyMs, recording: false }));
  expect(broken).toEqual([]);
});

test.each<[Parameters<typeof planFor>[0], number, string]>([
  ["fail-over", 75, "whoever takes on what it saw before a loss may not undo that after it"],
  ["drift", 2_395, "whoever is told to stop as its takeover is due sends none"],
  ["host-pause", 1_293, "a host stands still with the twin, which is a clone later"],
])("%s, seed %i: %s", async (profile, seed) => {
  const { broken } = await run(planFor(profile, { seed, faultyMs: 600_000, recording: false }));
  expect(broken).toEqual([]);
});
