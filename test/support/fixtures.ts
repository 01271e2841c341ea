/** What an earlier release wrote, kept as JSON beside the tests that read it. */

import { readFileSync } from "node:fs";

/** `url`: of the file, an array. */
export function fixturesIn<F>(url: URL): readonly F[] {
  return JSON.parse(readFileSync(url, "utf8")) as readonly F[];
}
