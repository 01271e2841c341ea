/**
 * A real PostgreSQL for one test: its own port, folder and configuration. It refuses to run as root; started by root,
 * it runs as nobody.
 *
 * It is our server that answers, or starting fails: PostgreSQL names the folder of its data, which has to be ours.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Client } from "pg";
import { cacheFolder, type Found, locateOrThrow } from "./binaries.js";
import { copyFolder, ownFolder, run, template } from "./data-template.js";
import { guardSegment } from "./guardian.js";
import { postgres } from "./postgres-framing.js";
import type { Command, Owner } from "./process.js";
import type { Row, SqlClient } from "./sql-client.js";
import { type SqlOptions, SqlServer, startSqlServer } from "./sql-server.js";

export type PostgresOptions = SqlOptions;

/** Small, quick to start, and with messages that do not depend on the machine. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  shared_buffers: "16MB",
  min_wal_size: "5MB",
  max_wal_size: "64MB",
  jit: "off",
  // Files below the data, which go with it; other kinds are left behind by a crash.
  dynamic_shared_memory_type: "mmap",
};

/** Commits are written to the kernel before they are acknowledged, and not to the disk. */
const notDurable = { fsync: "off", full_page_writes: "off" };

const initdbArgs = [
  ...["--username=tenure", "--auth=trust", "--encoding=UTF8", "--locale=C"],
  ...["--wal-segsize=1", "--no-sync", "--no-instructions"],
];

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  return startSqlServer((port) => new PostgresServer(port, options), options.data);
}

export class PostgresServer extends SqlServer {
  protected override readonly endsBy = "SIGINT";
  protected override readonly framing = postgres;
  readonly #config: Readonly<Record<string, string>>;

  constructor(port: number, options: PostgresOptions) {
    super(port, "postgres", unprivileged(), options.clock === true);
    this.#config = { ...settings, ...(options.durable === true ? {} : notDurable), ...options.config };
  }

  override urlAt(port: number): string {
    return `postgres://tenure@127.0.0.1:${port}/postgres`;
  }

  override async connect(port: number = this.port): Promise<SqlClient> {
    const client = new Client({ connectionString: this.urlAt(port) });
    const closed = new Promise<void>((resolve) => client.once("end", resolve));
    // It also rejects the statement that runs, where the error is seen.
    client.on("error", () => {});
    await client.connect();
    const id = (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? 0;
    return {
      id,
      closed,
      query: async (sql, params = []) => (await client.query<Row>(sql, [...params])).rows,
      close: () => client.connection.stream.destroy(),
    };
  }

  override async wall(): Promise<number> {
    const [row] = await this.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms");
    return Number(row?.["ms"]);
  }

  /** SIGSTOP to the backend of one connection (`SqlClient.id`): its transaction and its locks stay. */
  async freezeBackend(id: number): Promise<void> {
    await this.running().freezeOne(id);
  }

  thawBackend(id: number): void {
    this.running().thawOne(id);
  }

  /** SIGKILL to one backend. PostgreSQL then ends all others too, and recovers as after a crash. */
  killBackend(id: number): void {
    this.running().killOne(id);
  }

  protected override async command(): Promise<Pick<Command, "path" | "args" | "env" | "readyText">> {
    const { path, env } = await runnable(this.owner);
    const config = Object.entries(this.#config).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    return {
      path,
      args: ["-D", this.data, "-p", String(this.port), ...config],
      env,
      readyText: "ready to accept connections",
    };
  }

  protected override async freshData(): Promise<string> {
    const { path, env } = await runnable(this.owner);
    // Links lead from PATH to where all programs of one version are.
    const program = join(dirname(realpathSync(path)), "initdb");
    return template({
      ...{ name: "postgres", program, settings: initdbArgs, owner: this.owner },
      make: async (folder) => run(program, [...initdbArgs, "-D", folder], { owner: this.owner, env }),
    });
  }

  protected override async dataFolder(): Promise<string> {
    if (this.segmentId !== undefined) guardSegment(this.segmentId);
    const [row] = await this.query("SELECT current_setting('data_directory') AS folder");
    return String(row?.["folder"]);
  }

  protected override tidy(data: string): void {
    const id = this.segmentId;
    // After a crash it is left to the next start on the same data, which may never come.
    if (id !== undefined && !this.isRunning) spawnSync("ipcrm", ["-m", String(id)], { stdio: "ignore" });
    rmSync(join(data, "postmaster.pid"), { force: true });
  }

  /** The one segment of System V shared memory by which a server knows that another works on its data. */
  get segmentId(): number | undefined {
    const path = join(this.data, "postmaster.pid");
    if (!existsSync(path)) return undefined;
    const [, id] = readFileSync(path, "utf8").split("\n")[6]?.trim().split(/\s+/) ?? [];
    return id === undefined ? undefined : Number(id);
  }
}

function unprivileged(): Owner | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}

let known: Promise<Found> | undefined;

/** Where the owner can run it: a copy, when it was unpacked below a folder that is closed to others. */
async function runnable(owner: Owner | undefined): Promise<Found> {
  known ??= owner === undefined ? Promise.resolve(locateOrThrow("postgres")) : reachable(owner);
  return known;
}

async function reachable(owner: Owner): Promise<Found> {
  const found = locateOrThrow("postgres");
  try {
    await run(found.path, ["--version"], { owner, env: found.env });
    return found;
  } catch (error) {
    const unpacked = join(cacheFolder, "postgres");
    // One that was installed is open to all, and has a trouble of its own.
    if (!found.path.startsWith(unpacked)) throw error;
    const folder = ownFolder("tenure-postgres-programs-", undefined);
    chmodSync(folder, 0o755);
    await copyFolder(unpacked, join(folder, "root"));
    const moved = (path: string): string => join(folder, "root", relative(unpacked, path));
    const libraries = (found.env["LD_LIBRARY_PATH"] ?? "").split(":");
    return { path: moved(found.path), env: { LD_LIBRARY_PATH: libraries.map(moved).join(":") } };
  }
}
