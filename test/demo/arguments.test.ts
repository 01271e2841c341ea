import { expect, test } from "vitest";
import { parseArguments } from "../../src/cli/demo/arguments.js";

test("without options it runs five rounds, for people, and leaves nothing", () => {
  const defaults = { rounds: 5, keep: false, json: false };
  expect(parseArguments([])).toEqual({ kind: "run", arguments: defaults });
});

test("options are taken", () => {
  expect(parseArguments(["--rounds", "12", "--keep", "--json"])).toEqual({
    kind: "run",
    arguments: { rounds: 12, keep: true, json: true },
  });
  expect(parseArguments(["--help"])).toEqual({ kind: "help" });
});

test.each([
  [["--round", "1"], /--round/],
  [["--rounds"], /rounds/],
  [["--rounds", "0"], /--rounds "0": a whole number from 1 to 100/],
  [["--rounds", "1.5"], /whole number/],
  [["--rounds", "101"], /whole number/],
  [["alpha"], /alpha/],
])("%j is wrong usage, and the message names it", (args, message) => {
  const parsed = parseArguments(args);
  expect(parsed.kind).toBe("usage");
  expect(parsed.kind === "usage" && parsed.message).toMatch(message);
});
