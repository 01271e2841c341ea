/** One signal of the user for all elections of a process. */

import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createElection } from "../../src/index.js";
import { memoryStore } from "../../src/stores/memory/index.js";

async function warningsDuring(act: () => Promise<void>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on("warning", onWarning);
  try {
    await act();
    // Warnings are emitted in a later turn.
    await new Promise((resolve) => void setImmediate(resolve));
  } finally {
    process.off("warning", onWarning);
  }
  return warnings;
}

const open = (store: ReturnType<typeof memoryStore>, index: number) =>
  createElection({ name: `job-${index}`, node: "a", store });

describe("a thousand elections on one signal", () => {
  it("when all run and the signal aborts, there was no warning, all have ended, and no listener is left", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const store = memoryStore();
    const warnings = await warningsDuring(async () => {
      let leading = 0;
      const running = Array.from({ length: 1_000 }, async (_, index) =>
        open(store, index).run(
          async (leadership) => {
            leading += 1;
            if (leading === 1_000) controller.abort();
            await leadership.ended;
          },
          { signal },
        ),
      );
      await Promise.all(running);
      expect(leading).toBe(1_000);
    });
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("when all campaign and have been elected, there was no warning and no listener is left", async () => {
    const { signal } = new AbortController();
    const store = memoryStore();
    const warnings = await warningsDuring(async () => {
      const elections = Array.from({ length: 1_000 }, (_, index) => open(store, index));
      const elected = Promise.all(elections.map(async (election) => election.campaign({ signal })));
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      await elected;
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
      await Promise.all(elections.map(async (election) => election.stop({ drainMs: 0 })));
    });
    expect(warnings).toEqual([]);
  });
});

describe("an ended term", () => {
  it("when it is resigned after the next one has begun, the next one goes on", async () => {
    const election = open(memoryStore(), 0);
    const before = await election.campaign();
    await before.resign();
    const after = await election.campaign();
    await before.resign();
    expect([before.isCurrent, after.isCurrent]).toEqual([false, true]);
    await election.stop();
  });
});
