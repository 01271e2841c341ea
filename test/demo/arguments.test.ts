import { expect, test } from "vitest";
import { parseArguments } from "../../src/cli/demo/arguments.js";

test("without options it runs our elector for four rounds, for people, and leaves nothing", () => {
  const defaults = { elector: "tenure", rounds: 4, keep: false, json: false, store: undefined };
  expect(parseArguments([])).toEqual({ kind: "run", arguments: defaults });
});

test("--unsafe runs the naive elector, for two rounds unless it is told otherwise", () => {
  const naive = { elector: "naive", rounds: 2, keep: false, json: false, store: undefined };
  expect(parseArguments(["--unsafe"])).toEqual({ kind: "run", arguments: naive });
  const once = { ...naive, rounds: 1 };
  expect(parseArguments(["--unsafe", "--rounds", "1"])).toEqual({ kind: "run", arguments: once });
});

test("options are taken", () => {
  expect(parseArguments(["--rounds", "12", "--keep", "--json"])).toEqual({
    kind: "run",
    arguments: { elector: "tenure", rounds: 12, keep: true, json: true, store: undefined },
  });
  const parsed = parseArguments(["--store", "redis://:secret@host/2?prefix=app"]);
  expect(parsed).toMatchObject({
    kind: "run",
    arguments: {
      store: { url: "redis://:secret@host/2", prefix: "app", shown: "redis://:***@host/2?prefix=app" },
    },
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
  [["--store", "file:x"], /the demo takes redis:\/\/HOST:PORT/],
  [["--store", "redis://host?maxTtl=3s"], /the demo sets maxTtl itself/],
  [["--store", "http://host"], /this release has/],
])("%j is wrong usage, and the message names it", (args, message) => {
  const parsed = parseArguments(args);
  expect(parsed.kind).toBe("usage");
  expect(parsed.kind === "usage" && parsed.message).toMatch(message);
});
