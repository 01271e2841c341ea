/** What the lab says of operations that a resource applies again. */

import { expect, it } from "vitest";
import { Guarding } from "../../src/lab/judge/guarding.js";
import { rememberedCount } from "../../src/lab/world/errands.js";

function court(): { readonly guarding: Guarding; readonly broken: readonly string[] } {
  const broken: string[] = [];
  const guarding = new Guarding({
    nowMs: 0,
    clonesExist: false,
    faults: [],
    register: { account: { losses: [] } },
    breaks: (why) => void broken.push(why),
  });
  return { guarding, broken };
}

/** One operation that is applied, then so many others, then the same one. */
function appliedAgainAfter(others: number): readonly string[] {
  const { guarding, broken } = court();
  for (let count = 1; count <= others + 1; count += 1) guarding.applied("errands-1", `op-${count}`, count);
  guarding.applied("errands-1", "op-1", others + 2);
  return broken;
}

it("when a resource applies again what it still remembers, that is told", () => {
  const twice = "operation op-1 was applied twice to errands-1";
  expect(appliedAgainAfter(0)).toEqual([twice]);
  expect(appliedAgainAfter(rememberedCount - 1)).toEqual([twice]);
});

it("when so many others came in between that it was told to forget it, nothing is told", () => {
  expect(appliedAgainAfter(rememberedCount)).toEqual([]);
});
