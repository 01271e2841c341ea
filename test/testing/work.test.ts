/** A work function tested end to end, as the page about testing shows it. */

import { describe, expect, it } from "vitest";
import type { Leadership } from "../../src/election/api.js";
import { createTestElection, recordingResource, type Sleep } from "../../src/testing/index.js";

interface Outbox {
  /** The next invoice that was not sent yet. */
  next(): number | undefined;
  /** Marks it as sent; false when a later leader was here. */
  markSent(invoice: number, leadership: Leadership): Promise<boolean>;
}

/** The function under test: sends what is due, then looks again every minute. */
async function sendInvoices(leadership: Leadership, outbox: Outbox, sleep: Sleep): Promise<void> {
  const { signal } = leadership;
  while (leadership.isCurrent) {
    const invoice = outbox.next();
    if (invoice === undefined) await sleep(60_000, undefined, { signal });
    else if (!(await outbox.markSent(invoice, leadership))) return;
  }
}

function open(count: number) {
  const test = createTestElection({ name: "invoices" });
  const table = recordingResource<number>("invoices");
  let due = Array.from({ length: count }, (_, index) => index + 1);
  let slow: Promise<void> | undefined;
  const outbox: Outbox = {
    next: () => due[0],
    async markSent(invoice, { fence }) {
      await slow;
      const applied = table.write(fence, invoice).kind === "applied";
      if (applied) due = due.filter((other) => other !== invoice);
      return applied;
    },
  };
  const add = (invoice: number) => void (due = [...due, invoice]);
  const slowDown = (until: Promise<void> | undefined) => void (slow = until);
  return { test, table, outbox, add, slowDown };
}

describe("a work function", () => {
  it("when it leads, it sends what is due and looks again after a minute", async () => {
    const { test, table, outbox, add } = open(2);
    void test.election.run((leadership) => sendInvoices(leadership, outbox, test.sleep));
    await test.elect();
    expect(table.applied.map(({ value }) => value)).toEqual([1, 2]);
    add(3);
    await test.advance(59_999);
    expect(table.applied).toHaveLength(2);
    await test.advance(1);
    expect(table.applied).toHaveLength(3);
    await test.election.stop();
  });

  it.each(["superseded", "deadline", "store-lost"] as const)(
    "when the term is lost (%s), it settles at once and sends nothing before the next term",
    async (reason) => {
      const { test, outbox, table, add } = open(1);
      const failures: unknown[] = [];
      test.election.on("workFailed", ({ cause }) => failures.push(cause));
      void test.election.run((leadership) => sendInvoices(leadership, outbox, test.sleep));
      const first = await test.elect();
      await test.loseNow(reason);
      expect(test.election.status.state).not.toBe("settling");
      add(2);
      await test.advance(200);
      expect(table.applied).toHaveLength(1);
      const second = await test.elect();
      expect(table.applied.map(({ fence }) => fence.token)).toEqual([first.token, second.token]);
      expect(failures).toEqual([]);
      await test.election.stop();
    },
  );

  it("when its event loop was blocked beyond the term, it sends nothing more", async () => {
    const { test, outbox, table } = open(3);
    const leadership = await test.elect();
    const marked = outbox.markSent;
    const working = sendInvoices(
      leadership,
      {
        ...outbox,
        async markSent(invoice, term) {
          const result = await marked(invoice, term);
          test.block(20_000);
          return result;
        },
      },
      test.sleep,
    );
    await working;
    expect(table.applied.map(({ value }) => value)).toEqual([1]);
  });

  it("when a write is on its way while the next term writes, it is refused and not sent again", async () => {
    const { test, outbox, table, slowDown } = open(1);
    const first = await test.elect();
    let arrive = () => {};
    slowDown(new Promise((resolve) => (arrive = resolve)));
    const late = sendInvoices(first, outbox, test.sleep);
    await test.loseNow();
    await first.resign();
    const second = await test.elect();
    slowDown(undefined);
    void sendInvoices(second, outbox, test.sleep).catch(() => {});
    await test.advance(0);
    arrive();
    await late;
    expect(table.applied.map(({ fence }) => fence)).toEqual([second.fence]);
    expect(table.refused.map(({ fence }) => fence)).toEqual([first.fence]);
    await second.resign();
  });
});

describe("a recording resource", () => {
  const fence = { v: 1, namespace: "n", election: "e", lineage: "n/lease", token: 7, owner: "a" } as const;

  it("when tokens rise or one owner writes again, it applies; lower, another's or foreign ones it refuses", () => {
    const resource = recordingResource<string>("ledger");
    expect(resource.name).toBe("ledger");
    expect(resource.write(fence, "first")).toEqual({ kind: "applied" });
    expect(resource.write(fence, "again")).toEqual({ kind: "applied" });
    const refusal = { kind: "refused", token: 7, owner: "a" };
    expect(resource.write({ ...fence, token: 6 }, "late")).toEqual(refusal);
    expect(resource.write({ ...fence, owner: "b" }, "twin")).toEqual(refusal);
    expect(resource.write({ ...fence, token: 9, lineage: "n/raft" }, "foreign")).toEqual(refusal);
    expect(resource.write({ ...fence, token: 9, election: "f" }, "other")).toEqual(refusal);
    expect(resource.write({ ...fence, token: 8, owner: "b" }, "next")).toEqual({ kind: "applied" });
    expect(resource.applied.map(({ value }) => value)).toEqual(["first", "again", "next"]);
    expect(resource.refused.map(({ value }) => value)).toEqual(["late", "twin", "foreign", "other"]);
  });
});
