/** Foreign parts as tests: what is broken is caught, and what is right, however odd, is left alone. */

import { describe, expect, test } from "vitest";
import type { Parts } from "../../src/lab/foreign/parts.js";
import { planFor } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";

/** Each specimen is caught within far fewer than the 2 000 that are promised; docs/lab-parts.md has the seeds. */
const mostSeeds = 400;
const faultyMs = 120_000;

interface Specimens {
  readonly correct: Readonly<Record<string, Parts>>;
  readonly broken: Readonly<Record<string, readonly [parts: Parts, story: RegExp]>>;
}

export function partsSuite(kind: string, { correct, broken }: Specimens, correctSeeds: number): void {
  describe(`when a foreign ${kind} is right`, () => {
    test.each(Object.entries(correct))(
      `"%s" breaks nothing in ${correctSeeds} worlds`,
      async (_name, parts) => {
        expect(await firstRed(parts, correctSeeds)).toBeUndefined();
      },
      300_000,
    );
  });

  describe(`when a foreign ${kind} has one mistake`, () => {
    test.each(Object.entries(broken))(
      `"%s" is caught by what it does`,
      async (_name, [parts, story]) => {
        expect(await firstRed(parts, mostSeeds)).toMatchObject({
          why: expect.stringMatching(story) as string,
        });
      },
      300_000,
    );
  });
}

export async function firstRed(
  parts: Parts,
  seedCount: number,
): Promise<{ readonly seed: number; readonly why: string } | undefined> {
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const { broken } = await run(planFor("default", { seed, faultyMs, parts }));
    if (broken.length > 0) return { seed, why: broken.join("\n") };
  }
  return undefined;
}

/** Each of some factories as the one part that is foreign. */
export function each<P extends keyof Parts>(
  part: P,
  factories: Readonly<Record<string, Parts[P]>>,
): Readonly<Record<string, Parts>> {
  return Object.fromEntries(Object.entries(factories).map(([name, factory]) => [name, { [part]: factory }]));
}

/** The same, each with the story that must be told of it. */
export function eachWith<P extends keyof Parts>(
  part: P,
  factories: Readonly<Record<string, Parts[P]>>,
  stories: Readonly<Record<string, RegExp>>,
): Specimens["broken"] {
  expect(Object.keys(stories).toSorted()).toEqual(Object.keys(factories).toSorted());
  return Object.fromEntries(
    Object.entries(factories).map(([name, factory]) => [name, [{ [part]: factory }, stories[name] ?? /^$/]]),
  );
}
