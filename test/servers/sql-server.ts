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
import { freePort } from "./port.js";
import { type Command, type Owner, ServerProcess, StartError } from "./process.js";
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
export async function startOnFreePort<Server extends SqlServer>(
  make: (port: number) => Server,
  data: "fresh" | SqlSnapshot = "fresh",
): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const server = make(await freePort());
    try {
      await server.start(data);
      return server;
    } catch (error) {
      await server.stop();
      // Somebody else took the port in between. Anything else is a failure.
      const isTaken = error instanceof StartError && /Address already in use/.test(error.message);
      if (attempt === 5 || !isTaken) throw error;
    }
  }
}

export abstract class SqlServer {
  readonly port: number;
  /** A folder of its own, and in it the data. */
  protected readonly folder: string;
  protected readonly owner: Owner | undefined;
  readonly #clock: ServerClock | undefined;
  #process: ServerProcess | undefined;
  #control: Promise<SqlClient> | undefined;

  protected constructor(port: number, name: string, owner: Owner | undefined, hasClock: boolean) {
    this.port = port;
    this.owner = owner;
    this.folder = ownFolder(`tenure-${name}-`, owner);
    this.#clock = hasClock ? new ServerClock(this.folder) : undefined;
  }

  /** The address for a client: of the server itself, or of a proxy before it. */
  abstract urlAt(port: number): string;
  /** One more connection, to the server or to a proxy before it, closed by whoever asked for it. */
  abstract connect(port?: number): Promise<SqlClient>;
  /** What its clock shows, in milliseconds as of `Date.now()`. */
  abstract wall(): Promise<number>;
  /** The signal at which it ends in order without waiting for its clients to leave. */
  protected abstract readonly endsBy: "SIGTERM" | "SIGINT";
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

  get pid(): number {
    return this.running().pid;
  }

  get isRunning(): boolean {
    return this.#process?.isRunning === true;
  }

  /** What the process said last. */
  get output(): string {
    return this.#process?.output ?? "";
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

  /** Stops the process where it stands, with its children. The kernel still accepts new connections. */
  async freeze(): Promise<void> {
    await this.running().freeze();
  }

  thaw(): void {
    this.running().thaw();
  }

  /** `kill -9` to the process and all its children, as when a machine goes down but for the disk. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    await this.#ended();
  }

  /** Asks it to end, as an operator does. */
  async shutDown(): Promise<void> {
    await this.#process?.terminate(this.endsBy);
    await this.#ended();
  }

  /** On the same port: with the data that it has, with none, or with that of a snapshot. Kills it first. */
  async restart({ data }: { readonly data: "kept" | "none" | SqlSnapshot }): Promise<void> {
    await this.kill();
    await this.start(data === "none" ? "fresh" : data);
  }

  /** A copy of the data now, as after a crash at this moment. */
  async snapshot(): Promise<SqlSnapshot> {
    const path = join(ownFolder("tenure-snapshot-", this.owner), "data");
    const running = this.running();
    await running.freeze();
    try {
      await copyFolder(this.data, path);
    } finally {
      running.thaw();
    }
    return { path };
  }

  /** Ends it and removes its data. The server cannot be used any more. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Used by `startOnFreePort` and `restart`. */
  async start(data: "fresh" | "kept" | SqlSnapshot): Promise<void> {
    await this.#placeData(data);
    this.#clock?.starting();
    const command = await this.command();
    const started = await ServerProcess.start({
      ...command,
      env: { PATH: process.env["PATH"] ?? "", TZ: "UTC", ...command.env, ...this.#clock?.env() },
      cwd: this.folder,
      owner: this.owner,
    });
    this.#process = started;
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

  protected running(): ServerProcess {
    if (this.#process?.isRunning !== true) throw new Error("the server does not run");
    return this.#process;
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

  async #ended(): Promise<void> {
    const control = this.#control;
    this.#control = undefined;
    // A connect that failed was reported to the query that asked for it.
    await control?.then(
      (client) => client.close(),
      () => {},
    );
    if (this.#process === undefined) return;
    if (this.#clock !== undefined) removeLeftovers(this.#process.pid);
    this.tidy(this.data);
  }
}
