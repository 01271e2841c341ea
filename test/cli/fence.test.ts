/** `tenure fence` on directories and on databases: what is shown, what is probed, what operators do and leave behind. */

import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { fileGuard } from "../../src/fence/file/index.js";
import { fileJournal } from "../../src/journal/index.js";
import { fileStore } from "../../src/stores/file/index.js";
import { root } from "../architecture/files.js";
import { fence } from "../fence/scene.js";
import { postgresScope } from "../fence/postgres/scope.js";
import { locateOrThrow } from "../servers/binaries.js";
import { describeWithServer } from "../servers/with-server.js";
import { startProgram } from "../support/program.js";
import { plainCall } from "../support/scripted-store.js";
import { complaintsAbout } from "./schemas.js";
import { object, reason, row, run, tablesOf } from "./fencing.js";
import { createPlace, main } from "./tenure.js";

vi.setConfig({ testTimeout: 60_000 });

const instant = expect.stringMatching(/^20\d\d-.*Z$/) as string;
const operator = expect.stringMatching(/^operator-/) as string;

const named = ["--resource", "one", "--election", "invoices"];

describe("fence status of a directory", () => {
  it("says who has claimed each resource, under which token, and how many writes there were", async () => {
    const place = createPlace();
    const directory = join(place.directory, "data");
    const [one, two] = ["one", "two"].map((resource) => fileGuard(directory, { resource, initial: 0 }));
    const handle = await one?.claim(fence());
    await handle?.transaction((tx) => void (tx.value += 1));
    await two?.claim(fence({ token: 8 }));
    const second = { name: "_two", version: 1, problem: null, rows: [{ ...row, watermark: 8, seq: 0 }] };
    expect(await object(place, 0, "status", "file:data")).toEqual({
      schema: "tenure.fence-status/1",
      guard: { url: `file:${directory}`, holds: "guard" },
      resources: [
        { name: "_one", version: 2, problem: null, rows: [{ ...row, watermark: 7, seq: 1 }] },
        second,
      ],
      acts: [],
    });
    expect(await object(place, 0, "status", "file:data", "--resource", "two")).toMatchObject({
      resources: [second],
    });
    const { out } = await run(place, 0, "status", "file:data");
    expect(out).toContain("invoices (namespace default): watermark 7 of a, 1 writes, default/lease");
  });

  it("of what cannot be read says so, and of other directories ends with an error that makes nothing", async () => {
    const place = createPlace();
    const directory = join(place.directory, "data");
    await fileGuard(directory, { resource: "one", initial: 0 }).claim(fence());
    const folder = join(directory, "_one");
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), "no envelope");
    expect(await object(place, 0, "status", "file:data")).toMatchObject({
      resources: [{ problem: "unreadable", rows: [] }],
    });
    await fileStore(join(place.directory, "store")).read("default/x", plainCall);
    expect((await run(place, 64, "status", place.store)).err).toContain("holds a store");
    expect((await run(place, 122, "status", "file:nowhere")).err).toContain("there is no guard");
    expect((await run(place, 122, "status", "sqlite:nowhere")).err).toContain("there is no file");
    expect(readdirSync(place.directory)).not.toContain("nowhere");
  });
});

describe("fence verify of a directory", () => {
  it("finds nothing in a sound one, and is not for journals", async () => {
    const place = createPlace();
    await fileGuard(join(place.directory, "data"), { resource: "one", initial: 0 }).claim(fence());
    const found = await object(place, 0, "verify", "file:data");
    expect(found).toMatchObject({ sound: true, guard: { holds: "guard", kind: "file" } });
    expect(found["probes"]).toHaveLength(11);
    expect((await run(place, 0, "verify", "file:data")).out).toMatch(/passed +delayed-write +STALE\nOK: /);
    await fileJournal(join(place.directory, "log"), { resource: "one" }).claim(fence());
    expect((await run(place, 64, "verify", "file:log")).err).toContain("holds a journal");
  });
});

