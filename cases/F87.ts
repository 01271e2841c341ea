import { expect } from "vitest";
import type { Leadership } from "../src/election/api.js";
import type { Attempt } from "../src/fence/fence.js";
import { createRegister, type Mood, refusal } from "./support/register.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

export const caseF87 = defineCase({
  id: "F87",
  fault: "no answer comes to a write, which was applied or was not, and the leader sends it again",
  mustHold: "it is applied once, the answer is that of the first time, and no other write is taken for it",
  injected:
    "the register keeps silent after it has applied a write, and without applying it, in either order",
  mutants: [
    "G3-duplicate-applied",
    "G3-number-answers-for-another",
    "G3-unknown-forgotten",
    "G3-result-forgotten",
    "G1-reclaim-resets",
  ],
  faultCount: 6,
  async run(stage) {
    const leadership = await stage.lead(stage.candidate("leader"));
    for (const order of ["any", "strict"] as const) {
      for (const mood of ["silent-done", "silent-undone"] as const) {
        await sendAgain(stage, leadership, order, mood);
      }
    }
  },
});

async function sendAgain(
  stage: Stage,
  leadership: Leadership,
  order: "any" | "strict",
  mood: Mood,
): Promise<void> {
  const register = createRegister({ initial: 0, order, resource: `${order} ${mood}` });
  const counter = await register.guard.claim(leadership);
  const add = async (attempt?: Attempt) =>
    counter.transaction((tx) => (tx.value += 1), attempt && { attempt });
  expect(await add()).toBe(1);
  register.mood = mood;
  const error = await refusal(add());
  expect(error).toMatchObject({ code: "GUARD_UNCONFIRMED", outcome: "unknown", attempt: { seq: 2 } });
  const { attempt } = error as { attempt: Attempt };
  if (mood === "silent-undone") {
    expect(await refusal(add(attempt))).toMatchObject({ code: "GUARD_UNCONFIRMED", attempt });
  }
  register.mood = "well";
  // A claim that comes again in between changes nothing.
  await register.guard.claim(leadership);
  if (order === "strict") expect(await refusal(add())).toMatchObject({ code: "ATTEMPT_PENDING", attempt });
  expect(await add(attempt)).toBe(2);
  expect(await add()).toBe(3);
  stage.fault(register.faults.count);
  // Two that number for themselves, as no leadership does: neither is given the other's result.
  const { fence } = leadership;
  const [one, two] = [await register.guard.claim(fence), await register.guard.claim(fence)];
  expect(await one.transaction(() => "of one")).toBe("of one");
  const write = async () => two.transaction(() => "of two");
  expect(await refusal(write())).toMatchObject({ code: "SEQUENCE_REUSED" });
  expect(await write()).toBe("of two");
}
