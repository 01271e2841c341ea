/**
 * A real redis-server for one test: its own port, folder and configuration, no persistence unless asked, and the
 * faults that a test can do to the process, its data and its clock. Faults of the network are those of proxy.ts.
 *
 * It is our server that answers, or starting fails: Redis names its process number, which has to be our child's.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateOrThrow } from "./binaries.js";
import { guardLeftovers, removeLeftovers, ServerClock } from "./clock.js";
import { ownFolder } from "./data-template.js";
import { resp } from "./framing.js";
import { HeldServer, startOnFreePort } from "./held-server.js";
import { startProxy, type TcpProxy } from "./proxy.js";
import { type Argument, encodeCommand, type Reply } from "./resp.js";
import { RespClient } from "./resp-client.js";

/** A folder of data as a server had it. Goes with the test process; may be used any number of times. */
export interface Snapshot {
  readonly path: string;
  readonly appendOnly: boolean;
}

export interface RedisOptions {
  /** Lines of redis.conf; an array stands for as many lines. An empty value is written as `""`. */
  readonly config?: Readonly<Record<string, string | readonly string[]>>;
  readonly data?: "fresh" | Snapshot;
  /** Gives `clock`; needs libfaketime. */
  readonly clock?: boolean;
  readonly password?: string;
}

export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  return startOnFreePort(
    (port) => new RedisServer(port, options),
    async (server) => server.start(options.data ?? "fresh"),
    /Address already in use/,
  );
}

export class RedisServer extends HeldServer {
  readonly url: string;
  readonly password: string | undefined;
  readonly #config: Readonly<Record<string, string | readonly string[]>>;
  readonly #clock: ServerClock | undefined;
  #control: RespClient | undefined;
  /** Commands of the control connection since the start, by the names that Redis counts them under. */
  #sent = new Map<string, number>();

  constructor(port: number, options: RedisOptions) {
    super(port, ownFolder("tenure-redis-", undefined));
    this.password = options.password;
    this.url = this.urlAt(port);
    this.#config = { save: "", appendonly: "no", ...options.config };
    this.#clock = options.clock === true ? new ServerClock(this.folder) : undefined;
  }

  /** The address for a client: of the server itself, or of a proxy before it. */
  urlAt(port: number): string {
    const user = this.password === undefined ? "" : `:${encodeURIComponent(this.password)}@`;
    return `redis://${user}127.0.0.1:${port}`;
  }

  get clock(): ServerClock {
    if (this.#clock === undefined) throw new Error("start it with clock: true");
    return this.#clock;
  }

  /** Over the harness's own connection, which is made when it is first needed. */
  async command(...args: readonly Argument[]): Promise<Reply> {
    this.running();
    if (this.#control?.isOpen !== true) {
      this.#control = await RespClient.connect(this.port, this.password);
      if (this.password !== undefined) this.#count(["auth"]);
    }
    const reply = await this.#control.command(...args);
    this.#count(args);
    return reply;
  }

  /** One more connection, to the server or to a proxy before it, closed by whoever asked for it. */
  async connect(port: number = this.port): Promise<RespClient> {
    return RespClient.connect(port, this.password);
  }

  /** A proxy before it, for one client. */
  async proxy(): Promise<TcpProxy> {
    const greeting = this.password === undefined ? [] : [encodeCommand(["AUTH", this.password])];
    return startProxy({ to: this.port, framing: resp, greeting, urlAt: (port) => this.urlAt(port) });
  }

  /** A section of INFO, as names and values. */
  async info(section: string): Promise<Readonly<Record<string, string>>> {
    const text = String(await this.command("INFO", section));
    const lines = text.split("\r\n").filter((line) => line !== "" && !line.startsWith("#"));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
    );
  }

  /** What its clock shows, in milliseconds as of `Date.now()`. */
  async wall(): Promise<number> {
    const [seconds, micros] = (await this.command("TIME")) as readonly string[];
    return Number(seconds) * 1_000 + Number(micros) / 1_000;
  }