describe("fence adopt and reset of a directory", () => {
  it("ask for what was seen and for --yes, and say what would be done", async () => {
    const place = createPlace();
    const guard = fileGuard(join(place.directory, "data"), { resource: "one", initial: 0 });
    await guard.claim(fence());
    const adopt = ["adopt", "file:data", ...named, ...reason, "--lineage", "default/raft"];
    expect((await run(place, 64, ...adopt)).err).toContain("there stands default/lease@7, of a");
    const planned = await run(place, 64, ...adopt, "--from", "default/lease@7");
    expect(planned.err).toContain("nothing was done. With --yes default/lease@7 becomes default/raft@7");
    const lower = [
      "reset",
      "file:data",
      ...named,
      ...reason,
      "--watermark",
      "3",
      "--from",
      "default/lease@7",
    ];
    expect((await run(place, 64, ...lower)).err).toContain("a token above 3 could claim and write again");
    const changed = await run(place, 123, ...adopt, "--from", "default/lease@6", "--yes");
    expect(changed.err).toContain("FENCE_CHANGED");
    expect(changed.err).toContain("there stands default/lease@7, of a");
    expect((await guard.inspect()).rows[0]?.row.watermark).toBe(7);
    expect(await guard.operator.acts()).toEqual([]);
  });

  it("change the row and leave a record that status shows; other versions on disk stay", async () => {
    const place = createPlace();
    const directory = join(place.directory, "data");
    const guard = fileGuard(directory, { resource: "one", initial: 0, keepVersions: Infinity });
    const handle = await guard.claim(fence());
    for (let count = 0; count < 20; count += 1) await handle.transaction((tx) => void (tx.value += 1));
    const act = ["file:data", ...named, ...reason, "--yes"];
    const adopted = await object(
      place,
      0,
      ...["adopt", ...act, "--lineage", "default/raft", "--from", "default/lease@7"],
    );
    const record = {
      at: instant,
      kind: "adopt",
      namespace: "default",
      election: "invoices",
      by: "kim",
      reason: "moved to Raft",
      before: { lineage: "default/lease", watermark: 7, owner: "a" },
      after: { lineage: "default/raft", watermark: 7, owner: operator },
    };
    expect(adopted).toMatchObject({ schema: "tenure.fence-adopt/1", resource: "one", act: record });
    expect(readdirSync(join(directory, "_one"))).toHaveLength(22);
    const next = await guard.claim(fence({ lineage: "default/raft", token: 8, owner: "raft" }));
    expect(await next.transaction((tx) => tx.value)).toBe(20);
    await object(place, 0, "reset", ...act, "--forget", "--from", "default/raft@8");
    expect(await object(place, 0, "status", "file:data")).toMatchObject({
      resources: [{ rows: [] }],
      acts: [
        { kind: "reset", after: null, resource: "_one" },
        { ...record, resource: "_one" },
      ],
    });
    const { out } = await run(place, 0, "status", "file:data");
    expect(out).toMatch(
      /_one: adopt of invoices .*, default\/lease@7 to default\/raft@7, by kim: moved to Raft/,
    );
  });

  it("of a journal too: its entries stay, and the new lineage appends", async () => {
    const place = createPlace();
    const journal = fileJournal<string>(join(place.directory, "log"), { resource: "one" });
    await (await journal.claim(fence())).append("old");
    await object(
      place,
      0,
      ...["adopt", "file:log", ...named, ...reason, "--yes"],
      ...["--lineage", "default/raft", "--from", "default/lease@7"],
    );
    const again = fileJournal<string>(join(place.directory, "log"), { resource: "one" });
    await expect(again.claim(fence({ token: 9 }))).rejects.toMatchObject({ code: "FOREIGN_LINEAGE" });
    await (await again.claim(fence({ lineage: "default/raft", token: 8 }))).append("new");
    const { entries } = await again.inspect();
    expect(entries.map(({ entry }) => entry)).toEqual(["old", "new"]);
    expect(await object(place, 0, "status", "file:log")).toMatchObject({ acts: [{ kind: "adopt" }] });
  });
});

