/**
 * A real MariaDB for one test: its own port, folder and configuration.
 *
 * It is our server that answers, or starting fails: MariaDB names the folder of its data, which has to be ours.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createConnection as connectTo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { locateOrThrow } from "./binaries.js";
import { run, template } from "./data-template.js";
import { mysql } from "./mysql-framing.js";
import type { Command } from "./process.js";
import type { Row, SqlClient } from "./sql-client.js";
import { type SqlOptions, SqlServer, startSqlServer } from "./sql-server.js";

export type MariadbOptions = SqlOptions;

/** Small and quick to start. What concerns files has to be the same for the template and for who works on it. */
const fileSettings: Readonly<Record<string, string>> = {
  "innodb-log-file-size": "4M",
  "innodb-autoextend-increment": "1",
  "innodb-temp-data-file-path": "ibtmp1:1M:autoextend",
  "innodb-buffer-pool-size": "16M",
};

const settings: Readonly<Record<string, string>> = {
  ...fileSettings,
  "bind-address": "127.0.0.1",
  "default-time-zone": "+00:00",
  "skip-name-resolve": "1",
  socket: "",
};

/** Commits are written to the kernel before they are acknowledged, and not to the disk. */
const notDurable = {
  "innodb-flush-log-at-trx-commit": "2",
  "innodb-flush-method": "nosync",
  "innodb-doublewrite": "0",
};

/** The tables of the server itself come with it, as these. */
const systemTables = [
  "mysql_system_tables.sql",
  "mysql_performance_tables.sql",
  "mysql_system_tables_data.sql",
];
const before = ["CREATE DATABASE mysql;", "USE mysql;", "SET @auth_root_socket = NULL;"];
const after = [
  "FLUSH PRIVILEGES;",
  "CREATE DATABASE tenure;",
  "CREATE USER tenure@'%';",
  "GRANT ALL ON *.* TO tenure@'%' WITH GRANT OPTION;",
];

export async function startMariadb(options: MariadbOptions = {}): Promise<MariadbServer> {
  return startSqlServer((port) => new MariadbServer(port, options), options.data);
}

export class MariadbServer extends SqlServer {
  protected override readonly endsBy = "SIGTERM";
  protected override readonly framing = mysql;
  readonly #config: Readonly<Record<string, string>>;

  constructor(port: number, options: MariadbOptions) {
    super(port, "mariadb", undefined, options.clock === true);
    this.#config = { ...settings, ...(options.durable === true ? {} : notDurable), ...options.config };
  }

  override urlAt(port: number): string {
    return `mysql://tenure@127.0.0.1:${port}/tenure`;
  }

  override async connect(port: number = this.port): Promise<SqlClient> {
    const socket = connectTo({ port, host: "127.0.0.1", noDelay: true });
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    const connection = await createConnection({
      uri: this.urlAt(port),
      stream: socket,
      timezone: "Z",
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
    // It also rejects the statement that runs, where the error is seen.
    connection.on("error", () => {});
    // A statement that runs when its connection is destroyed is never settled by the driver.
    const closing = new AbortController();
    const abandoned = new Promise<never>((_, reject) =>
      closing.signal.addEventListener("abort", () => reject(new Error("the connection is closed"))),
    );
    abandoned.catch(() => {});
    return {
      id: connection.threadId,
      closed,
      query: async (sql, params = []) => {
        const answer = connection.query<RowDataPacket[]>(sql, [...params]);
        const [rows] = await Promise.race([answer, abandoned]);
        return Array.isArray(rows) ? rows.map((row): Row => ({ ...row })) : [];
      },
      close: () => {
        closing.abort();
        connection.destroy();
      },
    };
  }

  override async wall(): Promise<number> {
    const [row] = await this.query("SELECT unix_timestamp(sysdate(6)) * 1000 AS ms");
    return Number(row?.["ms"]);
  }

  protected override async command(): Promise<Pick<Command, "path" | "args" | "env" | "readyText">> {
    const { path, env } = locateOrThrow("mariadb");
    const fixed = { port: String(this.port), "pid-file": join(this.folder, "pid") };
    return {
      path,
      args: [...basics(path, this.data), ...options({ ...this.#config, ...fixed })],
      env,
      readyText: "ready for connections",
    };
  }

  protected override async freshData(): Promise<string> {
    const { path, env } = locateOrThrow("mariadb");
    const args = ["--bootstrap", ...options({ ...fileSettings, ...notDurable })];
    return template({
      ...{ name: "mariadb", program: path, settings: [...args, ...before, ...after], owner: undefined },
      make: async (folder) => {
        const tables = systemTables.map((file) => readFileSync(join(shared(path), file), "utf8"));
        const input = [...before, ...tables, ...after].map((statements) => `${statements}\n`).join("");
        await run(path, [...basics(path, folder), ...args], { env, input });
      },
    });
  }

  protected override async dataFolder(): Promise<string> {
    const [row] = await this.query("SELECT @@datadir AS folder");
    return String(row?.["folder"]).replace(/\/$/, "");
  }

  protected override tidy(): void {}
}

/** `--no-defaults` has to be the first. */
function basics(path: string, data: string): readonly string[] {
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  return ["--no-defaults", `--datadir=${data}`, `--lc-messages-dir=${shared(path)}`, ...user];
}

function options(config: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(config).map(([key, value]) => `--${key}=${value}`);
}

/** Its messages and the tables of the server, which lie where the program lies. */
function shared(path: string): string {
  const prefix = resolve(dirname(realpathSync(path)), "..");
  const folder = ["share/mysql", "share/mariadb"].map((name) => join(prefix, name)).find(existsSync);
  if (folder === undefined) throw new Error(`no share/mysql or share/mariadb beside ${path}`);
  return folder;
}
