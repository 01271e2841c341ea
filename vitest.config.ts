/** One Node project, no retries: a test that passes the second time is a test that failed. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**", "temp/**"],
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false,
    reporters: ["default", "./test/support/summary-reporter.ts"],
  },
});
