import { expect } from "vitest";
import { simulatedFileStore } from "./support/file-store.js";
import { defineCase } from "./support/case.js";

const names = [
  "Router-A",
  "a:b",
  "a/b",
  "名前",
  'he said "hi"',
  "{tag}",
  "..",
  "a b",
  "router-a",
  "a b ",
  "A b",
  "trailing.",
  "n".repeat(300),
  `${"n".repeat(299)}m`,
];

export const caseB43 = defineCase({
  id: "B43",
  fault: "the name of an election is not a valid name for the store",
  mustHold:
    "each name has a key of its own and elects a leader of its own; what no store could tell apart is refused at construction, and nothing is retried for ever",
  injected: "fourteen odd names on memory and file, and three that are no names",
  mutants: ["names-case-ignored", "names-cut"],
  faultCount: 31,
  async run(stage) {
    for (const store of [stage.store, simulatedFileStore()]) {
      for (const [index, name] of names.entries()) {
        const leader = stage.candidate(`${store.kind} ${index}`, { name, store, namespace: store.kind });
        const leadership = await stage.lead(leader, 5_000);
        expect(leadership.election).toBe(name);
        expect(leader.wire.writes.length).toBeLessThanOrEqual(2);
        stage.fault();
      }
    }
    await stage.world.advance(20_000);
    expect(stage.leaders()).toHaveLength(2 * names.length);
    for (const name of ["", "half a pair \ud800", "n".repeat(1_025)]) {
      expect(() => stage.candidate("nobody", { name })).toThrow(/name must be/);
      stage.fault();
    }
  },
});
