/** Each control of a test election: what it does to the term, and what it says when it cannot. */

import { describe, expect, it } from "vitest";
import type { HistoryLine } from "../../src/history/line.js";
import { createTestElection, type TestElection } from "../../src/testing/index.js";

function open(options = {}): { readonly test: TestElection; readonly events: string[] } {
  const test = createTestElection({ name: "invoices", ...options });
  const events: string[] = [];
  const { election } = test;
  election.on("elected", () => events.push("elected"));
  election.on("uncertain", () => events.push("uncertain"));
  election.on("confirmed", () => events.push("confirmed"));
  election.on("lost", ({ reason, lateByMs }) => events.push(`lost ${reason} ${lateByMs}`));
  election.on("released", ({ outcome }) => events.push(outcome));
  return { test, events };
}

describe("elect", () => {
  it("when nobody campaigns, it campaigns itself, and resign() ends the term", async () => {
    const { test, events } = open();
    const leadership = await test.elect();
    expect(leadership.isCurrent).toBe(true);
    expect(test.election.leadership).toBe(leadership);
    expect(leadership.fence).toMatchObject({ election: "invoices", token: leadership.token });
    await leadership.resign();
    expect(events).toEqual(["elected", "lost resigned 0", "released"]);
  });

  it("when a campaign is under way, it resolves with the leadership that its work got", async () => {
    const { test } = open();
    const given: unknown[] = [];
    void test.election.run(async (leadership) => {
      given.push(leadership);
      await leadership.ended;
    });
    const first = await test.elect();
    expect(await test.elect()).toBe(first);
    await test.loseNow();
    const second = await test.elect();
    expect(given).toEqual([first, second]);
    expect(second.token).toBeGreaterThan(first.token);
    await test.election.stop();
  });

  it("when the work returns at once, it still resolves with that term", async () => {
    const { test } = open();
    const once = test.election.runOnce(async ({ token }) => token);
    const { token, isCurrent } = await test.elect();
    expect(await once).toBe(token);
    expect(isCurrent).toBe(false);
  });

  it("when the candidate cannot win, it rejects and says why", async () => {
    const { test } = open({ eligible: () => false });
    await expect(test.elect()).rejects.toThrow('the election is "candidate"; is it eligible?');
    const stuck = open({ drainMs: 0 }).test;
    void stuck.election.run(() => new Promise(() => {}));
    await stuck.elect();
    await stuck.loseNow();
    await expect(stuck.elect()).rejects.toThrow("the work of its last term has not settled");
    await stuck.election.stop();
    await expect(open().test.elect()).resolves.toBeDefined();
  });

  it("when the election was stopped, it rejects with ELECTION_STOPPED", async () => {
    const { test } = open();
    await test.election.stop();
    await expect(test.elect()).rejects.toMatchObject({ code: "ELECTION_STOPPED" });
  });
});

