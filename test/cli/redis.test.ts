/** The command on a real Redis server: the same verbs, exit codes and JSON as with a directory, and no password anywhere. */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunReport } from "../../src/cli/run/report.js";
import type { Store } from "../../src/lease/store.js";
import { redisStore } from "../../src/stores/redis/index.js";
import { root } from "../architecture/files.js";
import { type RedisOptions, type RedisServer, startRedis } from "../servers/redis.js";
import { describeWithServer } from "../servers/with-server.js";
import { type Ended, startProgram } from "../support/program.js";
import { complaintsAbout } from "./schemas.js";
import { createPlace, type Place, plainEnvironment } from "./tenure.js";

const limitMs = 60_000;
vi.setConfig({ testTimeout: limitMs, hookTimeout: limitMs });

/** Short, since the first leader of a namespace waits that long. */
const maxTtlMs = 2_000;
const password = "open-sesame";
const ttl = ["--ttl", "2s"];

let server: RedisServer;
let opened: Store;

/** One server for a group of tests; each place has an election of its own on it. */
function serve(options: RedisOptions): void {
  beforeAll(async () => {
    server = await startRedis(options);
    opened = redisStore(server.url, { maxTtlMs });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await server.stop();
  });
}

function place(): Place {
  return createPlace({ url: `${server.url}?maxTtl=2s`, opened });
}

/** The verb by its JSON, which is held against its schema; the store is named by the environment. */
async function ask(at: Place, code: number, verb: string, ...options: string[]): Promise<unknown> {
  const ended = await at.start([verb, at.name, "--json", ...options], { TENURE_STORE: at.store }).ended;
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stdout + ended.stderr).not.toContain(password);
  return valid(ended.stdout);
}

function valid(text: string): unknown {
  const value: unknown = JSON.parse(text);
  expect(complaintsAbout(value), text).toEqual([]);
  return value;
}

async function leadsAlone(at: Place, node: string): Promise<void> {
  await vi.waitUntil(async () => (await at.record())?.node === node, limitMs);
}

async function beating(at: Place, label: string): Promise<void> {
  const began = () => at.beats().filter((beat) => beat.label === label && beat.what === "began");
  await vi.waitUntil(() => began().length >= 2, limitMs);
}

