/** A runner that keeps what a suite declares and runs it on demand, so that a test can look at a suite. */

import type { Describe, It } from "../../src/testkit/index.js";

export interface Outcome {
  readonly id: string;
  readonly error: unknown;
}

export interface RecordingRunner {
  readonly describe: Describe;
  readonly it: It;
  readonly names: readonly string[];
  readonly titles: readonly string[];
  readonly skipped: readonly string[];
  /** Runs what was declared so far, or only the tests with these ids, one after the other. */
  run(ids?: readonly string[]): Promise<readonly Outcome[]>;
}

export function createRecordingRunner(): RecordingRunner {
  const names: string[] = [];
  const skipped: string[] = [];
  const tests = new Map<string, () => Promise<void>>();

  return {
    describe: (name, body) => {
      names.push(name);
      body();
    },
    it: Object.assign((title: string, body: () => Promise<void>) => void tests.set(title, body), {
      skip: (title: string) => void skipped.push(title),
    }),
    names,
    skipped,
    get titles() {
      return [...tests.keys()];
    },
    async run(ids) {
      const outcomes: Outcome[] = [];
      for (const [title, body] of tests) {
        const id = idOf(title);
        if (ids !== undefined && !ids.includes(id)) continue;
        const error: unknown = await body().then(
          () => undefined,
          (cause: unknown) => cause,
        );
        outcomes.push({ id, error });
      }
      return outcomes;
    },
  };
}

export function idOf(title: string): string {
  return title.slice(0, title.indexOf(":"));
}
