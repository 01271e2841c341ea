/**
 * What the databases of the harness have in common: a port and a folder of their own, a copy of a template as their
 * data, and the faults that a test can do to the process, its data and its clock. See postgres.ts and mariadb.ts.
 *
 * Unless a server is `durable`, it does not wait for the disk. What it acknowledged is with the kernel all the same:
 * `kill -9` loses none of it, only a power cut would.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { guardLeftovers, removeLeftovers, ServerClock } from "./clock.js";
import { copyFolder, ownFolder } from "./data-template.js";
import type { Framing } from "./framing.js";
import { HeldServer, startOnFreePort } from "./held-server.js";
import type { Command, Owner } from "./process.js";
import { startProxy, type TcpProxy } from "./proxy.js";
import type { Row, SqlClient } from "./sql-client.js";

/** A folder of data as a server had it. Goes with the test process; may be used any number of times. */
export interface SqlSnapshot {
  readonly path: string;
}

export interface SqlOptions {
  /** Settings of the server, by the names of its own documentation. */
  readonly config?: Readonly<Record<string, string>>;
  readonly data?: "fresh" | SqlSnapshot;
  /** Commits wait for the disk, as in production. For benches. */
  readonly durable?: boolean;
  /** Gives `clock`; needs libfaketime. */
  readonly clock?: boolean;
}

/** Starts it on a free port. */
export async function startSqlServer<Server extends SqlServer>(
  make: (port: number) => Server,
  data: "fresh" | SqlSnapshot = "fresh",
): Promise<Server> {
  return startOnFreePort(make, async (server) => server.start(data), /Address already in use/);
}

/** Its data lies in its folder. */
export abstract class SqlServer extends HeldServer {
  protected readonly owner: Owner | undefined;
  readonly #clock: ServerClock | undefined;
  #control: Promise<SqlClient> | undefined;

  protected constructor(port: number, name: string, owner: Owner | undefined, hasClock: boolean) {
    super(port, ownFolder(`tenure-${name}-`, owner));
    this.owner = owner;
    this.#clock = hasClock ? new ServerClock(this.folder) : undefined;
  }

  /** The address for a client: of the server itself, or of a proxy before it. */
  abstract urlAt(port: number): string;
  /** One more connection, to the server or to a proxy before it, closed by whoever asked for it. */
  abstract connect(port?: number): Promise<SqlClient>;
  /** What its clock shows, in milliseconds as of `Date.now()`. */
  abstract wall(): Promise<number>;
  protected abstract override readonly endsBy: "SIGTERM" | "SIGINT";
  protected abstract readonly framing: Framing;
  protected abstract command(): Promise<Pick<Command, "path" | "args" | "env" | "readyText">>;
  protected abstract freshData(): Promise<string>;
  /** The folder of data of the server that answers. */
  protected abstract dataFolder(): Promise<string>;
  /** To be called with each copy of data before a server starts on it, and when a server has ended. */
  protected abstract tidy(data: string): void;

  get url(): string {
    return this.urlAt(this.port);
  }

  get clock(): ServerClock {
    if (this.#clock === undefined) throw new Error("start it with clock: true");
    return this.#clock;
  }

  /** Over the harness's own connection, which is made when it is first needed. */
  async query(sql: string, params: readonly unknown[] = []): Promise<readonly Row[]> {
    this.running();
    this.#control ??= this.#open();
    const client = await this.#control;
    return client.query(sql, params);
  }

  /** A proxy before it, for one client. */
  async proxy(): Promise<TcpProxy> {
    return startProxy({ to: this.port, framing: this.framing, urlAt: (port) => this.urlAt(port) });
  }

  /** On the same port: with the data that it has, with none, or with that of a snapshot. Kills it first. */
  async restart({ data }: { readonly data: "kept" | "none" | SqlSnapshot }): Promise<void> {
    await this.kill();
    await this.start(data === "none" ? "fresh" : data);
  }

  /** A copy of the data now, as after a crash at this moment. */
  async snapshot(): Promise<SqlSnapshot> {
    const path = join(ownFolder("tenure-snapshot-", this.owner), "data");
    await this.whileFrozen(async () => copyFolder(this.data, path));
    return { path };
  }

  /** Used by `startSqlServer` and `restart`. */
  async start(data: "fresh" | "kept" | SqlSnapshot): Promise<void> {
    await this.#placeData(data);
    this.#clock?.starting();
    const command = await this.command();
    const started = await this.launch({
      ...command,
      env: { PATH: process.env["PATH"] ?? "", TZ: "UTC", ...command.env, ...this.#clock?.env() },
      owner: this.owner,
    });
    if (this.#clock !== undefined) guardLeftovers(started.pid);
    const answering = await this.dataFolder();
    if (answering !== this.data) {
      await this.kill();
      throw new Error(`a server of ${answering} answers on port ${this.port}, not ours of ${this.data}`);
    }
    await this.#clock?.started(async () => this.wall());
  }

  protected get data(): string {
    return join(this.folder, "data");
  }

  async #placeData(data: "fresh" | "kept" | SqlSnapshot): Promise<void> {
    if (data === "kept") return;
    rmSync(this.data, { recursive: true, force: true });
    await copyFolder(data === "fresh" ? await this.freshData() : data.path, this.data);
    this.tidy(this.data);
  }

  async #open(): Promise<SqlClient> {
    // The next query makes another.
    const forget = (): void => {
      this.#control = undefined;
    };
    try {
      const client = await this.connect();
      void client.closed.then(forget);
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }

  protected override async ended(pid: number | undefined): Promise<void> {
    const control = this.#control;
    this.#control = undefined;
    // A connect that failed was reported to the query that asked for it.
    await control?.then(
      (client) => client.close(),
      () => {},
    );
    if (pid === undefined) return;
    if (this.#clock !== undefined) removeLeftovers(pid);
    this.tidy(this.data);
  }
}
