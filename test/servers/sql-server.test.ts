/** What the harness promises of PostgreSQL and MariaDB alike, seen on real ones; then what each has of its own. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { type MariadbServer, startMariadb } from "./mariadb.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { segments } from "./segments.js";
import type { SqlClient } from "./sql-client.js";
import type { SqlOptions, SqlServer } from "./sql-server.js";
import { describeWithServer } from "./with-server.js";

const started: SqlServer[] = [];
const clients: SqlClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

async function kept<Server extends SqlServer>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  started.push(server);
  return server;
}

async function connect(server: SqlServer, port?: number): Promise<SqlClient> {
  const client = await server.connect(port);
  clients.push(client);
  return client;
}

const runs = (pid: number): boolean => listProcesses().some((listed) => listed.pid === pid);
const folders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => /^tenure-(postgres|mariadb)-/.test(name));
/** So many turns of the event loop. */
const turns = async (count: number): Promise<string> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return "turned";
};

interface Kind {
  readonly start: (options?: SqlOptions) => Promise<SqlServer>;
  /** A setting that it has, how it is asked for, and what it then says. */
  readonly setting: readonly [name: string, value: string, query: string];
  readonly isDurable: string;
}

const kinds: Readonly<Record<"postgres" | "mariadb", Kind>> = {
  postgres: {
    start: (options) => kept(startPostgres(options)),
    setting: ["work_mem", "5MB", "SELECT current_setting('work_mem') AS value"],
    isDurable: "SELECT current_setting('fsync') = 'on' AS yes",
  },
  mariadb: {
    start: (options) => kept(startMariadb(options)),
    setting: ["sort-buffer-size", "65536", "SELECT @@sort_buffer_size AS value"],
    isDurable:
      "SELECT @@innodb_flush_log_at_trx_commit = 1 AND @@innodb_flush_method <> 'nosync' AND @@innodb_doublewrite AS yes",
  },
};

describe.each(["postgres", "mariadb"] as const)("%s of the harness", (name) => {
  const { start, setting, isDurable } = kinds[name];
  describeWithServer(name, "started", () => {
    test("it answers on loopback, with a configuration, and leaves nothing when it is stopped", async () => {
      const before = folders();
      const [key, value, query] = setting;
      const server = await start({ config: { [key]: value } });
      const { pid } = server;
      expect(await server.query(query)).toEqual([{ value }]);
      expect(server.url).toContain(`@127.0.0.1:${server.port}/`);
      await server.stop();
      expect(runs(pid)).toBe(false);
      expect(folders()).toEqual(before);
      await expect(server.query(query)).rejects.toThrow("does not run");
    });

    test("64-bit numbers pass as text, and an error has the code of the server", async () => {
      const server = await start();
      await server.query("CREATE TABLE tokens (token BIGINT NOT NULL)");
      await server.query("INSERT INTO tokens VALUES (9007199254740993)");
      expect(await server.query("SELECT token FROM tokens")).toEqual([{ token: "9007199254740993" }]);
      await expect(server.query("SELECT * FROM nothing")).rejects.toMatchObject({
        code: name === "postgres" ? "42P01" : "ER_NO_SUCH_TABLE",
      });
    });

    test("killed, it keeps what it acknowledged, on the same port", async () => {
      const server = await start();
      const { pid, port } = server;
      await server.query("CREATE TABLE numbers (number INT NOT NULL PRIMARY KEY)");
      for (let number = 0; number < 50; number += 1)
        await server.query(`INSERT INTO numbers VALUES (${number})`);
      const other = await connect(server);
      await server.kill();
      await other.closed;
      await expect(server.query("SELECT 1")).rejects.toThrow("does not run");
      await server.restart({ data: "kept" });
      expect(server.pid).not.toBe(pid);
      expect(server.port).toBe(port);
      expect(Number((await server.query("SELECT count(*) AS count FROM numbers"))[0]?.["count"])).toBe(50);
      await server.restart({ data: "none" });
      await expect(server.query("SELECT * FROM numbers")).rejects.toThrow(/numbers/);
    });

    test("asked to end, it ends in order, also when it is frozen", async () => {
      const server = await start();
      await server.freeze();
      await server.shutDown();
      expect(server.isRunning).toBe(false);
      await server.restart({ data: "kept" });
      expect(server.output).not.toMatch(/not properly shut down|crash recovery/);
    });

    test("a snapshot brings old data back, here and elsewhere", async () => {
      const server = await start();
      await server.query("CREATE TABLE words (word TEXT)");
      await server.query("INSERT INTO words VALUES ('old')");
      const snapshot = await server.snapshot();
      await server.query("INSERT INTO words VALUES ('new')");
      const copy = await start({ data: snapshot });
      expect(await copy.query("SELECT word FROM words")).toEqual([{ word: "old" }]);
      await server.restart({ data: snapshot });
      expect(await server.query("SELECT word FROM words")).toEqual([{ word: "old" }]);
    });

    test("frozen, it answers nothing; thawed, it answers all", async () => {
      const server = await start();
      const client = await connect(server);
      await server.freeze();
      const asked = client.query("SELECT 1 AS one");
      expect(await Promise.race([asked, turns(50)])).toBe("turned");
      server.thaw();
      expect((await asked).map((row) => Number(row["one"]))).toEqual([1]);
    });

    test("when another server has its port, a restart fails instead of talking to that one", async () => {
      const server = await start();
      await server.kill();
      const usurper = createServer().listen(server.port, "127.0.0.1");
      await once(usurper, "listening");
      await expect(server.restart({ data: "kept" })).rejects.toThrow("Address already in use");
      usurper.close();
      await server.restart({ data: "kept" });
      expect(await server.query("SELECT 1 AS one")).toHaveLength(1);
    });

    test("when its configuration is refused, starting fails with what it said, and leaves nothing", async () => {
      const before = folders();
      await expect(start({ config: { no_such_setting: "1" } })).rejects.toThrow(
        /ended before it was ready.*no_such_setting/s,
      );
      expect(folders()).toEqual(before);
    });

    test("it waits for the disk when it is durable, and not otherwise", async () => {
      const answers = await Promise.all(
        [true, false].map(async (durable) => (await start({ durable })).query(isDurable)),
      );
      expect(answers.map(([row]) => Boolean(row?.["yes"]))).toEqual([true, false]);
    });

    test("behind a proxy, a connection can be cut", async () => {
      const server = await start();
      const proxy = await server.proxy();
      const client = await connect(server, proxy.port);
      expect(proxy.url).toBe(server.urlAt(proxy.port));
      proxy.cut();
      await expect(client.query("SELECT 1")).rejects.toThrow(/./);
      await client.closed;
      await proxy.close();
    });
  });

  describeWithServer([name, "libfaketime"], "the clock", () => {
    test("it jumps while the server runs, and goes on after a restart", async () => {
      const server = await start({ clock: true });
      const ahead = async (): Promise<number> => (await server.wall()) - Date.now();
      expect(Math.abs(await ahead())).toBeLessThan(100);
      server.clock.jump(3_600_000);
      expect(Math.abs((await ahead()) - 3_600_000)).toBeLessThan(100);
      server.clock.jump(-7_200_000);
      expect(Math.abs((await ahead()) + 3_600_000)).toBeLessThan(100);
      const { pid } = server;
      await server.restart({ data: "kept" });
      expect(Math.abs((await ahead()) + 3_600_000)).toBeLessThan(100);
      expect(readdirSync("/dev/shm").filter((file) => file.endsWith(`_${pid}`))).toEqual([]);
    });
  });
});