describeWithServer("redis", "tenure run on a Redis server", () => {
  serve({});

  test("when the leader is killed, and the next one frozen, no command beats after the first beat of the next", async () => {
    const at = place();
    const started = new Map<string, ReturnType<Place["beat"]>>();
    for (const label of ["first", "second", "third"]) {
      started.set(label, at.beat(label, [...ttl, "--drain", "300ms"], "stubborn"));
      if (label === "first") await started.get(label)?.says(`leads ${at.name}`);
      else await started.get(label)?.says("lease of");
    }
    await beating(at, "first");
    await at.renewals(2);
    const order = ["first"];
    for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
      started.get(order.at(-1) ?? "")?.process.kill(signal);
      await vi.waitUntil(() => at.beats().some(({ label }) => !order.includes(label)), limitMs);
      order.push(at.beats().find(({ label }) => !order.includes(label))?.label ?? "");
      await beating(at, order.at(-1) ?? "");
      await at.renewals(2);
    }
    const ats = (label = "") => at.beats().flatMap((beat) => (beat.label === label ? [beat.at] : []));
    for (const [index, label] of order.slice(0, -1).entries()) {
      const last = ats(label).reduce((a, b) => (a > b ? a : b));
      const next = ats(order[index + 1]).reduce((a, b) => (a < b ? a : b));
      expect(last).toBeLessThan(next);
    }
    const [, frozen = ""] = order;
    started.get(frozen)?.process.kill("SIGCONT");
    await started.get(frozen)?.says("leads no longer");
  });

  test("when the server stops answering, the command ends before the lease does, and --once ends with 120", async () => {
    const at = place();
    const running = at.beat("one", ["--ttl", "2s", "--once", "--report", "report.json"], "stubborn");
    await beating(at, "one");
    await at.renewals(1);
    await server.freeze();
    const frozenAt = process.hrtime.bigint();
    const { code, stderr } = await running.ended;
    server.thaw();
    expect(code, stderr).toBe(120);
    expect(stderr).toContain("(all hosts that reach it)");
    // Belief lasts ttl / 1.5 from the last confirmed send; the lease a whole ttl.
    expect(Number((at.beats().at(-1)?.at ?? 0n) - frozenAt) / 1e6).toBeLessThan(1_400);
    const report = JSON.parse(readFileSync(join(at.directory, "report.json"), "utf8")) as RunReport;
    expect(report).toMatchObject({ outcome: "lost", endReason: "deadline", released: "left-to-expire" });
  });

  test("the exit code of the command passes, also inside Kubernetes, and what it was not made for is refused", async () => {
    const at = place();
    const run = async (options: readonly string[], url = at.store): Promise<Ended> =>
      at.start(["run", at.name, "--store", url, ...options, "--", "sh", "-c", "exit 7"], {
        KUBERNETES_SERVICE_HOST: "10.0.0.1",
      }).ended;
    expect((await run(ttl)).code).toBe(7);
    // Without ?maxTtl the store is as it was made.
    expect((await run(ttl, server.url)).code).toBe(7);
    const longer = await run(["--ttl", "3s"], server.url);
    expect(longer).toMatchObject({ code: 64, stderr: expect.stringContaining("for at most 2s") as string });
    const other = await run(ttl, `${server.url}?maxTtl=9s`);
    expect(other).toMatchObject({ code: 122, stderr: expect.stringContaining("STORE_MISMATCH") as string });
  });

  test("in a namespace in which nobody has stood, it says that the first leader is waited for; status finds no store", async () => {
    const at = place();
    const where = ["--store", `${at.store}&prefix=fresh`, "--namespace", "Fresh One"];
    const none = await at.start(["status", at.name, ...where]).ended;
    expect(none.code).toBe(122);
    expect(none.stderr).toContain("there is no store for namespace Fresh One on redis://127.0.0.1:");
    const { code, stderr } = await at.start(["run", at.name, ...where, ...ttl, "--", "true"]).ended;
    expect(code).toBe(0);
    expect(stderr).toContain("nobody has stood in namespace Fresh One yet, so the first leader waits 2s");
    const known = await at.start(["status", at.name, ...where]).ended;
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining("it was given up") as string });
  });
});

describeWithServer("redis", "asking and looking on a Redis server with a password", () => {
  serve({ password, config: { "maxmemory-policy": "allkeys-lru", maxmemory: "100mb" } });

  test("status, transfer, resign and watch say what they say with a directory, and what is wrong with the server", async () => {
    const at = place();
    const shown = server.url.replace(password, "***");
    const first = at.beat("alpha", ttl);
    await first.says(`leads ${at.name}`);
    const watching = at.start(["watch", at.name, "--json"], { TENURE_STORE: at.store });
    await watching.says('"alpha"');
    const second = at.beat("beta", ttl);
    await second.says("lease of");
    expect(await ask(at, 0, "status")).toMatchObject({
      store: {
        url: shown,
        kind: "redis",
        scope: "network",
        findings: [
          { code: "REDIS_EVICTION", advisory: true },
          { code: "REDIS_NOT_PERSISTENT", advisory: false },
        ],
      },
      belief: "advisory",
      reasons: [expect.stringContaining("may evict a held lease")],
      leader: { kind: "held", node: "alpha", renewed: true },
    });
    await first.says("may evict a held lease");
    const words = await at.start(["status", at.name, "--now"], { TENURE_STORE: at.store }).ended;
    expect(words.stdout).toContain(`store     ${shown} (all hosts that reach it)\n`);
    expect(words.stdout).toContain(
      "found     REDIS_EVICTION: the server's maxmemory-policy allkeys-lru may evict",
    );
    expect(words.stdout).toContain("belief    advisory, two may lead at once: the server's maxmemory-policy");
    expect(await ask(at, 123, "transfer", "--to", "gamma")).toMatchObject({ result: "no-candidate" });
    expect(await ask(at, 0, "transfer", "--to", "beta")).toMatchObject({ result: "transferred", to: "beta" });
    await watching.says('"beta"');
    first.process.kill("SIGTERM");
    await first.ended;
    expect(await ask(at, 0, "resign")).toMatchObject({ result: "resigned" });
    await leadsAlone(at, "beta");
    second.process.kill("SIGTERM");
    await second.ended;
    await watching.says('"vacant"');
    watching.process.kill("SIGINT");
    const { code, stdout, stderr } = await watching.ended;
    expect(code).toBe(130);
    for (const line of stdout.trim().split("\n")) valid(line);
    expect(stderr).toContain(`in ${shown} (all hosts that reach it)`);
    const said = await Promise.all([first.ended, second.ended]);
    expect(said.map((ended) => ended.stderr).join("") + stderr + words.stdout).not.toContain(password);
  });

  test("config shows the server and hides the password", async () => {
    const { stdout } = await place().start(["config"], { TENURE_STORE: server.url }).ended;
    expect(stdout).toContain(server.url.replace(password, "***"));
    expect(stdout).not.toContain(password);
  });

  test("122 with a wrong password, which is not shown", async () => {
    const at = place();
    const url = server.url.replace(password, "wrong-sesame");
    const { code, stderr } = await at.start(["status", at.name, "--store", url]).ended;
    expect(code).toBe(122);
    expect(stderr).toMatch(/^tenure: STORE_DENIED: redis:\/\/:\*\*\*@127\.0\.0\.1:\d+: .*WRONGPASS/m);
    expect(stderr).not.toContain("sesame");
  });
});