describeWithServer("postgres", "fence on a PostgreSQL server", () => {
  const { inScene, server } = postgresScope();

  it("the schema that is printed makes the tables, twice even; a role with the rights that the page names leads, looks and verifies", async () => {
    await inScene(async (scene) => {
      const place = createPlace();
      const tables = ["--tables", tablesOf(scene)];
      const { out: sql } = await run(place, 0, "schema", "postgres", ...tables);
      await scene.admin.query(sql + sql);
      const role = `${scene.schema}_app`;
      const { fence: first, attempt, operation, act } = scene.tables;
      await scene.admin.query(
        `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA ${scene.schema} TO ${role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ${first}, ${attempt}, ${operation} TO ${role}`,
      );
      const url = server().url.replace(/\/\/[^@]*@/, `//${role}:secret@`);
      const guard = scene.guard(scene.pool({ connectionString: url }), {
        create: false,
        rememberOperations: 4,
      });
      await scene.admin.query(`GRANT INSERT ON ${scene.schema}.ledger TO ${role}`);
      await scene.admin.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${scene.schema} TO ${role}`);
      const handle = await guard.claim(fence());
      await handle.transaction(async (tx) => scene.put(tx, "written"));
      const found = await object(place, 0, "verify", url, ...tables);
      expect(found).toMatchObject({ sound: true, guard: { holds: "tables", kind: "postgres" } });
      const hidden = await object(place, 0, "status", url, ...tables);
      expect(hidden).toMatchObject({
        resources: [{ name: "ledger", version: null, rows: [{ ...row, watermark: 7, seq: 1 }] }],
        acts: null,
      });
      expect(JSON.stringify([found, hidden])).not.toContain("secret");
      const said = await run(place, 0, "status", url, ...tables);
      expect(said.out).toContain("acts of operators cannot be seen: permission denied");
      await scene.admin.query(`GRANT SELECT ON ${act} TO ${role}`);
      expect(await object(place, 0, "status", url, ...tables)).toMatchObject({ acts: [] });
      const options = ["--resource", "ledger", "--election", "invoices", ...reason, "--yes", ...tables];
      const denied = ["reset", url, ...options, "--forget", "--from", "default/lease@7"];
      expect((await run(place, 122, ...denied)).err).toContain("permission denied");
      expect((await guard.inspect())[0]?.row.watermark).toBe(7);
      // The operator's own role may.
      await object(place, 0, "reset", scene.url, ...denied.slice(2));
      expect(await object(place, 0, "status", url, ...tables)).toMatchObject({
        resources: [],
        acts: [{ kind: "reset", resource: "ledger", by: "kim", after: null }],
      });
      await scene.admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });
  });

  it("takes postgres.js where pg is not installed, and says what to install where neither is", async () => {
    await inScene(async (scene) => {
      const place = createPlace();
      await scene.guard(scene.pool()).claim(fence());
      cpSync(join(root, "dist"), join(place.directory, "dist"), { recursive: true });
      writeFileSync(join(place.directory, "package.json"), '{ "type": "module" }');
      const args = ["dist/cli/main.js", "fence", "status", scene.url, "--tables", tablesOf(scene)];
      const none = await startProgram(args, { cwd: place.directory }).ended;
      expect(none).toMatchObject({ code: 122, stdout: "" });
      expect(none.stderr).toContain("npm install pg (or postgres)");
      mkdirSync(join(place.directory, "node_modules"));
      const client = join(place.directory, "node_modules", "postgres");
      symlinkSync(join(root, "node_modules", "postgres"), client);
      const one = await startProgram(args, { cwd: place.directory }).ended;
      expect(one).toMatchObject({ code: 0, stderr: "" });
      expect(one.stdout).toContain("watermark 7 of a");
    });
  });

  it("what cannot be reached, or has no tables, ends with 122 and shows no password", async () => {
    const place = createPlace();
    const refused = await run(place, 122, "status", "postgres://u:secret@127.0.0.1:1/x");
    expect(refused.err).toContain("ECONNREFUSED");
    expect(refused.err).not.toContain("secret");
    const missing = await run(place, 122, "verify", server().url);
    expect(missing.err).toContain("GUARD_TABLES_MISSING");
  });
});

describeWithServer(["node22"], "fence on a SQLite file", () => {
  it("makes the tables, verifies, adopts, and shows what was done", async () => {
    const place = createPlace();
    const file = join(place.directory, "data.db");
    const node = locateOrThrow("node22").path;
    const tenure = async (code: number, ...args: string[]) => {
      const options = { cwd: place.directory, timeout: 50_000 };
      const ended = await startProgram(["--no-warnings", main, "fence", ...args], options, node).ended;
      expect(ended.code, ended.stderr).toBe(code);
      return ended.stdout;
    };
    const claims = fileURLToPath(new URL("sqlite-claim.mjs", import.meta.url));
    const sql = await tenure(0, "schema", "sqlite");
    const claim = startProgram(["--no-warnings", claims, file, sql], { cwd: place.directory }, node);
    expect((await claim.ended).code).toBe(0);
    expect(JSON.parse(await tenure(0, "verify", "sqlite:data.db", "--json"))).toMatchObject({ sound: true });
    const order = ["--resource", "one", "--election", "invoices", ...reason, "--yes"];
    const adopt = ["adopt", "sqlite:data.db", ...order, "--lineage", "default/raft"];
    await tenure(123, ...adopt, "--from", "default/lease@8");
    await tenure(0, ...adopt, "--from", "default/lease@7");
    const status: unknown = JSON.parse(await tenure(0, "status", "sqlite:data.db", "--json"));
    expect(complaintsAbout(status)).toEqual([]);
    expect(status).toMatchObject({
      guard: { url: `sqlite:${file}`, holds: "tables" },
      resources: [{ name: "one", rows: [{ lineage: "default/raft", watermark: 7, seq: 0 }] }],
      acts: [{ kind: "adopt", resource: "one" }],
    });
  });
});