  /**
   * How many commands were executed since the process started, without those of `command()`: all, or those of one
   * name as Redis writes it (`evalsha`, `config|get`). Commands that a script calls are counted too.
   */
  async commandCount(name?: string): Promise<number> {
    // Taken before the question, which is in no answer to itself.
    const sent = new Map(this.#sent);
    let count = 0;
    for (const [key, value] of Object.entries(await this.info("commandstats"))) {
      const command = key.replace(/^cmdstat_/, "");
      if (name !== undefined && command !== name.toLowerCase()) continue;
      count += Number(/calls=(\d+)/.exec(value)?.[1]) - (sent.get(command) ?? 0);
    }
    return count;
  }

  /**
   * On the same port: with the data that it has on disk, with none, or with that of a snapshot. Kills it first when
   * it still runs. "kept" is what the configuration made it keep: nothing at all unless it has some persistence.
   */
  async restart({ data }: { readonly data: "kept" | "none" | Snapshot }): Promise<void> {
    await this.kill();
    await this.start(data === "none" ? "fresh" : data);
  }

  /** A copy of the data as it is on disk now; without persistence it is written for this purpose only. */
  async snapshot(): Promise<Snapshot> {
    const path = ownFolder("tenure-snapshot-", undefined);
    const appendOnly = this.#config["appendonly"] === "yes";
    if (appendOnly) {
      await this.whileFrozen(() => cpSync(this.#data, path, { recursive: true }));
      return { path, appendOnly };
    }
    await this.command("SAVE");
    const file = String(this.#config["dbfilename"] ?? "dump.rdb");
    cpSync(join(this.#data, file), join(path, file));
    // A server that is told to keep nothing must not find this at its next start.
    if (this.#config["save"] === "") rmSync(join(this.#data, file));
    return { path, appendOnly };
  }

  /** Used by `startRedis` and `restart`. */
  async start(data: "fresh" | "kept" | Snapshot): Promise<void> {
    this.#placeData(data);
    const { path, env } = locateOrThrow("redis");
    this.#clock?.starting();
    const started = await this.launch({
      path,
      args: [this.#writeConfig()],
      // libc.so.6 takes malloc back from jemalloc, which cannot start under libfaketime.
      env: { PATH: process.env["PATH"] ?? "", ...env, ...this.#clock?.env(["libc.so.6"]) },
      readyText: "Ready to accept connections",
    });
    if (this.#clock !== undefined) guardLeftovers(started.pid);
    this.#sent = new Map();
    const { process_id } = await this.info("server");
    if (Number(process_id) !== started.pid) {
      await this.kill();
      throw new Error(`process ${process_id} answers on port ${this.port}, where ${started.pid} was started`);
    }
    await this.#clock?.started(async () => this.wall());
  }

  get #data(): string {
    return join(this.folder, "data");
  }

  #placeData(data: "fresh" | "kept" | Snapshot): void {
    if (data === "kept") return;
    rmSync(this.#data, { recursive: true, force: true });
    mkdirSync(this.#data);
    if (data === "fresh") return;
    if (data.appendOnly !== (this.#config["appendonly"] === "yes"))
      throw new Error("the snapshot and the server differ in appendonly: Redis would start empty");
    cpSync(data.path, this.#data, { recursive: true });
  }

  #writeConfig(): string {
    const fixed = {
      port: String(this.port),
      bind: "127.0.0.1",
      dir: this.#data,
      daemonize: "no",
      logfile: "",
      ...(this.password === undefined ? {} : { requirepass: this.password }),
    };
    const lines = Object.entries({ ...this.#config, ...fixed }).flatMap(([key, value]) =>
      [value].flat().map((one) => `${key} ${one === "" ? '""' : one}`),
    );
    const path = join(this.folder, "redis.conf");
    writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
    return path;
  }

  protected override ended(pid: number | undefined): void {
    this.#control?.close();
    this.#control = undefined;
    if (this.#clock !== undefined && pid !== undefined) removeLeftovers(pid);
  }

  #count(args: readonly Argument[]): void {
    const [first = "", second = ""] = args.map((arg) => String(arg).toLowerCase());
    for (const name of [first, `${first}|${second}`]) this.#sent.set(name, (this.#sent.get(name) ?? 0) + 1);
  }
}
