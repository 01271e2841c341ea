import { describe, expect, test } from "vitest";
import { help, parseArguments } from "../../torture/arguments.mjs";
import { workloadNames } from "../../torture/workloads.mjs";

const draw = () => 0.5;

describe("the torture's command line", () => {
  test("when only the workload is named, it is fenced, two minutes, five clients, and a seed is drawn", () => {
    expect(parseArguments(["set"], draw)).toEqual({
      kind: "run",
      arguments: {
        workload: "set",
        form: "fenced",
        store: undefined,
        seconds: 120,
        ttlMs: 2_000,
        clients: 5,
        seed: 500_000,
        calm: false,
        keep: false,
        json: false,
      },
    });
  });

  test("when everything is named, everything is taken", () => {
    const args =
      "set --unfenced --store file:x --seconds 15 --ttl 1500ms --clients 3 --seed 7 --calm --keep --json";
    expect(parseArguments(args.split(" "), draw)).toHaveProperty("arguments", {
      workload: "set",
      form: "unfenced",
      store: "file:x",
      seconds: 15,
      ttlMs: 1_500,
      clients: 3,
      seed: 7,
      calm: true,
      keep: true,
      json: true,
    });
  });

  test.each([
    ["", /name a workload: set/],
    ["map", /"map" is no workload; there is: set, .*, http, rabbitmq/],
    ["set set", /one workload at a time/],
    ["set --fenced --unfenced", /one of the two/],
    ["set --seconds 4", /--seconds "4": a whole number from 5 to 3600/],
    ["set --seconds 1e2", /--seconds "1e2"/],
    ["set --clients 2", /--clients "2": a whole number from 3 to 9/],
    ["set --seed 0", /--seed "0"/],
    ["set --ttl 2", /--ttl "2": a duration .* did you mean 2s\?/],
    ["set --ttl 10ms", /--ttl "10ms": .* from 1s to 1m/],
    ["set --store memory:", /memory: ends with the process/],
    ["set --speed", /--speed/],
  ])("%j is wrong usage, and the message names it", (args, message) => {
    const parsed = parseArguments(args.split(" ").filter(Boolean), draw);
    expect(parsed.kind).toBe("usage");
    expect(parsed.kind === "usage" && parsed.message).toMatch(message);
  });

  test("when help is asked for, it names every workload and every option", () => {
    expect(parseArguments(["--help"], draw)).toEqual({ kind: "help" });
    for (const workload of workloadNames) expect(help).toContain(`\n  ${workload} `);
    for (const option of ["fenced", "unfenced", "store", "seconds", "ttl", "clients", "seed", "calm", "json"])
      expect(help).toContain(`--${option} `);
  });
});
