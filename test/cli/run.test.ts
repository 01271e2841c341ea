/** `tenure run` on real processes: exit codes, signals, and what is left afterwards. */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { RunReport } from "../../src/cli/run/report.js";
import { createPlace, type Place } from "./tenure.js";
import type { Program } from "../support/program.js";

const limitMs = 60_000;
vi.setConfig({ testTimeout: limitMs });
const ttl = ["--ttl", "2s"];

function report(place: Place, file = "report.json"): RunReport {
  return JSON.parse(readFileSync(join(place.directory, file), "utf8")) as RunReport;
}

function run(place: Place, options: readonly string[], ...command: string[]): Program {
  const common = ["--store", place.store, ...ttl, "--report", "report.json"];
  return place.start(["run", place.name, ...common, ...options, "--", ...command]);
}

async function nothingLeft(place: Place): Promise<void> {
  await vi.waitUntil(() => place.alive().length === 0, limitMs);
}

async function beating(place: Place, label: string): Promise<void> {
  const began = () => place.beats().filter((beat) => beat.label === label && beat.what === "began");
  await vi.waitUntil(() => began().length >= 2, limitMs);
}

describe("the exit code of a command that ends by itself", () => {
  test.each([
    ["0", ["true"], 0, null],
    ["its own", ["sh", "-c", "exit 7"], 7, null],
    ["its own, also one of ours", ["sh", "-c", "exit 121"], 121, null],
    ["128 + n when signal n ended it", ["sh", "-c", "kill -9 $$"], 137, "SIGKILL"],
  ])("is %s", async (_title, command, code, signal) => {
    const place = createPlace();
    const ended = await run(place, [], ...command).ended;
    expect(ended).toMatchObject({ code, signal: null, stdout: "" });
    expect(report(place)).toMatchObject({ outcome: "exited", exitCode: code, signal, released: "released" });
    expect((await place.record())?.state).toBe("released");
    await nothingLeft(place);
  });
});

describe("the exit code when there is no such end", () => {
  test.each([
    ["127: not found", ["no-such-command-anywhere"], 127, "not found"],
    ["126: not executable", ["./plain"], 126, "cannot be executed"],
  ])("%s", async (_title, command, code, said) => {
    const place = createPlace();
    writeFileSync(join(place.directory, "plain"), "no program\n", { mode: 0o644 });
    const ended = await run(place, [], ...command).ended;
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(said);
    expect(report(place)).toMatchObject({ outcome: "not-started", exitCode: code });
    await nothingLeft(place);
  });

  test.each([
    ["at once with --wait 0", "0", 1_500],
    ["after the wait", "1s", 3_000],
  ])("121 when another leads, %s", async (_title, wait, withinMs) => {
    const place = createPlace();
    const holder = place.beat("holder", ttl);
    await holder.says("leads");
    const startedAt = performance.now();
    const ended = await run(place, ["--wait", wait, "--once"], "true").ended;
    expect(ended.code).toBe(121);
    expect(ended.atMs - startedAt).toBeLessThan(withinMs + 2_000);
    expect(report(place)).toMatchObject({ outcome: "not-acquired", terms: 0, token: null });
  });

  test("121 is no answer where nobody leads: with --wait 0 the command runs", async () => {
    const place = createPlace();
    expect((await run(place, ["--wait", "0"], "sh", "-c", "exit 3").ended).code).toBe(3);
  });

  test("122 when the store refuses for good, and when it never answered", async () => {
    const place = createPlace();
    mkdirSync(join(place.directory, "store"));
    writeFileSync(join(place.directory, "store", "marker.json"), "{}");
    const ended = await run(place, ["--wait", "1s"], "true").ended;
    expect(ended.code).toBe(122);
    expect(ended.stderr).toContain("STORE_MISMATCH");
    expect(report(place)).toMatchObject({
      outcome: "store-unreachable",
      exitCode: 122,
      node: null,
      terms: 0,
    });
    const other = createPlace();
    const key = `default_${other.name}`;
    mkdirSync(join(other.directory, "store"));
    // Where the record's directory should be, something else is: no read succeeds.
    writeFileSync(join(other.directory, "store", key), "");
    expect((await run(other, ["--wait", "1s"], "true").ended).code).toBe(122);
    expect(report(other)).toMatchObject({ outcome: "store-unreachable", terms: 0 });
    const file = join(place.directory, "file");
    writeFileSync(file, "");
    const silent = place.start([
      "run",
      place.name,
      "--store",
      `file:${file}/x`,
      "--wait",
      "1s",
      "--",
      "true",
    ]);
    expect((await silent.ended).code).toBe(122);
  });

  test.each([
    [["run"], "needs NAME"],
    [["run", "x"], "needs a command"],
    [["run", "x", "--", "true"], "Name one in one of three ways"],
    [["run", "x", "--store", "file:s", "true"], "behind --"],
    [
      ["run", "x", "--store", "etcd://:secret@host", "--", "true"],
      "file:PATH, redis://HOST:PORT and memory:",
    ],
    [["run", "x", "redis://:secret@host", "--", "true"], "behind --"],
    [["run", "x", "--store", "file:s", "--ttl", "3", "--", "true"], "did you mean 3s?"],
    [["run", "x", "--store", "file:s", "--ttl", "90h", "--", "true"], "from 1s to 24h"],
    [["run", "x", "--store", "file:s", "--drian", "3s", "--", "true"], "did you mean --drain?"],
    [["run", "x", "--store", "file:s", "--report", "no/such/dir/r", "--", "true"], "--report"],
  ])("64: tenure %j", async (args, said) => {
    const { code, stderr, stdout } = await createPlace().start(args).ended;
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("secret");
  });

  test("64 for a ttl that the store was not made for", async () => {
    const place = createPlace();
    const args = (ttl: string) => ["run", place.name, "--store", place.store, "--ttl", ttl, "--", "true"];
    expect((await place.start(args("20s")).ended).code).toBe(0);
    expect((await place.start(args("20s")).ended).code).toBe(0);
    const { code, stderr } = await place.start(args("1m")).ended;
    expect(code).toBe(64);
    expect(stderr).toContain("for at most 20s");
  });

  test("125 when the guardian cannot be started: the command is not either", async () => {
    const place = createPlace();
    // A module that is loaded first ends every Node process but ours, as a broken installation would.
    const file = join(place.directory, "break.cjs");
    writeFileSync(file, 'if (process.argv[1]?.includes("guardian")) process.exit(1);');
    const args = ["run", place.name, "--store", place.store, "--", "touch", "ran"];
    const { code, stderr } = await place.start(args, { NODE_OPTIONS: `--require ${file}` }).ended;
    expect(code, stderr).toBe(125);
    expect(existsSync(join(place.directory, "ran"))).toBe(false);
    await nothingLeft(place);
  });

  test("64 in Kubernetes with a store of one host, unless --local says so", async () => {
    const place = createPlace();
    const args = (local: readonly string[]) => [
      "run",
      place.name,
      "--store",
      place.store,
      ...local,
      "--",
      "true",
    ];
    const inside = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };
    const refused = await place.start(args([]), inside).ended;
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain("--local");
    expect((await place.start(args(["--local"]), inside).ended).code).toBe(0);
  });
});

