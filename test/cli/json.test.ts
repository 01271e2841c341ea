/** What the verbs print for programs: golden objects, each valid by the schema it names. */

import { join } from "node:path";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { complaintsAbout, schemaFiles } from "./schemas.js";
import { createPlace, type Place } from "./tenure.js";

vi.setConfig({ testTimeout: 60_000 });

const token = expect.any(Number) as number;
const instant = expect.stringMatching(/^20\d\d-.*Z$/) as string;

/** Runs a verb to its end; every object it prints is held against its schema. */
async function objects(place: Place, code: number, ...args: string[]): Promise<readonly unknown[]> {
  const ended = await place.start(args).ended;
  expect(ended.code, ended.stderr).toBe(code);
  return parse(ended.stdout);
}

function parse(text: string): readonly unknown[] {
  const found = text
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  for (const value of found) expect(complaintsAbout(value), JSON.stringify(value)).toEqual([]);
  return found;
}

/** What all verbs that name an election say. */
function about(place: Place, verb: string) {
  return { schema: `tenure.${verb}/1`, namespace: "default", election: place.name };
}

async function ask(place: Place, verb: string, code: number, ...options: string[]): Promise<unknown> {
  const [found] = await objects(place, code, verb, place.name, "--store", place.store, "--json", ...options);
  return found;
}

async function leading(place: Place, label: string): Promise<void> {
  const running = place.beat(label, ["--ttl", "2s"]);
  await running.says("lease of");
  await vi.waitUntil(async () => (await place.record()) !== undefined, 20_000);
  await place.renewals(2);
}

test("each schema file is named after what it describes, and is valid itself", () => {
  for (const file of schemaFiles) {
    const [, verb = "", version = ""] = /^tenure\.([a-z-]+)-(\d+)\.json$/.exec(file) ?? [];
    expect(complaintsAbout({ schema: `tenure.${verb}/${version}` })).not.toContain("no file");
  }
  expect(schemaFiles.map((file) => file.split(/[.-]/)[1])).toEqual(
    expect.arrayContaining(["config", "demo", "fence", "resign", "run", "status", "transfer", "watch"]),
  );
  expect(complaintsAbout({ schema: "tenure.watch/1", leader: { kind: "held" } })).not.toEqual([]);
});

describe("status", () => {
  test("says who leads once it has seen a renewal; at once with --now; who left; and who was killed", async () => {
    const place = createPlace();
    const running = place.beat("alpha", ["--ttl", "2s"]);
    await running.says("leads");
    const store = { url: place.store, kind: "file", scope: "host", findings: [] };
    const leader = { kind: "held", node: "alpha", token, metadata: {}, state: "held", ttlMs: 2_000 };
    const promised = { belief: "exclusive", reasons: [] };
    const all = { ...about(place, "status"), store, ...promised, request: null };
    const seen = { ...leader, electedAt: instant };
    expect(await ask(place, "status", 0)).toEqual({ ...all, leader: { ...seen, renewed: true } });
    expect(await ask(place, "status", 0, "--now")).toEqual({ ...all, leader: { ...seen, renewed: null } });
    running.process.kill("SIGTERM");
    await running.ended;
    const left = { kind: "vacant", reason: "released", lastToken: token };
    expect(await ask(place, "status", 0)).toEqual({ ...all, leader: left });
    const again = place.beat("beta", ["--ttl", "2s"]);
    await again.says("leads");
    again.process.kill("SIGKILL");
    await again.ended;
    const dead = { kind: "unknown", reason: "not-renewed", lastNode: "beta" };
    expect(await ask(place, "status", 0)).toEqual({ ...all, leader: dead });
  });

  test("in words, and of a name that nobody led", async () => {
    const place = createPlace();
    await leading(place, "alpha");
    const { stdout } = await place.start(["status", place.name, "--store", place.store]).ended;
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => line.replace(/^(token|since) +.*/, "$1"));
    expect(lines).toEqual([
      `election  ${place.name} (namespace default)`,
      `store     ${place.store} (this host only)`,
      "leader    alpha",
      "token",
      "since",
      "ttl       2s",
    ]);
    const other = await place.start(["status", "other", "--store", place.store]).ended;
    expect(other.stdout).toContain("nobody: nobody has led it yet");
  });

  test("of a record that is none: unknown, and asking fails with 125", async () => {
    const place = createPlace();
    await place.start(["run", place.name, "--store", place.store, "--", "true"]).ended;
    const folder = join(place.directory, "store", `default_${place.name}`);
    const newest = readdirSync(folder)
      .filter((file) => file.startsWith("0"))
      .toSorted()
      .at(-1);
    writeFileSync(join(folder, newest ?? ""), "no record");
    const leader = { kind: "unknown", reason: "unreadable", lastNode: null };
    expect(await ask(place, "status", 0)).toMatchObject({ leader, request: null });
    const { code, stderr } = await place.start(["resign", place.name, "--store", place.store]).ended;
    expect(code).toBe(125);
    expect(stderr).toContain("RECORD_UNREADABLE");
  });

  test("122 where there is no store, and none is made", async () => {
    const place = createPlace();
    const { code, stderr } = await place.start(["status", "x", "--store", "file:nowhere"]).ended;
    expect(code).toBe(122);
    expect(stderr).toContain("there is no store");
    expect((await place.start(["status", "x", "--store", "file:nowhere"]).ended).code).toBe(122);
    expect((await place.start(["status", "x", "--store", "memory:"]).ended).code).toBe(64);
  });
});

