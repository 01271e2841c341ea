/** The cases in processes of their own, of the built package and of the built command: in real time, two at once. */

import { describe, vi } from "vitest";
import { casesOf, declareCases } from "./declare.js";

// They sleep most of the time; more of them at once would want the processors that their timing rests on.
vi.setConfig({ maxConcurrency: 2 });

const cases = [...(await casesOf("processes")), ...(await casesOf("command"))];

describe("in processes", () => {
  declareCases(cases, { together: true });
});
