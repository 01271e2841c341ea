/** The core alone: inputs in, effects out, for what is hard to time from outside. */

import { describe, expect, it } from "vitest";
import type { Effect, Now } from "../../src/lease/core-types.js";
import { LeaseCore } from "../../src/lease/core.js";
import { plainConfig, shown } from "../support/core-play.js";
import { countingChance } from "../support/virtual.js";

const at = (ms: number): Now => ({ upper: ms, lower: ms, wall: 1_000_000 + ms });

function candidate(): LeaseCore {
  const core = new LeaseCore(plainConfig, countingChance("core"), at(0));
  core.step({ type: "stand", stand: "patient", drainMs: 1_000, backOff: false }, at(0));
  return core;
}

const reads = (effects: readonly Effect[]) => effects.filter(({ type }) => type === "read").length;

describe("the core", () => {
  it("when a hint comes while a read is under way, the next read follows its answer at once", () => {
    const core = candidate();
    const reading = core.state.reading ?? 0;
    core.step({ type: "wake" }, at(1));
    const effects = core.step(
      { type: "answer", call: reading, answer: { kind: "read", stored: shown({ seq: 3 }) } },
      at(2),
    );
    expect(reads(effects)).toBe(1);
  });

  it("when no hint came, the next read waits for its turn", () => {
    const core = candidate();
    const reading = core.state.reading ?? 0;
    const effects = core.step(
      { type: "answer", call: reading, answer: { kind: "read", stored: shown({ seq: 3 }) } },
      at(2),
    );
    expect(reads(effects)).toBe(0);
    expect(core.nextTick().lower).toBeGreaterThan(100);
  });

  it("when given the same inputs and chance, it does the same", () => {
    const run = () => {
      const core = candidate();
      const story: Effect[] = [];
      for (let ms = 0; ms < 40_000; ms += 500) {
        const { reading, race } = core.state;
        if (reading !== undefined) {
          const stored = shown({ seq: 1 });
          story.push(
            ...core.step({ type: "answer", call: reading, answer: { kind: "read", stored } }, at(ms)),
          );
        }
        if (race?.writing !== undefined) {
          const { call } = race.writing;
          story.push(
            ...core.step(
              { type: "answer", call, answer: { kind: "conflict", current: shown({ seq: 2 }) } },
              at(ms),
            ),
          );
        }
        story.push(...core.step({ type: "tick" }, at(ms)));
      }
      return JSON.stringify(story);
    };
    expect(run()).toBe(run());
    expect(run()).toContain('"type":"write"');
  });
});