describeWithServer("redis", "a server that is not there", () => {
  serve({});

  test.each([
    ["run", [{ outcome: "store-unreachable", exitCode: 122, node: null }]],
    ["status", []],
  ])("122 in one line that names it, at once: %s", async (verb, reports) => {
    const at = place();
    await server.kill();
    const rest = verb === "run" ? ["--report", "r.json", "--", "true"] : [];
    const startedAt = performance.now();
    const { code, stderr, atMs } = await at.start([verb, at.name, "--store", at.store, ...rest]).ended;
    await server.start("fresh");
    expect(code).toBe(122);
    expect(stderr).toMatch(
      /^tenure: STORE_UNREACHABLE: redis:\/\/127\.0\.0\.1:\d+: no connection to the Redis server: .*ECONNREFUSED.*\n$/,
    );
    expect(atMs - startedAt).toBeLessThan(5_000);
    const file = join(at.directory, "r.json");
    const report = existsSync(file) ? [valid(readFileSync(file, "utf8"))] : [];
    expect(report).toMatchObject(reports);
  });

  test("122 when it stops answering while status waits for a renewal", async () => {
    const at = place();
    const running = at.beat("one", ttl);
    await running.says(`leads ${at.name}`);
    running.process.kill("SIGKILL");
    await running.ended;
    const before = await server.commandCount("evalsha");
    const asking = at.start(["status", at.name, "--store", at.store]);
    // It has looked: now it waits for the record to change.
    await vi.waitUntil(async () => (await server.commandCount("evalsha")) > before, limitMs);
    await server.freeze();
    const { code, stderr } = await asking.ended;
    server.thaw();
    expect(code, stderr).toBe(122);
    expect(stderr).toContain("STORE_TIMEOUT");
  });

  test("122 after 3 s when it accepts connections and does not answer", async () => {
    const at = place();
    await server.freeze();
    const { code, stderr } = await at.start(["status", at.name, "--store", at.store]).ended;
    server.thaw();
    expect(code).toBe(122);
    expect(stderr).toContain("no answer from the Redis server within 3000 ms");
  });
});

describe("without a Redis client installed", () => {
  test("122, and what to install", async () => {
    const at = createPlace();
    // A copy of the package that finds no packages beside or above it.
    const alone = join(at.directory, "alone");
    mkdirSync(alone);
    cpSync(join(root, "dist"), join(alone, "dist"), { recursive: true });
    writeFileSync(join(alone, "package.json"), readFileSync(join(root, "package.json")));
    const file = join(alone, "dist", "cli", "main.js");
    const { code, stderr } = await startProgram([file, "status", "x", "--store", "redis://127.0.0.1:1"], {
      cwd: at.directory,
      env: plainEnvironment(),
    }).ended;
    expect(code).toBe(122);
    expect(stderr).toContain("STORE_UNSUPPORTED");
    expect(stderr).toContain("npm install ioredis (or iovalkey, or redis)");
  });
});
