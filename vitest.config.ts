/** One Node project, no retries: a test that passes the second time is a test that failed. */
import { defineConfig } from "vitest/config";

/** Of every test, in whatever project it runs. */
export const shared = {
  environment: "node",
  include: ["test/**/*.test.ts", "src/**/*.test.ts"],
  exclude: ["**/node_modules/**", "dist/**", "temp/**"],
  retry: 0,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

export default defineConfig({
  test: {
    ...shared,
    include: [...shared.include],
    exclude: [...shared.exclude],
    passWithNoTests: false,
    allowOnly: false,
    reporters: ["default", "./test/support/summary-reporter.ts"],
  },
});
