/** The second Node.js of the harness, and the SQLite that it has and that it can load. */
import { expect, test } from "vitest";
import { root } from "../architecture/files.js";
import { startProgram } from "../support/program.js";
import { locateOrThrow } from "./binaries.js";
import { describeWithServer } from "./with-server.js";

async function run(script: string): Promise<string> {
  const program = startProgram(
    ["--no-warnings", "--input-type=module", "--eval", script],
    { cwd: root, timeout: 20_000, killSignal: "SIGKILL" },
    locateOrThrow("node22").path,
  );
  const { code, stdout, stderr } = await program.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trim();
}

describeWithServer("node22", "the second Node.js", () => {
  test("it is of version 22, and has node:sqlite", async () => {
    const said = await run(`
      import { DatabaseSync } from "node:sqlite";
      const database = new DatabaseSync(":memory:");
      database.exec("CREATE TABLE numbers (number INTEGER)");
      database.prepare("INSERT INTO numbers VALUES (?)").run(7);
      const { number } = database.prepare("SELECT number FROM numbers").get();
      console.log(process.versions.node.split(".")[0], number);
    `);
    expect(said).toBe("22 7");
  });
});

describeWithServer(["node22", "better-sqlite3"], "better-sqlite3", () => {
  test("its binary is loaded by Node.js 22", async () => {
    const said = await run(`
      const { default: Database } = await import(${JSON.stringify(locateOrThrow("better-sqlite3").path)});
      const database = new Database(":memory:");
      database.exec("CREATE TABLE numbers (number INTEGER)");
      database.prepare("INSERT INTO numbers VALUES (?)").run(7);
      console.log(database.prepare("SELECT number FROM numbers").get().number);
    `);
    expect(said).toBe("7");
  });
});
