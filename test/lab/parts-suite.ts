/** Foreign parts as tests: what is broken is caught, and what is right, however odd, is left alone. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../architecture/files.js";
import type { Parts } from "../../src/lab/foreign/parts.js";
import { planFor } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";

/** Each specimen is caught within far fewer than the 2 000 that are promised; docs/lab-parts.md has the seeds. */
const mostSeeds = 400;
const faultyMs = 120_000;

/** `part` alone is foreign. */
export function rightParts<P extends keyof Parts>(
  part: P,
  makers: Readonly<Record<string, Parts[P]>>,
  seedCount: number,
): void {
  describe(`when a foreign part is right (${part})`, () => {
    test.each(Object.keys(makers))(
      `"%s" breaks nothing in ${seedCount} worlds`,
      async (name) => {
        expect(await firstRed({ [part]: makers[name] }, seedCount)).toBeUndefined();
      },
      300_000,
    );
  });
}

/** Each with the story that must be told of it. */
export function brokenParts<P extends keyof Parts>(
  part: P,
  makers: Readonly<Record<string, Parts[P]>>,
  stories: Readonly<Record<string, RegExp>>,
): void {
  describe(`when a foreign part has one mistake (${part})`, () => {
    test("docs/lab-parts.md names it, with the seed that shows it", () => {
      const page = readFileSync(join(root, "docs", "lab-parts.md"), "utf8");
      const unnamed = Object.keys(makers).filter((name) => !page.includes(`| ${name} | `));
      expect(unnamed, "run `npm run lab:parts`").toEqual([]);
    });

    test.each(Object.keys(makers))(
      '"%s" is caught by what it does',
      async (name) => {
        const story = stories[name] ?? /^no story is named for it$/;
        const why = expect.stringMatching(story) as string;
        expect(await firstRed({ [part]: makers[name] }, mostSeeds)).toMatchObject({ why });
      },
      300_000,
    );
  });
}

async function firstRed(
  parts: Parts,
  seedCount: number,
): Promise<{ readonly seed: number; readonly why: string } | undefined> {
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const { broken } = await run(planFor("default", { seed, faultyMs, parts }));
    if (broken.length > 0) return { seed, why: broken.join("\n") };
  }
  return undefined;
}
