/** Options, names, literals and meanings of errors, without a database. */

import { describe, expect, it } from "vitest";
import { postgresGuard, postgresSchema } from "../../../src/fence/postgres/index.js";
import { inlined } from "../../../src/fence/postgres/literal.js";
import { postgresDialect } from "../../../src/fence/postgres/dialect.js";
import { sqliteSchema } from "../../../src/fence/sqlite/index.js";
import { rowId } from "../../../src/fence/keys.js";
import { readText, storeText } from "../../../src/fence/sql/tables.js";
import { fence } from "../scene.js";

const pool = { connect: async () => Promise.reject(new Error("nothing may be sent")) };
const guard = (options: object) => () => postgresGuard(pool, { resource: "ledger", ...options });

describe("options", () => {
  it.each([
    [{ resource: "" }, "resource"],
    [{ order: "none" }, "order"],
    [{ rememberOperations: -1 }, "rememberOperations"],
    [{ timeoutMs: 99 }, "timeoutMs"],
    [{ claimLockTimeoutMs: 60_001 }, "claimLockTimeoutMs"],
    [{ concurrency: 65 }, "concurrency"],
    [{ isolation: "read uncommitted" }, "isolation"],
    [{ evictStale: 1 }, "evictStale"],
    [{ create: "yes" }, "create"],
    [{ tables: "mine" }, "tables"],
    [{ tables: { fence: "a; DROP TABLE b" } }, "tables.fence"],
    [{ tables: { attempt: 'a"b' } }, "tables.attempt"],
    [{ tables: { fence: "same", attempt: "same" } }, "tables"],
    [{ tables: { fences: "a" } }, "fences"],
    [{ evict: true }, "evict"],
  ])("when %j is given, the error names %s and nothing is sent", (options, name) => {
    expect(guard(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    expect(guard(options)).toThrow(new RegExp(`\\b${name}\\b`));
  });
});

describe("names", () => {
  it("when a text has NUL and backslashes, it is stored without NUL and comes back whole", () => {
    for (const text of ["\0", "\\0", "\\\0", "\\\\0\0", "plain"]) {
      expect(storeText(text)).not.toContain("\0");
      expect(readText(storeText(text))).toBe(text);
    }
  });

  it("when names join to one text in two ways, their rows have two keys", () => {
    const ids = [
      rowId("a", fence({ namespace: "b", election: "c" })),
      rowId("a", fence({ namespace: 'b","c', election: "" })),
      rowId("ab", fence({ namespace: "", election: "c" })),
      rowId("A", fence({ namespace: "b", election: "c" })),
    ];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,63}$/);
  });
});

describe("literals", () => {
  it("when values hold quotes, backslashes and question marks, they stay values", () => {
    const text = inlined({ text: "SELECT ?, ?, ?, ?", values: ["it's ?", "\\'", null, 2 ** 52] });
    expect(text).toBe("SELECT E'it''s ?', E'\\\\''', NULL, 4503599627370496");
  });
});

describe("what an error of PostgreSQL means", () => {
  const server = (code: string) => Object.assign(new Error(code), { code, severity: "ERROR" });
  it.each([
    ["40001", "again"],
    ["40P01", "again"],
    ["23505", "taken"],
    ["55P03", "locked"],
    ["57014", "locked"],
    ["25P03", "ended"],
    ["42P01", "tables-missing"],
    ["22012", "other"],
    ["53300", "other"],
    ["57P01", "lost"],
    ["58030", "lost"],
    ["08006", "lost"],
    ["40003", "lost"],
    ["XX000", "lost"],
  ])("%s of the server is %s", (code, failure) => {
    expect(postgresDialect.failure(server(code))).toBe(failure);
  });

  it.each(["EPIPE", "ECONNRESET", "CONNECTION_CLOSED", undefined])("%s of a socket is lost", (code) => {
    expect(postgresDialect.failure(Object.assign(new Error("x"), { code }))).toBe("lost");
  });
});

describe("printed tables", () => {
  it("when names are chosen, they stand quoted in every statement", () => {
    const names = { fence: "app.f", attempt: "app.a", operation: "app.o", act: "app.t" };
    for (const statements of [postgresSchema(names), sqliteSchema(names)]) {
      expect(statements.map((text) => /"app"\."(\w)"/.exec(text)?.[1])).toEqual(["f", "a", "o", "t"]);
    }
  });
});
