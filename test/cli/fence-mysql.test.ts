/** `tenure fence` on a MariaDB server: the same verbs, through mysql2. */

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { root } from "../architecture/files.js";
import type { Scene } from "../fence/mysql/scene.js";
import { mysqlScope } from "../fence/mysql/scope.js";
import { fence } from "../fence/scene.js";
import { describeWithServer } from "../servers/with-server.js";
import { startProgram } from "../support/program.js";
import { object, reason, row, run, tablesOf } from "./fencing.js";
import { createPlace } from "./tenure.js";

vi.setConfig({ testTimeout: 60_000 });

/** A role of the rights that the page names, and of no other; `work` is given a URL with its password. */
async function withRole(scene: Scene, work: (url: string, role: string) => Promise<void>): Promise<void> {
  const role = `${scene.database}_app`;
  const { fence: first, attempt, operation } = scene.tables;
  const rights = [first, attempt, operation].map(
    (table) => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${role}@'%'`,
  );
  await scene.admin.query(
    [
      `CREATE USER ${role}@'%' IDENTIFIED BY 'secret'`,
      ...rights,
      `GRANT INSERT ON ${scene.database}.ledger TO ${role}@'%'`,
    ].join(";"),
  );
  try {
    const path = `/${scene.database}`;
    await work(scene.url.replace(/\/\/[^@]*@/, `//${role}:secret@`).replace(/\/tenure$/, path), role);
  } finally {
    await scene.admin.query(`DROP USER ${role}@'%'`);
  }
}

describeWithServer("mariadb", "fence on a MariaDB server", () => {
  const { inScene, url: serverUrl } = mysqlScope();

  it("the schema that is printed makes the tables, twice even; a role with the rights that the page names leads, looks and verifies", async () => {
    await inScene(async (scene) => {
      const place = createPlace();
      const tables = ["--tables", tablesOf(scene)];
      const { out: sql } = await run(place, 0, "schema", "mysql", ...tables);
      await scene.admin.query(sql + sql);
      await withRole(scene, async (url, role) => {
        const guard = scene.guard(scene.pool({ uri: url }), { create: false, rememberOperations: 4 });
        const handle = await guard.claim(fence());
        await handle.transaction(async (tx) => scene.put(tx, "written"));
        const found = await object(place, 0, "verify", url, ...tables);
        expect(found).toMatchObject({ sound: true, guard: { holds: "tables", kind: "mysql" } });
        expect(found["probes"]).toHaveLength(11);
        const hidden = await object(place, 0, "status", url, ...tables);
        expect(hidden).toMatchObject({
          resources: [{ name: "ledger", version: null, rows: [{ ...row, watermark: 7, seq: 1 }] }],
          acts: null,
        });
        expect(JSON.stringify([found, hidden])).not.toContain("secret");
        const said = await run(place, 0, "status", url, ...tables);
        expect(said.out).toMatch(/acts of operators cannot be seen: SELECT command denied/);
        await scene.admin.query(`GRANT SELECT ON ${scene.tables.act} TO ${role}@'%'`);
        expect(await object(place, 0, "status", url, ...tables)).toMatchObject({ acts: [] });
        const options = ["--resource", "ledger", "--election", "invoices", ...reason, "--yes", ...tables];
        const denied = ["reset", url, ...options, "--forget", "--from", "default/lease@7"];
        expect((await run(place, 122, ...denied)).err).toContain("INSERT command denied");
        expect((await guard.inspect())[0]?.row.watermark).toBe(7);
        // The operator's own role may.
        const adopt = ["adopt", scene.url, ...options, "--lineage", "default/raft"];
        await run(place, 123, ...adopt, "--from", "default/lease@8");
        await object(place, 0, ...adopt, "--from", "default/lease@7");
        await object(place, 0, "reset", scene.url, ...options, "--forget", "--from", "default/raft@7");
        expect(await object(place, 0, "status", url, ...tables)).toMatchObject({
          resources: [],
          acts: [
            { kind: "reset", resource: "ledger", by: "kim", after: null },
            { kind: "adopt", resource: "ledger", before: { lineage: "default/lease", watermark: 7 } },
          ],
        });
      });
    });
  });

  it("takes the password from MYSQL_PWD and mariadb:// for mysql://, and names of resources by their bytes", async () => {
    await inScene(async (scene) => {
      const place = createPlace();
      const pool = scene.pool();
      for (const resource of ["ledger", "ledger "]) await scene.guard(pool, { resource }).claim(fence());
      await withRole(scene, async (url) => {
        const bare = url.replace(":secret@", "@").replace(/^mysql:/, "mariadb:");
        const args = [
          "fence",
          "status",
          bare,
          "--tables",
          tablesOf(scene),
          "--resource",
          "ledger ",
          "--json",
        ];
        const refused = await place.start(args).ended;
        expect(refused.code).toBe(122);
        expect(refused.stderr).toContain("Access denied");
        const { code, stdout, stderr } = await place.start(args, { MYSQL_PWD: "secret" }).ended;
        expect(code, stderr).toBe(0);
        expect(JSON.parse(stdout)).toMatchObject({ resources: [{ name: "ledger " }] });
        expect(stdout + stderr + refused.stderr).not.toContain("secret");
        // One that stands in the URL goes before it: the server knows the role, and asks for rights.
        const own = await place.start(["fence", "status", url], { MYSQL_PWD: "another" }).ended;
        expect(own.stderr).toContain("SELECT command denied");
      });
    });
  });

  it("says what to install where mysql2 is not, and shows no password where nothing can be reached", async () => {
    const place = createPlace();
    cpSync(join(root, "dist"), join(place.directory, "dist"), { recursive: true });
    writeFileSync(join(place.directory, "package.json"), '{ "type": "module" }');
    const args = ["dist/cli/main.js", "fence", "status", "mysql://u:secret@127.0.0.1:1/x"];
    const none = await startProgram(args, { cwd: place.directory }).ended;
    expect(none).toMatchObject({ code: 122, stdout: "" });
    expect(none.stderr).toContain("npm install mysql2");
    mkdirSync(join(place.directory, "node_modules"));
    symlinkSync(join(root, "node_modules", "mysql2"), join(place.directory, "node_modules", "mysql2"));
    const refused = await startProgram(args, { cwd: place.directory }).ended;
    expect(refused).toMatchObject({ code: 122, stdout: "" });
    expect(refused.stderr).toContain("ECONNREFUSED");
    expect(none.stderr + refused.stderr).not.toContain("secret");
    const malformed = await run(place, 64, "status", "mysql://u:s%ecret@127.0.0.1:1/x");
    expect(malformed.err).toContain("percent-encoded");
    expect(malformed.err).not.toContain("ecret");
    expect((await run(place, 122, "verify", serverUrl())).err).toContain("GUARD_TABLES_MISSING");
  });
});
