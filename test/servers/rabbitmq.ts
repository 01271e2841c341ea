/**
 * A real RabbitMQ for one test: ports of its own, a folder of its own, and the faults that a test can do to the
 * process and its data. Faults of the network are those of proxy.ts, which takes what arrives together for one message.
 *
 * The machine of Erlang is started without the scripts around it, which know one place only. It is named before the
 * broker boots, so that no `epmd` is asked for, and none is left behind.
 *
 * It is our server that answers, or starting fails: a broker tells the name of its cluster, which is made up here.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ChannelModel, connect } from "amqplib";
import { type Found, locateOrThrow } from "./binaries.js";
import { ownFolder } from "./data-template.js";
import { HeldServer, startOnFreePort } from "./held-server.js";
import { freePort } from "./port.js";
import { startProxy, type TcpProxy } from "./proxy.js";

export interface RabbitmqOptions {
  /** Lines of rabbitmq.conf. */
  readonly config?: Readonly<Record<string, string>>;
}

export async function startRabbitmq(options: RabbitmqOptions = {}): Promise<RabbitmqServer> {
  return startOnFreePort(
    async (port) => new RabbitmqServer(port, await freePort(), options),
    async (server) => server.start(),
    /eaddrinuse/,
  );
}

/** A boot takes four seconds on a machine at rest, and tests may not have it for themselves. */
const startLimitMs = 90_000;

export class RabbitmqServer extends HeldServer {
  /** Where other nodes and tools would come in. None do, and it cannot be closed. */
  readonly #nodePort: number;
  readonly #config: Readonly<Record<string, string>>;
  readonly #cluster = `tenure-${randomUUID()}`;

  constructor(port: number, nodePort: number, { config = {} }: RabbitmqOptions) {
    super(port, ownFolder("tenure-rabbitmq-", undefined));
    this.#nodePort = nodePort;
    this.#config = config;
  }

  get url(): string {
    return this.urlAt(this.port);
  }

  /** The address for a client: of the server itself, or of a proxy before it. */
  urlAt(port: number): string {
    return `amqp://guest:guest@127.0.0.1:${port}`;
  }

  /** One more connection, to the server or to a proxy before it, closed by whoever asked for it. */
  async connect(port: number = this.port): Promise<ChannelModel> {
    const connection = await connect(this.urlAt(port), { noDelay: true });
    // Without a listener the fault that a test has made would end the process; what waits for an answer hears of it.
    connection.on("error", () => {});
    return connection;
  }

  /** A proxy before it, for one client. */
  async proxy(): Promise<TcpProxy> {
    return startProxy({ to: this.port, urlAt: (port) => this.urlAt(port) });
  }

  /** On the same port with the data that it has. Kills it first when it still runs. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Used by `startRabbitmq` and `restart`. */
  async start(): Promise<void> {
    const found = locateOrThrow("rabbitmq");
    await this.launch({
      path: join(dirname(found.path), "erlexec"),
      args: this.#args(),
      env: this.#env(found),
      readyText: "Server startup complete",
      readyLimitMs: startLimitMs,
    });
    const connection = await this.connect();
    const answering = String(connection.connection.serverProperties["cluster_name"]);
    await connection.close();
    if (answering === this.#cluster) return;
    await this.kill();
    throw new Error(`a broker of ${answering} answers on port ${this.port}, not ours of ${this.#cluster}`);
  }

  #args(): readonly string[] {
    return [
      ...["-noinput", "-boot", "start_sasl", "-s", "rabbit", "boot", "+W", "w"],
      // One thread that sleeps when it has nothing to do: other tests run beside it.
      ...["+S", "1:1", "+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"],
      ...["-sname", "rabbit@localhost", "-setcookie", this.#cluster],
      ...["-start_epmd", "false", "-erl_epmd_port", String(this.#nodePort)],
      ...["-kernel", "inet_dist_use_interface", "{127,0,0,1}"],
      ...["-kernel", "prevent_overlapping_partitions", "false"],
      ...["-syslog", "logger", "[]", "-syslog", "syslog_error_logger", "false"],
    ];
  }

  #env({ path, env }: Found): Readonly<Record<string, string>> {
    const root = dirname(dirname(dirname(path)));
    const versions = join(dirname(root), "rabbitmq/lib");
    const [version] = readdirSync(versions).filter((name) => name.startsWith("rabbitmq_server-"));
    if (version === undefined) throw new Error(`${versions} holds no RabbitMQ`);
    const plugins = join(versions, version, "plugins");
    const own = (name: string): string => join(this.folder, name);
    return {
      PATH: process.env["PATH"] ?? "",
      ...env,
      ...{ ROOTDIR: root, BINDIR: dirname(path), EMU: "beam", PROGNAME: "erl", ERL_LIBS: plugins },
      HOME: this.folder,
      RABBITMQ_HOME: join(versions, version),
      RABBITMQ_PLUGINS_DIR: plugins,
      RABBITMQ_NODENAME: "rabbit@localhost",
      RABBITMQ_CONFIG_FILE: this.#writeConfig(),
      // Named, so that none of the machine's own is read.
      RABBITMQ_CONF_ENV_FILE: own("none"),
      RABBITMQ_ADVANCED_CONFIG_FILE: own("none.config"),
      RABBITMQ_ENABLED_PLUGINS_FILE: own("plugins"),
      RABBITMQ_MNESIA_BASE: own("data"),
      RABBITMQ_GENERATED_CONFIG_DIR: own("generated"),
      RABBITMQ_PID_FILE: own("pid"),
      RABBITMQ_LOG_BASE: own("log"),
      RABBITMQ_LOGS: "-",
    };
  }

  #writeConfig(): string {
    const fixed = {
      "listeners.tcp.default": `127.0.0.1:${this.port}`,
      cluster_name: this.#cluster,
      "log.console": "true",
      "log.console.level": "info",
      "log.file": "false",
    };
    const lines = Object.entries({ ...this.#config, ...fixed }).map(([key, value]) => `${key} = ${value}`);
    writeFileSync(join(this.folder, "plugins"), "[].\n");
    const path = join(this.folder, "rabbitmq.conf");
    writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
    return path;
  }

  protected override ended(): void {}
}
