/**
 * All tests, as `npm test` runs them: those that need no real time run two files at once, and then the others one by one.
 *
 * What waits for real clocks, processes and servers is judged by how long it takes, so nothing runs beside it.
 */
import { defineConfig } from "vitest/config";
import config, { shared } from "./vitest.config.js";

const untimed = [
  "test/{architecture,audit,base,docs,errors,lease,packaging,testing,testkit,types}/**/*.test.ts",
  "test/lab/{advisory,corpus-*,determinism,disk*,guarding,naive-elector,page*,parts-*,replay,stories,story*,transcript}.test.ts",
];

export default defineConfig({
  test: {
    ...config.test,
    projects: [
      {
        test: {
          ...shared,
          name: "untimed",
          include: untimed,
          exclude: [...shared.exclude],
          // Where processors are few, each file has half of one.
          testTimeout: 2 * shared.testTimeout,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: "timed",
          include: [...shared.include],
          exclude: [...shared.exclude, ...untimed],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
