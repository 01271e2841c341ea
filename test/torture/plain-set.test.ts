/** The unfenced form has to be fair: its file is whole at every moment, so that only late writes lose elements. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPlainSet, writePlainSet } from "../../torture/set/file.mjs";

test("when it is replaced and read at once, every reading is one whole set that was written", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tenure-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const sets = Array.from({ length: 60 }, (_, size) => Array.from({ length: size * 50 }, () => `c-${size}`));
  await writePlainSet(directory, []);
  let writing = true;
  const readings: number[] = [];
  const read = async () => {
    while (writing) {
      const set = await readPlainSet(directory);
      expect(new Set(set).size).toBeLessThan(2);
      expect(set).toHaveLength(50 * Number((set[0] ?? "c-0").slice(2)));
      readings.push(set.length);
    }
  };
  const readers = [read(), read(), read()];
  for (const set of sets) await Promise.all([writePlainSet(directory, set), writePlainSet(directory, set)]);
  writing = false;
  await Promise.all(readers);
  expect(new Set(readings).size).toBeGreaterThan(10);
});
