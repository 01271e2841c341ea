/** `tenure lab` as a process: what it prints, its exit codes, and a build that is broken on purpose. */

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "../architecture/files.js";
import { complaintsAbout } from "../cli/schemas.js";
import { main, plainEnvironment } from "../cli/tenure.js";
import { type Outcome, runToEnd } from "../support/child.js";
import { startProgram } from "../support/program.js";
import { type BrokenBuild, breakBuild } from "./broken-build.js";

vi.setConfig({ testTimeout: 60_000, maxConcurrency: 2 });

const lab = (...args: string[]) => runToEnd(process.execPath, [main, "lab", ...args], root);

/** Each line an object, each valid by the schema it names. */
function objectsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  const found = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  for (const value of found) expect(complaintsAbout(value), JSON.stringify(value)).toEqual([]);
  return found;
}

describe("lab run", () => {
  const args = ["run", "--seeds", "6", "--seconds", "30"];

  test("ends with a table and OK", () => {
    const { code, stdout } = lab(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^profile +default\nseeds +6, from 1 on\nsimulated +0\.00 days; 30 s in each run, /,
    );
    expect(stdout).toMatch(/\nviolations +none\n/);
    expect(stdout).toContain("(floors are judged from 100 seeds of 120 s, or as much in shorter runs)");
    expect(stdout.trimEnd().endsWith("\nOK")).toBe(true);
  });

  test("with --json ends with one object, the same for any number of threads but for the processor's time", () => {
    const results = ["1", "3"].map((workers) => {
      const { code, stdout } = lab(...args, "--from", "11", "--workers", workers, "--json");
      expect(code).toBe(0);
      return objectsIn(stdout);
    });
    const [one = [], three = []] = results.map((lines) => lines.map(({ cpuSeconds: _, ...rest }) => rest));
    expect(three).toEqual(one);
    expect(one).toMatchObject([
      { schema: "tenure.lab-run/1", from: 11, seeds: 6, violations: 0, weak: [], interrupted: false },
    ]);
    expect(one[0]?.["power"]).toMatchObject({ terms: expect.any(Number) as number });
  });

  test("when it is interrupted, tells what was done until then, and ends with 130", async () => {
    const args = ["--minutes", "5", "--seconds", "60", "--profile", "calm", "--json"];
    const program = startProgram([main, "lab", "run", ...args], { env: plainEnvironment() });
    onTestFinished(() => void program.process.kill("SIGKILL"));
    // The first progress.
    await program.says("seeds/s");
    program.process.kill("SIGINT");
    const { code, stdout, stderr } = await program.ended;
    expect(code).toBe(130);
    const [, from = ""] = /seeds from (\d+) on/.exec(stderr) ?? [];
    const last = objectsIn(stdout).at(-1);
    expect(last).toMatchObject({ from: Number(from), violations: 0, interrupted: true });
    expect(last?.["seeds"]).toBeGreaterThan(0);
  });
});

describe("lab replay", () => {
  test("tells the same story each time", () => {
    const stories = [1, 2].map(() => lab("replay", "--seed", "5", "--seconds", "30").stdout);
    expect(stories[1]).toBe(stories[0]);
    expect(stories[0]).toMatch(/^Seed 5: every promise held\n/);
    expect(stories[0]).toContain("leads with token");
    expect(stories[0]?.trimEnd().endsWith("\nAgain: tenure lab replay --seed 5 --seconds 30")).toBe(true);
  });

  test("around an instant tells only what is near it", () => {
    const { code, stdout } = lab("replay", "--seed", "5", "--seconds", "30", "--around", "12000");
    expect(code).toBe(0);
    expect(stdout).toContain(" before this)");
    expect(stdout).toContain(" after this)");
    const times = [...stdout.matchAll(/^ *(\d+\.\d{3}) {2}/gm)].map(([, time]) => Number(time));
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(Math.abs(time - 12)).toBeLessThanOrEqual(5);
  });

  test("with --json prints one object", () => {
    const [found] = objectsIn(lab("replay", "--seed", "5", "--seconds", "30", "--json").stdout);
    expect(found).toMatchObject({ schema: "tenure.lab-replay/1", seed: 5, broken: [] });
    expect(found?.["faults"]).toContainEqual(expect.objectContaining({ atMs: expect.any(Number) as number }));
  });

  test("of what breaks nothing cuts nothing, and says so", () => {
    const { code, stderr } = lab("replay", "--seed", "5", "--seconds", "10", "--shrink");
    expect(code).toBe(0);
    expect(stderr).toContain("breaks no promise, so there is nothing to cut");
  });
});