describe("what the command gets", () => {
  test("its streams untouched, the three variables, and no configuration from them", async () => {
    const place = createPlace();
    const outer = { TENURE_NODE: "outside", TENURE_FENCING_TOKEN: "1", TENURE_STORE: place.store };
    const script = 'cat; echo "$TENURE_ELECTION $TENURE_NODE $TENURE_FENCING_TOKEN"; echo err >&2';
    const running = place.start(
      ["run", place.name, ...ttl, "--report", "report.json", "--", "sh", "-c", script],
      outer,
    );
    running.process.stdin?.end("from outside\n");
    const { code, stdout, stderr } = await running.ended;
    const { node, token } = report(place);
    expect(code).toBe(0);
    expect(node).not.toBe("outside");
    expect(stdout).toBe(`from outside\n${place.name} ${node} ${token}\n`);
    expect(stderr.split("\n")).toContain("err");
    expect(stderr.match(/this host only/g)).toHaveLength(1);
  });

  test("no heir: what it left running in its group is ended before the lease is given up", async () => {
    const place = createPlace();
    // It ends when its heir is at work and deaf to SIGTERM.
    const heir = `trap "" TERM; while :; do echo "heir 1 0 beat" >> beats; sleep 0.05; done`;
    const command = `sh -c '${heir}' & until [ -s beats ]; do sleep 0.01; done; exit 5`;
    const ended = await run(place, ["--drain", "1s"], "sh", "-c", command).ended;
    expect(ended.code).toBe(5);
    expect(report(place)).toMatchObject({ outcome: "exited", released: "released" });
    expect(place.beats().length).toBeGreaterThan(1);
    await nothingLeft(place);
  });
});

