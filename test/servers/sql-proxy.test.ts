/** A proxy between the clients of databases and real ones: it takes, holds and cuts off single replies. */
import postgresJs from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startMariadb } from "./mariadb.js";
import { startPostgres } from "./postgres.js";
import { completes } from "./postgres-framing.js";
import { createPrismaClient } from "./prisma.js";
import type { TcpProxy } from "./proxy.js";
import { anyCase } from "./proxy-fault.js";
import type { SqlClient } from "./sql-client.js";
import type { SqlServer } from "./sql-server.js";
import { describeWithServer } from "./with-server.js";

const starts = { postgres: startPostgres, mariadb: startMariadb };

let server: SqlServer;
let proxy: TcpProxy;
let client: SqlClient;

/** Starts the server for a group, and a proxy with a client for each of its tests. */
function prepare(name: keyof typeof starts): void {
  beforeAll(async () => {
    server = await starts[name]();
    await server.query("CREATE TABLE numbers (number INT NOT NULL)");
  });
  afterAll(async () => {
    await server.stop();
  });
  beforeEach(async () => {
    await server.query("DELETE FROM numbers");
    proxy = await server.proxy();
    client = await server.connect(proxy.port);
  });
  afterEach(async () => {
    await proxy.close();
    client.close();
  });
}

async function numbers(): Promise<readonly unknown[]> {
  const rows = await server.query("SELECT number FROM numbers ORDER BY number");
  return rows.map((row) => row["number"]);
}

async function begin(): Promise<void> {
  await client.query("BEGIN");
  await client.query("INSERT INTO numbers VALUES (1)");
}