describe("when the build is broken on purpose", () => {
  let build: BrokenBuild | undefined;
  const inBuild = (name: string) => join(build?.directory ?? "", name);
  const broken = (...args: string[]): Outcome =>
    runToEnd(process.execPath, [build?.main ?? "", "lab", ...args], build?.directory ?? "");
  const args = ["--seconds", "60"];

  beforeAll(() => {
    build = breakBuild();
  });
  afterAll(() => build?.remove());

  test("lab run ends with 123, names seeds and how each is seen again, and writes the page of the first", () => {
    const { code, stdout, stderr } = broken("run", "--seeds", "20", ...args, "--html", "first.html");
    expect(code).toBe(123);
    const [, seed = ""] = /\nVIOLATION {2}seed (\d+)\n/.exec(stdout) ?? [];
    expect(stdout).toContain(`\n  again: tenure lab replay --seed ${seed} --seconds 60\n`);
    expect(stdout.trimEnd().endsWith("\nFAIL: a promise is broken")).toBe(true);
    expect(stderr).toContain(`the page of seed ${seed} is first.html`);
    expect(readFileSync(inBuild("first.html"), "utf8")).toContain(`Seed ${seed}: a promise is broken`);
  });

  test("each violation is an object of its own, in the order of the seeds", () => {
    const { code, stdout } = broken("run", "--seeds", "20", ...args, "--json");
    expect(code).toBe(123);
    const lines = objectsIn(stdout);
    const violations = lines.slice(0, -1);
    expect(lines.at(-1)).toMatchObject({ schema: "tenure.lab-run/1", violations: violations.length });
    const seeds = violations.map(({ seed }) => Number(seed));
    expect(seeds.length).toBeGreaterThan(0);
    expect(seeds).toEqual(seeds.toSorted((a, b) => a - b));
  });

  test("lab replay ends with 123, cuts the faults, and saves a story that breaks the same again", () => {
    const [first] = objectsIn(broken("run", "--seeds", "20", ...args, "--json").stdout);
    const seed = String(first?.["seed"]);
    expect(broken("replay", "--seed", seed, ...args).code).toBe(123);
    const cut = broken(
      ...["replay", "--seed", seed, ...args, "--shrink", "--save", "cut.txt", "--html", "cut.html"],
    );
    expect(cut.code).toBe(123);
    expect(cut.stderr).toMatch(/\d+ faults cut to \d+ in \d+ tries/);
    expect(cut.stdout.trimEnd().endsWith("\nAgain: tenure lab story cut.txt")).toBe(true);
    expect(existsSync(inBuild("cut.html"))).toBe(true);
    const again = broken("story", "cut.txt");
    expect(again.code).toBe(123);
    expect(again.stdout).toContain("BROKEN");
    // What is repaired breaks nothing any more.
    expect(lab("story", inBuild("cut.txt")).code).toBe(0);
  });

  test("when power stays below a floor, lab run ends with 123 and says which", () => {
    const floors = inBuild("dist/lab/judge/floors.js");
    const [budget, text] = [inBuild("dist/lease/budget.js"), readFileSync(floors, "utf8")];
    writeFileSync(budget, readFileSync(join(root, "dist", "lease", "budget.js"), "utf8"));
    writeFileSync(floors, text.replaceAll("terms: 100", "terms: 1e6"));
    const found = broken("run", "--profile", "swarm", "--seeds", "200", "--seconds", "60");
    expect(found.code).toBe(123);
    expect(found.stdout).toMatch(/\nterms +[\d.]+ +500000\n/);
    expect(found.stdout).toMatch(/\nWEAK {2}terms: \d+ in 200 seeds, floor 500000 per hundred\n/);
    expect(found.stdout).toContain("\nFAIL: no promise is broken, but there was too little to break them");
  });
});

describe("lab story", () => {
  const file = "test/transcripts/naive-02-paused-boolean.txt";
  let directory = "";
  /** As it is told today. */
  let told = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "tenure-lab-story-"));
    told = join(directory, "told.txt");
    cpSync(join(root, file), told);
    expect(lab("story", told, "--update").code).toBe(0);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test("plays a story, and compares what is told with what stands below the dashes", () => {
    const { code, stdout } = lab("story", told);
    expect(code).toBe(0);
    const [, below = ""] = readFileSync(told, "utf8").split(/\n-{72}\n/);
    expect(below).toContain("leads with token");
    expect(stdout.trimEnd().endsWith(below.trimEnd())).toBe(true);
  });

  test("plays several, each an object with --json", () => {
    const found = objectsIn(lab("story", told, told, "--json").stdout);
    const each = { schema: "tenure.lab-story/1", file: told, broken: [], missed: [], asTold: true };
    expect(found).toMatchObject([each, each]);
  });

  test("when it is told in other words, ends with 123, and --update writes them anew", () => {
    const text = readFileSync(told, "utf8");
    const changed = join(directory, "changed.txt");
    writeFileSync(changed, text.replace("Every promise held.", "Nothing was promised."));
    const differs = expect.stringContaining("DIFFERS") as string;
    expect(lab("story", changed)).toMatchObject({ code: 123, stdout: differs });
    expect(lab("story", changed, "--update").code).toBe(0);
    expect(readFileSync(changed, "utf8")).toBe(text);
  });

  test("played with the naive elector ends with 123", () => {
    const { code, stdout } = lab("story", file, "--elector", "naive");
    expect(code).toBe(123);
    expect(stdout).toContain("BROKEN");
  });
});

