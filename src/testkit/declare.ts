/** How a suite is put before a runner: titles that start with ids, skips that carry their reasons. */

import type { Describe, It } from "./harness.js";

/** What a suite tells of one of its tests. `C`: what a driver declares about itself. */
export interface Listed<C> {
  readonly id: string;
  /** Situation, then outcome. */
  readonly title: string;
  /** The test is left out, with the reason, where one of these acts is. */
  readonly needs?: readonly string[];
  /** The test is left out where the driver does not declare this. */
  readonly unless?: keyof C & string;
}

export interface Suite<C, T extends Listed<C>> {
  readonly describe: Describe;
  readonly it: It;
  /** Of the `describe`. */
  readonly title: string;
  readonly cases: readonly T[];
  readonly capabilities: C;
  readonly skip: Readonly<Record<string, string>>;
  readonly run: (test: T) => Promise<void>;
}

/** One `describe`, and one `it` or `it.skip` per test. Throws when a skip names nothing or gives no reason. */
export function declareSuite<C, T extends Listed<C>>(suite: Suite<C, T>): void {
  const { describe, it, cases, run } = suite;
  refuseUnknown(suite.skip, cases);
  describe(suite.title, () => {
    for (const test of cases) {
      const title = `${test.id}: ${test.title}`;
      const reason = reasonToSkip(test, suite);
      const body = async () => run(test);
      if (reason === undefined) it(title, body);
      else it.skip(`${title} (skipped: ${reason})`, body);
    }
  });
}

function reasonToSkip<C>(
  test: Listed<C>,
  { skip, capabilities }: Pick<Suite<C, never>, "skip" | "capabilities">,
): string | undefined {
  const named = [test.id, ...(test.needs ?? [])].flatMap((id) => skip[id] ?? []);
  if (named[0] !== undefined) return named[0];
  const undeclared = test.unless !== undefined && capabilities[test.unless] !== true;
  return undeclared ? `the driver declares ${test.unless}: false` : undefined;
}

/** A skip that names nothing hides a test that was renamed, so it is an error where the suite is declared. */
function refuseUnknown(skip: Readonly<Record<string, string>>, cases: readonly Listed<never>[]): void {
  const known = new Set<string>(cases.flatMap((test) => [test.id, ...(test.needs ?? [])]));
  for (const [id, reason] of Object.entries(skip)) {
    if (!known.has(id)) throw new TypeError(`skip names ${JSON.stringify(id)}, which is no test and no act`);
    if (reason.trim() === "") throw new TypeError(`skip of ${id} must give a reason`);
  }
}
