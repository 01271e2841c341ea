/** Help and usage errors, as people see them. The pages are reviewed as diffs of test/cli/help. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../architecture/files.js";
import { manifest } from "../architecture/manifest.js";
import { runToEnd } from "../support/child.js";
import { main } from "./tenure.js";

const tenure = (...args: string[]) => runToEnd(process.execPath, [main, ...args], root);
const verbs = ["run", "status", "watch", "resign", "transfer", "config", "demo"];

describe("help", () => {
  test("shows the everyday verbs first, and the exit codes", async () => {
    const { code, stdout } = tenure("--help");
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(join(root, "test", "cli", "help", "tenure.txt"));
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    expect(listed.slice(0, verbs.length)).toEqual(verbs);
  });

  test.each(verbs)("of %s", async (verb) => {
    const { code, stdout, stderr } = tenure(verb, "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await expect(stdout).toMatchFileSnapshot(join(root, "test", "cli", "help", `${verb}.txt`));
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  const fence = ["fence", ...["status", "verify", "adopt", "reset", "schema"].map((verb) => `fence ${verb}`)];

  test.each([...fence, "lab run", "lab replay", "lab story", "lab mutants", "lab"])(
    "of what has two words, or is the first of them: %s",
    async (words) => {
      const { code, stdout, stderr } = tenure(...words.split(" "), "--help");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const file = `${words.replace(" ", "-")}.txt`;
      await expect(stdout).toMatchFileSnapshot(join(root, "test", "cli", "help", file));
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
    },
  );

  test("asked for behind -- is the command's own", () => {
    expect(tenure("run", "x", "--store", "redis:", "--", "cmd", "--help").code).toBe(64);
  });
});

test("--version is the package's", () => {
  expect(tenure("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("the command is what package.json installs, and starts by itself", () => {
  expect(manifest.bin).toEqual({ tenure: "dist/cli/main.js" });
  expect(readFileSync(main, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});

describe("wrong usage ends with 64, says what, and guesses", () => {
  test.each([
    [["stats", "x"], 'unknown verb "stats"; did you mean status?'],
    [["--verison"], 'unknown option "--verison"'],
    [["status"], "status needs NAME"],
    [["fence", "status"], "fence status needs GUARD"],
    [
      ["fence", "status", "etcd://x"],
      "this release has file:PATH, sqlite:PATH, postgres://HOST/DATABASE, mysql://HOST/DATABASE, redis://HOST",
    ],
    [["fence", "status", "postgres:secret@x"], 'guard "postgres:***@x": write postgres://USER@HOST'],
    [["fence", "verify", "file://host/x"], "it has no host; write file:PATH"],
    [["fence", "verify", "file:x", "--tables", "fence"], '--tables "fence": write table=name'],
    [["fence", "schema", "oracle"], 'database "oracle": one of postgres, mysql, sqlite'],
    [["fence", "schema", "sqlite", "--tables", "fence=a b"], "tables.fence must be"],
    [["fence", "schema", "sqlite", "--tables", "fense=a"], 'unknown option "fense"'],
    [["fence", "adopt", "file:x", "--resource", "r"], "fence adopt needs --lineage"],
    [["fence", "reset", "file:x"], "needs one of --watermark TOKEN and --forget"],
    [["fence", "reset", "file:x", "--forget", "--resource", "r"], "fence reset needs --election"],
    [["status", "x", "y"], 'unexpected argument "y"'],
    [["status", "x", "--", "y"], "runs no command"],
    [["status", "x", "--jsno"], "unknown option --jsno; did you mean --json?"],
    [["status", "x", "--json=1"], "--json takes no value"],
    [["status", "x", "--store"], "--store needs a value: --store URL"],
    [["status", "x", "--store", "--json"], "--store needs a value"],
    [["status", "x", "--json", "--json"], "--json is given twice"],
    [["status", "x", "--store", "./dir"], "did you mean file:./dir?"],
    [["status", "x", "--store", "file://host/dir"], "a file store has no host"],
    [["status", "x", "--store", "file:dir?ttl=3s"], "?maxTtl=DURATION"],
    [
      ["transfer", "x", "--store", "file:d", "--timeout", "soon"],
      '--timeout "soon": a duration with its unit',
    ],
    [["demo", "--rounds", "0"], '--rounds "0": a whole number from 1 to 100'],
    [["demo", "--store", "file:x"], "the demo takes redis://HOST:PORT"],
    [["demo", "--store", "redis://x?maxTtl=2s"], "the demo sets maxTtl itself"],
    [[], "Usage: tenure <verb>"],
  ])("%j", (args, said) => {
    const { code, stdout, stderr } = tenure(...args);
    expect(code).toBe(64);
    expect(stdout + stderr).toContain(said);
  });
});
