/** What a driver is handed with each call. */

import { expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { Answer } from "../../src/lease/core-types.js";
import { OpenCalls } from "../../src/lease/open-calls.js";
import type { Call } from "../../src/lease/store.js";

const manner = { late: false, absence: "waited", takeover: "observed" } as const;

it("when a driver copies the call, the copy has its signal, and it aborts with the timeout", async () => {
  const world = createVirtualWorld();
  const reported: Answer[] = [];
  const calls = new OpenCalls(world.createClock(), 1_000, "test", (_id, answer) => reported.push(answer));
  const copies: Call[] = [];
  const asked = async (call: Call): Promise<Answer> => {
    copies.push({ ...call });
    return new Promise(() => {});
  };
  calls.start(1, asked, manner);
  calls.start(2, asked, { ...manner, takeover: "store-clock" });
  expect(copies).toMatchObject([
    { timeoutMs: 1_000, absence: "waited", takeover: "observed" },
    { timeoutMs: 1_000, absence: "waited", takeover: "store-clock" },
  ]);
  expect(copies.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  await world.advance(1_000);
  for (const { signal } of copies) expect(signal.reason).toMatchObject({ code: "STORE_TIMEOUT" });
  expect(reported).toMatchObject([
    { kind: "failed", verdict: "unknown" },
    { kind: "failed", verdict: "unknown" },
  ]);
});

it("when a driver asks for the signal after the call was given up, it has aborted already", async () => {
  const world = createVirtualWorld();
  const calls = new OpenCalls(world.createClock(), 1_000, "test", () => {});
  const handed: Call[] = [];
  const asked = async (call: Call): Promise<Answer> => {
    handed.push(call);
    return new Promise(() => {});
  };
  calls.start(1, asked, manner);
  calls.close();
  expect(handed[0]?.signal).toMatchObject({ aborted: true, reason: { code: "ELECTION_STOPPED" } });
  expect(handed[0]?.signal).toBe(handed[0]?.signal);
});