describe("parts by others", () => {
  const args = ["--seeds", "8", "--seconds", "60"];

  test("the naive elector breaks promises, and the command that repeats one names it", () => {
    const { code, stdout } = lab("run", ...args, "--elector", "naive");
    expect(code).toBe(123);
    expect(stdout).toMatch(/^profile +default\nelector +naive\n/);
    const [, again = ""] =
      /again: tenure lab (replay --seed \d+ --seconds 60 --elector naive)\n/.exec(stdout) ?? [];
    const replayed = lab(...again.split(" "));
    expect(replayed.code).toBe(123);
    expect(replayed.stdout).toContain("BROKEN");
  });

  test.each(["elector", "store-module", "guard"])("the example of --%s breaks none", (option) => {
    const file = `examples/lab/${option.replace("-module", "")}.mjs`;
    expect(lab("run", ...args, `--${option}`, file)).toMatchObject({ code: 0 });
  });
});

describe.concurrent("wrong usage ends with 64, and names option, value and range", () => {
  test.each([
    [["rnu"], 'lab "rnu": one of run, replay, story, mutants; did you mean run?; see tenure lab --help'],
    [["run", "--seeds", "0"], '--seeds "0": a whole number from 1 to 10000000'],
    [["run", "--seeds", "1e3"], '--seeds "1e3": a whole number from 1'],
    [["run", "--from", "2147483648"], '--from "2147483648": a whole number from 1 to 2147483647'],
    [["run", "--from", "2147483647", "--seeds", "2"], "the last seed there is is 2147483647"],
    [["run", "--seconds", "90000"], '--seconds "90000": a whole number from 1 to 86400'],
    [["run", "--minutes", "0"], '--minutes "0": a whole number from 1 to 10080'],
    [["run", "--minutes", "1", "--seeds", "5"], "--minutes draws its seeds itself, so --seeds has no say"],
    [["run", "--minutes", "1", "--from", "5"], "so --from has no say"],
    [["run", "--workers", "300"], '--workers "300": a whole number from 1 to 256'],
    [["run", "--profile", "swram"], '--profile "swram": one of default, swarm, '],
    [["run", "--profile", "swram"], "did you mean swarm?"],
    [["run", "--expiry", "wall"], '--expiry "wall": one of observed, store-clock'],
    [["run", "--algorithm", "raft"], '--algorithm "raft": one of lease'],
    [["run", "--html", "no/such/folder/x.html"], '--html "no/such/folder/x.html": nothing can be written to'],
    [["run", "--html", "."], '--html ".": this is a directory; name a file'],
    [["run", "17"], 'unexpected argument "17"'],
    [["replay"], "lab replay needs --seed N"],
    [["replay", "--seed", "1", "--json", "--around", "5"], "--json prints no story, so --around has no say"],
    [["replay", "x.json"], 'unexpected argument "x.json"'],
    [["replay", "--seed", "1", "--save", "no/such/folder/x"], '--save "no/such/folder/x": nothing can be'],
    [["run", "--elector", "nowhere.mjs"], "--elector nowhere.mjs: cannot be found"],
    [["run", "--guard", "examples/lab/store.mjs"], "no function createGuard is exported"],
    [["run", "--elector", "naive", "--expiry", "observed"], "so --expiry has no say"],
    [["run", "--elector", "naive", "--profile", "drift"], "--profile is default or calm, not drift"],
    [
      ["run", "--guard", "examples/lab/guard.mjs", "--profile", "drift"],
      "--guard alone is tried with electors",
    ],
    [["story"], "lab story needs FILE…"],
    [["story", "nowhere.txt"], '"nowhere.txt": ENOENT'],
    [["story", "package.json"], '"package.json": '],
    [["story", "a.txt", "b.txt", "--html", "x.html"], "--html shows one story: name one FILE"],
    [["story", "a.txt", "--update", "--elector", "naive"], "--update writes what ours is told like"],
    [[], "Usage: tenure lab <verb>"],
  ])("%j", async (args, said) => {
    const started = startProgram([main, "lab", ...args], { cwd: root, env: plainEnvironment() });
    const { code, stdout, stderr } = await started.ended;
    expect(stdout + stderr).toContain(said);
    expect(code).toBe(64);
  });
});
