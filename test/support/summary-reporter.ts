/**
 * Makes the very last line of a run `N passed, N failed, N skipped`, so that a script can read the outcome
 * without knowing the test runner.
 *
 * Counts tests. A file or suite that fails outside a test (import error, hook) and an unhandled rejection count
 * as one failure each, because none of them shows up in the count of failed tests.
 */
import type { Reporter, TestModule } from "vitest/node";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function countTests(modules: readonly TestModule[], unhandledErrorCount: number): Counts {
  const counts: Counts = { passed: 0, failed: unhandledErrorCount, skipped: 0 };
  for (const module of modules) {
    if (module.errors().length > 0) counts.failed += 1;
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) counts.failed += 1;
    }
    for (const test of module.children.allTests()) {
      const state = test.result().state;
      // A test that never got a result did not pass.
      if (state === "passed" || state === "failed" || state === "skipped") counts[state] += 1;
      else counts.failed += 1;
    }
  }
  return counts;
}

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped } = countTests(modules, unhandledErrors.length);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