describeWithServer("postgres", "the backends of PostgreSQL", () => {
  let server: PostgresServer;
  const startOne = async (): Promise<readonly [SqlClient, SqlClient]> => {
    server = await kept(startPostgres());
    return [await connect(server), await connect(server)];
  };

  test("one is frozen, its lock stays, and others run on", async () => {
    const [holder, other] = await startOne();
    await holder.query("BEGIN");
    await holder.query("SELECT pg_advisory_xact_lock(1)");
    await server.freezeBackend(holder.id);
    const asked = holder.query("COMMIT");
    expect(await other.query("SELECT pg_try_advisory_lock(1) AS got")).toEqual([{ got: false }]);
    server.thawBackend(holder.id);
    await asked;
    await vi.waitFor(async () =>
      expect(await other.query("SELECT pg_try_advisory_lock(1) AS got")).toEqual([{ got: true }]),
    );
  });

  test("one is frozen and ended by an operator, and its lock stays until it wakes", async () => {
    const [holder, other] = await startOne();
    await holder.query("SELECT pg_advisory_lock(1)");
    await server.freezeBackend(holder.id);
    await other.query("SELECT pg_terminate_backend($1::int)", [holder.id]);
    expect(await other.query("SELECT pg_try_advisory_lock(1) AS got")).toEqual([{ got: false }]);
    server.thawBackend(holder.id);
    await holder.closed;
    await vi.waitFor(async () =>
      expect(await other.query("SELECT pg_try_advisory_lock(1) AS got")).toEqual([{ got: true }]),
    );
  });

  test("one is killed: all end, and the server recovers by itself", async () => {
    const [one, other] = await startOne();
    const { pid } = server;
    server.killBackend(one.id);
    await Promise.all([one.closed, other.closed]);
    await vi.waitFor(async () => expect(await server.query("SELECT 1 AS one")).toEqual([{ one: 1 }]));
    expect(server.pid).toBe(pid);
    expect(server.output).toContain("automatic recovery in progress");
  });

  test.runIf(process.platform === "linux")(
    `killed, it leaves no shared memory behind${process.platform === "linux" ? "" : " (skipped: the list of it stands in /proc, which only Linux has)"}`,
    async () => {
      await startOne();
      const { segmentId } = server;
      expect(segments()).toContain(segmentId);
      await server.kill();
      expect(segments()).not.toContain(segmentId);
    },
  );

  test("what is no backend of this server is not touched", async () => {
    await startOne();
    await expect(server.freezeBackend(process.pid)).rejects.toThrow("is no child of the server");
    expect(() => server.killBackend(server.pid)).toThrow("is no child of the server");
  });
});

describeWithServer("mariadb", "a thread of MariaDB", () => {
  test("one is ended by its id, and its lock is free", async () => {
    const server: MariadbServer = await kept(startMariadb());
    const [holder, other] = [await connect(server), await connect(server)];
    expect(await holder.query("SELECT get_lock('name', 0) AS got")).toEqual([{ got: 1 }]);
    expect(await other.query("SELECT get_lock('name', 0) AS got")).toEqual([{ got: 0 }]);
    await other.query(`KILL ${holder.id}`);
    await holder.closed;
    await vi.waitFor(async () =>
      expect(await other.query("SELECT get_lock('name', 0) AS got")).toEqual([{ got: 1 }]),
    );
  });
});
