/** How far a series is: a line now and then, or one that is drawn over itself. */

import { expect, test } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { Progress } from "../../src/cli/lab/progress.js";
import { Tally } from "../../src/cli/lab/tally.js";
import type { Terminal } from "../../src/cli/terminal.js";

async function said(onTerminal: boolean) {
  const lines: string[] = [];
  const drawn: string[] = [];
  const terminal: Terminal = {
    environment: {},
    directory: ".",
    out: () => {},
    err: (text) => void lines.push(text),
    redraw: onTerminal ? (line) => void drawn.push(line) : undefined,
    interrupted: new AbortController().signal,
  };
  const world = createVirtualWorld();
  const tally = new Tally();
  const progress = new Progress(
    { tally, seedCount: 20, clock: world.createClock(), cpuSeconds: () => 2 },
    terminal,
  );
  const report = { broken: [], admitted: [], faultCount: 5, simulatedMs: 43_200_000, stuck: false };
  tally.add({ ...report, seed: 1, counts: { "fault-stop": 2, "fault-cut": 3, terms: 4 } });
  tally.add({ ...report, seed: 2, counts: { "fault-stop": 4 }, broken: ["I2: two"] });
  await world.advance(10_000);
  progress.end();
  await world.advance(10_000);
  return { lines, drawn };
}

const tail = "seeds/s; 1.00 simulated days, 0.5000 per CPU second; 1 violation; faults: stop 6, cut 3";

test("where no terminal shows it, a line comes every 5 s until the end", async () => {
  const { lines, drawn } = await said(false);
  expect(lines).toEqual([`tenure: 2 of 20 seeds; 0.4 ${tail}`, `tenure: 2 of 20 seeds; 0.2 ${tail}`]);
  expect(drawn).toEqual([]);
});

test("on a terminal one line is drawn over itself twice a second, and is gone at the end", async () => {
  const { lines, drawn } = await said(true);
  expect(lines).toEqual([]);
  expect(drawn.length).toBe(21);
  expect(drawn[19]).toBe(`2 of 20 seeds; 0.2 ${tail}`);
  expect(drawn[20]).toBe("");
});
