/** `tenure run` on real processes, with commands that do not mind SIGTERM: one is dead before the next begins. */

import { describe, expect, test, vi } from "vitest";
import { leaseBudget, resolveTiming } from "../../src/lease/budget.js";
import { createPlace, type Place } from "./tenure.js";

const ttlMs = 4_000;
const options = ["--ttl", "4s", "--drain", "3s"];
const timing = resolveTiming({ ttlMs }, 15_000);
const { leaderlessMs } = leaseBudget(timing, 0);
const limitMs = 60_000;

async function pair(place: Place) {
  const first = place.beat("first", options, "stubborn");
  await first.says("leads");
  await vi.waitUntil(() => place.beats().filter(({ what }) => what === "began").length === 2, limitMs);
  const second = place.beat("second", options, "stubborn");
  await second.says("lease of");
  await place.renewals(4);
  return { first, second };
}

/** In the middle between two renewals: what follows is measured from here, the bound counts from the renewal. */
async function betweenRenewals(place: Place): Promise<void> {
  await place.renewals(1);
  const untilMs = performance.now() + timing.renewMs / 2;
  await vi.waitUntil(() => performance.now() >= untilMs, { timeout: limitMs, interval: 10 });
}

/** The record's own instant: when the successor took the lease, by the clock that this test reads too. */
async function takenAt(place: Place, node: string): Promise<number> {
  const record = await place.record();
  expect(record?.node).toBe(node);
  return record?.electedAt ?? 0;
}

async function secondBeats(place: Place): Promise<void> {
  await vi.waitUntil(() => place.beats().some(({ label }) => label === "second"), limitMs);
  await vi.waitUntil(() => place.beats().filter(({ label }) => label === "second").length > 50, limitMs);
}

function apart(place: Place): { readonly last: bigint; readonly next: bigint } {
  const of = (wanted: string) => place.beats().filter(({ label }) => label === wanted);
  const ats = (wanted: string) => of(wanted).map(({ at }) => at);
  // Both of the group beat, or nothing is shown.
  expect(new Set(of("first").map(({ pid }) => pid)).size).toBe(2);
  return {
    last: ats("first").reduce((a, b) => (a > b ? a : b), 0n),
    next: ats("second").reduce((a, b) => (a < b ? a : b)),
  };
}

describe("when a command ignores SIGTERM, as does its child", () => {
  test(
    "and leadership is handed over, neither beats after the first beat of the next, which waits out the drain",
    async () => {
      const place = createPlace();
      const { first, second } = await pair(place);
      const asked = place.start(["transfer", place.name, "--store", place.store, "--to", "second"]);
      await secondBeats(place);
      const { last, next } = apart(place);
      expect(last).toBeLessThan(next);
      expect((await asked.ended).code).toBe(0);
      for (const { process } of [first, second]) process.kill("SIGTERM");
      for (const { process } of [first, second]) process.kill("SIGINT");
      await Promise.all([first.ended, second.ended]);
      await vi.waitUntil(() => place.alive().length === 0, limitMs);
    },
    limitMs,
  );

  test(
    "and the leading tenure is killed, neither beats after the first beat of the next, which leads in time",
    async () => {
      const place = createPlace();
      const { first, second } = await pair(place);
      await betweenRenewals(place);
      const killedAt = Date.now();
      first.process.kill("SIGKILL");
      await secondBeats(place);
      const { last, next } = apart(place);
      expect(last).toBeLessThan(next);
      expect((await takenAt(place, "second")) - killedAt).toBeLessThanOrEqual(leaderlessMs);
      second.process.kill("SIGTERM");
      second.process.kill("SIGINT");
      await second.ended;
      await vi.waitUntil(() => place.alive().length === 0, limitMs);
    },
    limitMs,
  );

  test(
    "and the leading tenure is frozen, neither beats after the first beat of the next; awake again it follows",
    async () => {
      const place = createPlace();
      const { first, second } = await pair(place);
      await betweenRenewals(place);
      const frozenAt = Date.now();
      first.process.kill("SIGSTOP");
      await secondBeats(place);
      const { last, next } = apart(place);
      expect(last).toBeLessThan(next);
      expect((await takenAt(place, "second")) - frozenAt).toBeLessThanOrEqual(leaderlessMs);
      first.process.kill("SIGCONT");
      await first.says("the lease was not renewed in time");
      first.process.kill("SIGTERM");
      expect((await first.ended).code).toBe(143);
      second.process.kill("SIGTERM");
      second.process.kill("SIGINT");
      await second.ended;
      await vi.waitUntil(() => place.alive().length === 0, limitMs);
    },
    limitMs,
  );
});