describe("watch", () => {
  test("prints one line per change until a signal", async () => {
    const place = createPlace();
    const running = place.beat("alpha", ["--ttl", "2s"]);
    await running.says("leads");
    const watching = place.start(["watch", place.name, "--store", place.store, "--json"]);
    await watching.says('"held"');
    running.process.kill("SIGTERM");
    await watching.says('"vacant"');
    watching.process.kill("SIGINT");
    const { code, stdout } = await watching.ended;
    expect(code).toBe(130);
    const all = { ...about(place, "watch"), at: instant };
    expect(parse(stdout)).toEqual([
      { ...all, leader: { kind: "held", node: "alpha", token, metadata: {} } },
      { ...all, leader: { kind: "vacant" } },
    ]);
  });
});

describe("transfer and resign", () => {
  test("hand over to the node named, or to nobody, and say so", async () => {
    const place = createPlace();
    await leading(place, "alpha");
    const nothing = { to: null, token: null };
    const transfer = about(place, "transfer");
    expect(await ask(place, "transfer", 123)).toEqual({ ...transfer, result: "no-candidate", ...nothing });
    await leading(place, "beta");
    expect(await ask(place, "transfer", 123, "--to", "gamma")).toMatchObject({ result: "no-candidate" });
    expect(await ask(place, "transfer", 0, "--to", "beta")).toEqual({
      ...transfer,
      result: "transferred",
      to: "beta",
      token,
    });
    await place.renewals(1);
    const beta = await place.record();
    const resigned = (await ask(place, "resign", 0)) as { readonly result: string };
    expect(resigned).toMatchObject(about(place, "resign"));
    expect(["resigned", "transferred"]).toContain(resigned.result);
    // Whoever resigns in favour of nobody in particular may be the first to stand again.
    const next = resigned.result === "transferred" ? ["alpha"] : ["alpha", "beta"];
    await vi.waitUntil(async () => {
      const record = await place.record();
      const isNew = record !== undefined && record.token > (beta?.token ?? 0);
      return isNew && record.state === "held" && next.includes(record.node);
    }, 20_000);
  });

  test("a leader alone resigns; its command is ended and started again", async () => {
    const place = createPlace();
    place.beat("alpha", ["--ttl", "2s", "--drain", "300ms"], "stubborn");
    await vi.waitUntil(() => place.beats().filter(({ what }) => what === "began").length === 2, 20_000);
    const before = (await place.record())?.token ?? 0;
    expect(await ask(place, "resign", 0)).toEqual({
      ...about(place, "resign"),
      result: "resigned",
      to: null,
      token: null,
    });
    await vi.waitUntil(async () => ((await place.record())?.token ?? 0) > before, 20_000);
    await vi.waitUntil(() => new Set(place.beats().map(({ pid }) => pid)).size === 4, 20_000);
  });
});