/** Whether it is open when the server has answered somebody else some times. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let round = 0; round < 5; round += 1) await server.query("SELECT 1");
  return !settled;
}

describe.each(["postgres", "mariadb"] as const)("a proxy before %s", (name) => {
  describeWithServer(name, "with any client", () => {
    prepare(name);
    const placeholder = name === "postgres" ? "$1" : "?";

    test("without a fault, statements and results of any size pass", async () => {
      const big = "x".repeat(2_000_000);
      expect(await client.query(`SELECT '${big}' AS big`)).toEqual([{ big }]);
      const many = Array.from({ length: 1_000 }, (_, number) => `(${number})`);
      await client.query(`INSERT INTO numbers VALUES ${many.join(",")}`);
      expect(await client.query("SELECT number FROM numbers")).toHaveLength(1_000);
      await expect(client.query("no statement")).rejects.toThrow("syntax");
      const one = await client.query(`SELECT number FROM numbers WHERE number = ${placeholder}`, [7]);
      expect(one).toEqual([{ number: 7 }]);
    });

    test("when the reply to a commit is swallowed, it is done, and its client never learns it", async () => {
      await begin();
      proxy.drop("to-client", { matching: anyCase("commit") });
      const asked = client.query("COMMIT");
      await vi.waitFor(async () => expect(await numbers()).toEqual([1]));
      expect(await isOpen(asked)).toBe(true);
      expect(proxy.faults.drop).toBeGreaterThan(0);
      await Promise.all([expect(asked).rejects.toThrow(/ECONNRESET|lost|terminated/), proxy.heal()]);
    });

    test("when a commit is held, it is done when it is let go, whether its client waits or not", async () => {
      await begin();
      proxy.hold("to-server", { matching: "COMMIT" });
      const asked = client.query("COMMIT");
      await proxy.held();
      expect(await numbers()).toEqual([]);
      client.close();
      await asked.catch(() => {});
      expect(await numbers()).toEqual([]);
      proxy.release();
      await vi.waitFor(async () => expect(await numbers()).toEqual([1]));
    });

    test("when its reply is held, all after it waits, and comes in order", async () => {
      await begin();
      proxy.hold("to-client", { matching: "COMMIT" });
      const asked = client.query("COMMIT");
      expect((await proxy.held()).toString("latin1")).toContain("COMMIT");
      const next = client.query("SELECT 2 AS two");
      expect(await isOpen(Promise.race([asked, next]))).toBe(true);
      expect(await numbers()).toEqual([1]);
      await proxy.heal();
      expect(await asked).toEqual([]);
      expect((await next).map((row) => Number(row["two"]))).toEqual([2]);
    });

    test("when the connection is reset for its reply, it is done, and statements before were answered", async () => {
      proxy.resetEvery(1, { of: "requests", delivered: true, matching: "COMMIT" });
      await begin();
      await expect(client.query("COMMIT")).rejects.toThrow(/ECONNRESET|lost|terminated/);
      expect(await numbers()).toEqual([1]);
    });

    test("nothing can be sent again on another connection", async () => {
      expect(() => proxy.duplicate()).toThrow("belongs to its connection");
      await expect(proxy.resend(Buffer.from("x"))).rejects.toThrow("belongs to its connection");
    });

    test("what is said of a reply cannot be asked of a request", () => {
      expect(() => proxy.drop("to-server", { reply: "COMMIT" })).toThrow("before there is a reply");
    });

    test("of a client that does not wait for replies, each reply is that of its request", async () => {
      const prisma = createPrismaClient(proxy.url);
      await prisma.$queryRawUnsafe("SELECT 1");
      proxy.drop("to-client", { matching: anyCase("commit") });
      const insert = prisma.$transaction(
        async (transaction) => transaction.$executeRawUnsafe("INSERT INTO numbers VALUES (3)"),
        { timeout: 20_000 },
      );
      await vi.waitFor(async () => expect(await numbers()).toEqual([3]));
      expect(await isOpen(insert)).toBe(true);
      await Promise.all([expect(insert).rejects.toThrow(/./), proxy.heal()]);
      await prisma.$disconnect();
    });
  });
});

describeWithServer("postgres", "a proxy before PostgreSQL", () => {
  prepare("postgres");

  test("it can take the word that a transaction is committed, and that alone strikes", async () => {
    const fault = proxy.drop("to-client", { reply: completes("COMMIT") });
    await begin();
    expect(fault.count).toBe(0);
    const asked = client.query("COMMIT");
    await vi.waitFor(async () => expect(await numbers()).toEqual([1]));
    expect(await isOpen(asked)).toBe(true);
    expect(fault.count).toBe(1);
    await Promise.all([expect(asked).rejects.toThrow(/ECONNRESET|terminated/), proxy.heal()]);
  });

  test("a commit that rolls back is not taken for one that commits", async () => {
    const fault = proxy.drop("to-client", { reply: completes("COMMIT") });
    await client.query("BEGIN");
    await expect(client.query("no statement")).rejects.toThrow("syntax");
    await client.query("COMMIT");
    expect(fault.count).toBe(0);
  });

  test("with a client that asks what a statement means before it runs it, both replies are the statement's", async () => {
    const sql = postgresJs(proxy.url, { max: 1, onnotice: () => {} });
    await sql`SELECT 1`;
    proxy.hold("to-client", { matching: "INSERT", reply: completes("INSERT 0 1") });
    const asked = sql`INSERT INTO numbers VALUES (${5})`.execute();
    expect((await proxy.held()).toString("latin1")).toContain("INSERT");
    expect(await numbers()).toEqual([5]);
    await proxy.heal();
    expect((await asked).count).toBe(1);
    proxy.drop("to-client", { reply: completes("COMMIT") });
    const lost = sql.begin(async (transaction) => transaction`INSERT INTO numbers VALUES (${6})`);
    await vi.waitFor(async () => expect(await numbers()).toEqual([5, 6]));
    await Promise.all([expect(lost).rejects.toThrow(/ECONNRESET|CONNECTION/), proxy.heal()]);
    await sql.end({ timeout: 0 });
  });
});