describe("loseNow", () => {
  it.each(["superseded", "store-lost"] as const)("%s ends the term within 1 ms", async (reason) => {
    const { test, events } = open();
    const leadership = await test.elect();
    await test.loseNow(reason);
    expect(test.nowMs).toBe(1);
    expect(leadership.isCurrent).toBe(false);
    expect(leadership.signal.reason).toMatchObject({ code: "LEADERSHIP_LOST" });
    expect(events).toEqual(["elected", `lost ${reason} 0`]);
    await leadership.resign();
    expect(events.at(-1)).toBe("left-to-expire");
    expect((await test.elect()).token).toBeGreaterThan(leadership.token);
  });

  it("deadline ends it after the belief, on time, and the lease is given back when the work has settled", async () => {
    const { test, events } = open({ ttlMs: 3_000 });
    const leadership = await test.elect();
    await test.loseNow("deadline");
    expect(test.nowMs).toBeLessThanOrEqual(2_010);
    await leadership.resign();
    expect(events).toEqual(["elected", "uncertain", "lost deadline 0", "released"]);
  });

  it("when the term is uncertain already, each loss still comes as asked", async () => {
    for (const reason of ["superseded", "store-lost", "deadline"] as const) {
      const { test, events } = open();
      await test.elect();
      await test.goUncertain();
      await test.loseNow(reason);
      expect(events).toEqual(["elected", "uncertain", `lost ${reason} 0`]);
    }
  });

  it("when it is not told why, another holder stands in the record, whose ttl has to pass", async () => {
    const { test } = open();
    const leadership = await test.elect();
    await using views = test.election.observe();
    await test.loseNow();
    await leadership.resign();
    await test.advance(1_000);
    expect(views.current).toMatchObject({ kind: "held", node: "another", self: false });
    const lostAtMs = test.nowMs;
    await test.elect();
    expect(test.nowMs - lostAtMs).toBeGreaterThan(13_000);
  });

  it("when nobody leads, or the reason is none, it rejects", async () => {
    const { test } = open();
    await expect(test.loseNow()).rejects.toThrow('loseNow() needs a term; the election is "idle"');
    await test.elect();
    await expect(test.loseNow("stopped" as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("when the work returns in that very millisecond, it rejects instead of hiding that", async () => {
    const { test } = open();
    void test.election.run(async () => test.sleep(1));
    await test.elect();
    await expect(test.loseNow()).rejects.toThrow("the term ended as finished and not as superseded");
    await test.election.stop();
  });
});

describe("goUncertain and recover", () => {
  it("when the store goes away and comes back, the same term goes on", async () => {
    const { test, events } = open();
    const leadership = await test.elect();
    await test.goUncertain();
    await test.goUncertain();
    expect(leadership.isCurrent).toBe(true);
    await expect(leadership.ensure(10_000)).rejects.toMatchObject({ code: "ENSURE_UNCONFIRMED" });
    expect(test.election.status.lastError).toMatchObject({ code: "STORE_UNREACHABLE" });
    await test.advance(5_000);
    await test.recover();
    await test.advance(60_000);
    expect(leadership.isCurrent).toBe(true);
    expect(events).toEqual(["elected", "uncertain", "confirmed"]);
  });

  it("when it does not come back, the term ends at its deadline", async () => {
    const { test, events } = open();
    const leadership = await test.elect();
    await test.goUncertain();
    await test.advance(10_000);
    expect(leadership.remainingMs()).toBe(0);
    expect(events).toEqual(["elected", "uncertain", "lost deadline 0"]);
    await test.recover();
    await leadership.resign();
    await test.elect();
  });

  it("when nobody leads, goUncertain rejects and recover does nothing", async () => {
    const { test } = open();
    await test.recover();
    await expect(test.goUncertain()).rejects.toThrow("goUncertain() needs a term");
  });
});

describe("time", () => {
  it("when the event loop is blocked beyond the deadline, the next look says no, before any timer", async () => {
    const { test, events } = open();
    const leadership = await test.elect();
    test.block(12_000);
    expect(test.nowMs).toBe(12_000);
    expect(events).toEqual(["elected"]);
    expect(leadership.isCurrent).toBe(false);
    expect(events).toEqual(["elected", "lost deadline 2000"]);
  });

  it("when work blocks in the middle, what was due fires after it and the term goes on", async () => {
    const { test } = open();
    const woke: number[] = [];
    void test.election.run(async ({ signal }) => {
      await test.sleep(100, undefined, { signal });
      test.block(5_000);
      await test.sleep(100, undefined, { signal });
      woke.push(test.nowMs);
    });
    await test.elect();
    await test.advance(200);
    expect(test.nowMs).toBe(5_100);
    await test.advance(100);
    expect(woke).toEqual([5_200]);
    await test.election.stop();
  });

  it("when a sleep is aborted, before or meanwhile, it rejects as the one of node:timers/promises", async () => {
    const { test } = open();
    const abort = new AbortController();
    const { signal } = abort;
    const sleeping = expect(test.sleep(100, undefined, { signal })).rejects.toMatchObject({
      name: "AbortError",
      code: "ABORT_ERR",
      cause: "enough",
    });
    abort.abort("enough");
    await sleeping;
    await expect(test.sleep(100, undefined, { signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("when a time is none, or an option is unknown, it is refused", async () => {
    const { test } = open();
    await expect(test.advance(-1)).rejects.toMatchObject({ code: "INVALID_OPTION" });
    expect(() => test.block(0.5)).toThrow("ms must be a whole number of milliseconds");
    expect(() => open({ ttlMs: 10 })).toThrow("ttlMs must be a whole number");
    expect(() => open({ store: {} })).toThrow('unknown option "store"');
  });

  it("when the same test runs twice, both write the same history but for the process", async () => {
    const stories: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const lines: HistoryLine[] = [];
      const { test } = open({ history: (line: HistoryLine) => lines.push(line) });
      void test.election.run(async (leadership) => void (await leadership.ended));
      await test.elect();
      await test.advance(30_000);
      await test.loseNow("store-lost");
      await test.elect();
      test.block(20_000);
      await test.election.stop();
      stories.push(lines);
    }
    expect(stories[1]).toEqual(stories[0]);
  });
});
