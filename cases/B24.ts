import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB24 = defineCase({
  id: "B24",
  fault: "the identity of one candidate is the beginning of another one's, and names differ by a hair",
  mustHold: "identities and names are compared whole",
  injected:
    "instance a-1 stands against the holder a-1-1; ten names that look alike, each with a leader of its own",
  mutants: ["01-identity-by-prefix"],
  faultCount: 11,
  async run(stage) {
    // The chance of a stage counts: the first identity of node "a" is "a-1", that of "a-1" is "a-1-1".
    const warned: string[] = [];
    const warn = (_: object, message: string) => void warned.push(message);
    const logger = { debug() {}, info() {}, error() {}, warn };
    const [holder, other] = [stage.candidate("a-1"), stage.candidate("a", { logger })];
    await stage.lead(holder);
    stage.stand(other);
    await stage.world.advance(60_000);
    expect(holder.wire.writes[0]?.instance.startsWith(holder.node)).toBe(true);
    stage.fault();
    expect(stage.leaders()).toEqual([holder.node]);
    expect(terms(other)).toEqual([]);
    expect(warned).toEqual([]);
    const names = ["a", "A", "a ", "a-1", "a-10", "a_1", "a:1", "\u00e9", "e\u0301", "a".repeat(300)];
    for (const name of names) {
      await stage.lead(stage.candidate(`of ${name.slice(0, 20)}`, { name }));
      stage.fault();
    }
    expect(stage.leaders()).toHaveLength(1 + names.length);
  },
});