describe("signals", () => {
  test("SIGTERM is passed on, and the lease is released in well under a second", async () => {
    const place = createPlace();
    const running = place.beat("one", [...ttl, "--report", "report.json"]);
    await beating(place, "one");
    const sentAt = performance.now();
    running.process.kill("SIGTERM");
    const { code, atMs } = await running.ended;
    expect(code).toBe(0);
    expect(atMs - sentAt).toBeLessThan(1_000);
    expect((await place.record())?.state).toBe("released");
    expect(report(place)).toMatchObject({ outcome: "signalled", endReason: "stopped", released: "released" });
    expect(place.beats().some(({ what }) => what === "SIGTERM")).toBe(true);
    await nothingLeft(place);
  });

  test("a command that ignores it is killed after the drain, and the lease released", async () => {
    const place = createPlace();
    const running = place.beat(
      "one",
      ["--ttl", "1s", "--drain", "3s", "--report", "report.json"],
      "stubborn",
    );
    await beating(place, "one");
    const sentAt = performance.now();
    running.process.kill("SIGTERM");
    const { code, atMs } = await running.ended;
    // Longer than a ttl: the lease is renewed while the command drains.
    expect(atMs - sentAt).toBeGreaterThan(2_900);
    expect(code).toBe(137);
    expect(report(place)).toMatchObject({ outcome: "signalled", signal: "SIGKILL", released: "released" });
    await nothingLeft(place);
  });

  test("a second one ends it at once", async () => {
    const place = createPlace();
    const running = place.beat("one", [...ttl, "--drain", "30s"], "stubborn");
    await beating(place, "one");
    running.process.kill("SIGTERM");
    await vi.waitUntil(() => place.beats().some(({ what }) => what === "SIGTERM"), limitMs);
    const sentAt = performance.now();
    running.process.kill("SIGINT");
    const { code, atMs } = await running.ended;
    expect(code).toBe(137);
    expect(atMs - sentAt).toBeLessThan(1_500);
    expect((await place.record())?.state).toBe("released");
    await nothingLeft(place);
  });

  test("SIGUSR1 is passed on and ends nothing; a candidate that follows ends with 128 + n", async () => {
    const place = createPlace();
    const running = place.beat("one", ttl);
    await beating(place, "one");
    running.process.kill("SIGUSR1");
    await vi.waitUntil(() => place.beats().some(({ what }) => what === "SIGUSR1"), limitMs);
    const follower = place.beat("two", ttl);
    await follower.says("lease of");
    await place.renewals(2);
    follower.process.kill("SIGINT");
    expect((await follower.ended).code).toBe(130);
    running.process.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
    await nothingLeft(place);
  });
});

describe("losses", () => {
  test("when tenure is killed, the command is told to end at once, long before the deadline", async () => {
    const place = createPlace();
    const running = place.beat("one", ["--ttl", "15s"]);
    await beating(place, "one");
    const killedAt = process.hrtime.bigint();
    running.process.kill("SIGKILL");
    await nothingLeft(place);
    expect(Number(process.hrtime.bigint() - killedAt) / 1e6).toBeLessThan(3_000);
    expect(place.beats().some(({ what }) => what === "SIGTERM")).toBe(true);
  });

  test("when its guardian is killed, the command dies at once, and the candidate stands and starts it again", async () => {
    const place = createPlace();
    const running = place.beat("one", ttl, "stubborn");
    await beating(place, "one");
    const before = new Set(place.beats().map(({ pid }) => pid));
    const killedAt = process.hrtime.bigint();
    for (const pid of place.guardians()) process.kill(pid, "SIGKILL");
    await running.says("the guardian is gone");
    await vi.waitUntil(() => place.beats().some(({ pid }) => !before.has(pid)), limitMs);
    const last = place.beats().findLast(({ pid }) => before.has(pid));
    expect(Number((last?.at ?? 0n) - killedAt) / 1e6).toBeLessThan(1_000);
    running.process.kill("SIGTERM");
    running.process.kill("SIGINT");
    await running.ended;
    await nothingLeft(place);
  });

  test("when the guardian is frozen and leadership is lost, tenure kills the command itself: --once ends with 120", async () => {
    const place = createPlace();
    const running = place.beat("one", [...ttl, "--once", "--report", "report.json"], "stubborn");
    await beating(place, "one");
    for (const pid of place.guardians()) process.kill(pid, "SIGSTOP");
    rmSync(join(place.directory, "store"), { recursive: true });
    const { code } = await running.ended;
    expect(code).toBe(120);
    expect(report(place)).toMatchObject({ outcome: "lost", exitCode: 120, endReason: "store-lost" });
    await nothingLeft(place);
  });

  test("when the store is lost, --once ends with 120; without it the command is started again", async () => {
    const place = createPlace();
    // Whoever has seen the old directory waits for the longest lease that may have been forgotten.
    const running = place.beat("one", [...ttl, "--store", `${place.store}?maxTtl=2s`], "stubborn");
    await beating(place, "one");
    rmSync(join(place.directory, "store"), { recursive: true });
    await running.says("leads no longer: store-lost");
    await vi.waitUntil(() => place.beats().filter(({ what }) => what === "began").length >= 4, limitMs);
    running.process.kill("SIGTERM");
    running.process.kill("SIGINT");
    await running.ended;
    await nothingLeft(place);
  });

  test("when the store stops answering, SIGTERM comes before the deadline and SIGKILL at it", async () => {
    const place = createPlace();
    const running = place.beat("one", ["--ttl", "3s", "--once"], "stubborn");
    await beating(place, "one");
    await place.renewals(1);
    renameSync(join(place.directory, "store"), join(place.directory, "away"));
    writeFileSync(join(place.directory, "store"), "");
    const cutAt = process.hrtime.bigint();
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(120);
    const last = place.beats().at(-1);
    // Belief lasts ttl / 1.5 from the last confirmed send; the lease a whole ttl.
    expect(Number((last?.at ?? 0n) - cutAt) / 1e6).toBeLessThan(2_000);
    expect(place.beats().some(({ what }) => what === "SIGTERM")).toBe(true);
    await nothingLeft(place);
  });
});
