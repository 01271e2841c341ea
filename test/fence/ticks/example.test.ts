/** The judge of examples/cron sees what it has to see. That marks make it content is case B34-processes. */

import { expect, it } from "vitest";
import { runShow } from "./show.js";

it("when replicas rely on being elected alone, ticks run more than once, and the program says so", async () => {
  const { code, found } = await runShow("--ticks", "20", "--without-marks");
  expect({ code, ...found }).toMatchObject({ code: 1, ticks: 20, never: 0 });
  expect(found.moreThanOnce).toBeGreaterThan(0);
});