describe("config", () => {
  test("an option goes before the environment, that before the file, that before the default", async () => {
    const place = createPlace();
    const file = join(place.directory, "tenure.config.json");
    writeFileSync(file, JSON.stringify({ store: "file:here", namespace: "file", ttl: "9s", drain: "4s" }));
    const environment = { TENURE_NAMESPACE: "env", TENURE_TTL: "8s", TENURE_NODE: "never", TENURE_STORE: "" };
    const { stdout } = await place.start(["config", "--json", "--ttl", "7s"], environment).ended;
    const of = (name: string, value: string | null, kind: string, origin: string) => {
      return { name, value, origin: { kind, name: origin } };
    };
    expect(parse(stdout)).toEqual([
      {
        schema: "tenure.config/1",
        file,
        settings: [
          of("store", `file:${join(place.directory, "here")}`, "file", file),
          of("namespace", "env", "environment", "TENURE_NAMESPACE"),
          of("node", null, "default", ""),
          of("ttl", "7s", "flag", "--ttl"),
          of("drain", "4s", "file", file),
          of("local", "false", "default", ""),
        ],
      },
    ]);
  });

  test.each([
    [{ ttl: 9 }, "must be a text"],
    [{ ttl: "9" }, 'tl" in'],
    [{ tll: "9s" }, "did you mean ttl?"],
    [[], "one JSON object"],
  ])("64 for a file with %j", async (content, said) => {
    const place = createPlace();
    writeFileSync(join(place.directory, "c.json"), JSON.stringify(content));
    const { code, stderr } = await place.start(["config", "--config", "c.json"]).ended;
    expect(code).toBe(64);
    expect(stderr).toContain(said);
  });

  test("the variable is named when its value is wrong, and a password is not shown", async () => {
    const place = createPlace();
    const wrong = await place.start(["config"], { TENURE_TTL: "3" }).ended;
    expect(wrong.code).toBe(64);
    expect(wrong.stderr).toContain('TENURE_TTL "3"');
    const shown = await place.start(["config"], { TENURE_STORE: "redis://user:secret@host" }).ended;
    expect(shown.stdout).toContain("redis://user:***@host");
    expect(shown.stdout + shown.stderr).not.toContain("secret");
  });
});

test("the report of run is valid by its schema", async () => {
  const place = createPlace();
  const options = ["--store", place.store, "--report", "r.json"];
  await place.start(["run", place.name, ...options, "--", "true"]).ended;
  expect(parse(readFileSync(join(place.directory, "r.json"), "utf8"))).toEqual([
    {
      ...about(place, "run"),
      node: expect.any(String) as string,
      command: ["true"],
      outcome: "exited",
      exitCode: 0,
      signal: null,
      terms: 1,
      token,
      endReason: "finished",
      released: "released",
    },
  ]);
});

test("demo prints its verdict, and ends with 123 when a promise does not hold", async () => {
  const demo = async (...options: readonly string[]) => {
    const place = createPlace();
    return place.start(["demo", "--rounds", "1", "--json", ...options], { TMPDIR: place.directory }).ended;
  };
  const [good, unsafe] = await Promise.all([demo(), demo("--unsafe")]);
  expect(good.code, good.stderr).toBe(0);
  expect(parse(good.stdout)).toMatchObject([{ schema: "tenure.demo/1", verdict: "OK" }]);
  expect(unsafe.code).toBe(123);
  expect(parse(unsafe.stdout)).toMatchObject([{ verdict: "FAIL" }]);
});
