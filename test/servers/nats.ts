/**
 * A real nats-server with JetStream for one test: its own port and folder, and the faults that a test can do to the
 * process and its data. Faults of the network are those of proxy.ts. Written in Go, it has no clock to bend.
 *
 * It is our server that answers, or starting fails: NATS names its id, which has to stand in our child's output.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateOrThrow } from "./binaries.js";
import { ownFolder } from "./data-template.js";
import { HeldServer, startOnFreePort } from "./held-server.js";
import { NatsWire } from "./nats-client.js";
import { nats } from "./nats-framing.js";
import { startProxy, type TcpProxy } from "./proxy.js";

/** What a message of a stream is, past every client: headers as they stand on the wire. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  readonly headers: string;
  readonly data: string;
}

export interface NatsOptions {
  /** Lines of its configuration, beside those of port and data. The harness's own connection has no credentials. */
  readonly config?: string;
}

export async function startNats({ config = "" }: NatsOptions = {}): Promise<NatsServer> {
  return startOnFreePort(
    (port) => new NatsServer(port, config),
    async (server) => server.start(),
    /address already in use/,
  );
}

export class NatsServer extends HeldServer {
  readonly url: string;
  readonly #config: string;
  #control: NatsWire | undefined;

  constructor(port: number, config: string) {
    super(port, ownFolder("tenure-nats-", undefined));
    this.#config = config;
    this.url = urlAt(port);
    mkdirSync(this.#data);
  }

  /** A question to JetStream's API, over the harness's own connection. Throws what it answers with an error. */
  async api(name: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return answerOf(await (await this.#wire()).ask(`$JS.API.${name}`, JSON.stringify(body)), name);
  }

  /** Publishes as somebody does who knows of no guard. Resolves with the sequence in the stream. */
  async publish(subject: string, payload: string): Promise<number> {
    return Number(answerOf(await (await this.#wire()).ask(subject, payload), subject)["seq"]);
  }

  /** A stream kept on disk, for these subjects. `config`: lines of its configuration by the names of the API. */
  async addStream(name: string, subjects: readonly string[], config: object = {}): Promise<void> {
    const kept = { name, subjects, storage: "file", retention: "limits", num_replicas: 1, ...config };
    await this.api(`STREAM.CREATE.${name}`, kept);
  }

  async streamNames(): Promise<readonly string[]> {
    return ((await this.api("STREAM.NAMES"))["streams"] ?? []) as readonly string[];
  }

  /** All that a subject holds, oldest first. */
  async messages(stream: string, subject: string): Promise<readonly StoredMessage[]> {
    const found: StoredMessage[] = [];
    for (let seq = 1; ; ) {
      const message = await this.#messageFrom(stream, subject, seq);
      if (message === undefined) return found;
      found.push(message);
      seq = message.seq + 1;
    }
  }

  /** One more connection, to the server or to a proxy before it, closed by whoever asked for it. */
  async connect(port: number = this.port): Promise<NatsWire> {
    return NatsWire.connect(port);
  }

  /** A proxy before it, for one client. */
  async proxy(): Promise<TcpProxy> {
    return startProxy({ to: this.port, framing: nats, urlAt });
  }

  /** On the same port, with its streams as they are on disk; `older`: with those of a copy. Kills it first. */
  async restart(older?: string): Promise<void> {
    await this.kill();
    if (older !== undefined) {
      rmSync(this.#data, { recursive: true, force: true });
      cpSync(older, this.#data, { recursive: true });
    }
    await this.start();
  }

  /** A copy of its streams as they are on disk now. Goes with the test process; may be used any number of times. */
  async snapshot(): Promise<string> {
    const path = ownFolder("tenure-nats-copy-", undefined);
    await this.whileFrozen(() => cpSync(this.#data, path, { recursive: true }));
    return path;
  }

  /** Used by `startNats` and `restart`. */
  async start(): Promise<void> {
    const { path, env } = locateOrThrow("nats");
    await this.launch({
      path,
      args: ["-c", this.#writeConfig()],
      env: { PATH: process.env["PATH"] ?? "", ...env },
      readyText: "Server is ready",
    });
    const { server_id } = await (await this.#wire()).info;
    if (this.output.includes(String(server_id))) return;
    await this.kill();
    throw new Error(`server ${String(server_id)} answers on port ${this.port}, and it is not ours`);
  }

  get #data(): string {
    return join(this.folder, "data");
  }

  #writeConfig(): string {
    const path = join(this.folder, "nats.conf");
    const limits = "max_memory_store: 64MB, max_file_store: 1GB";
    const text = `listen: "127.0.0.1:${this.port}"\njetstream { store_dir: "${this.#data}", ${limits} }\n${this.#config}`;
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  async #wire(): Promise<NatsWire> {
    this.running();
    if (this.#control?.isOpen !== true) this.#control = await NatsWire.connect(this.port);
    return this.#control;
  }

  async #messageFrom(stream: string, subject: string, seq: number): Promise<StoredMessage | undefined> {
    const question = JSON.stringify({ seq, next_by_subj: subject });
    const answer = await (await this.#wire()).ask(`$JS.API.STREAM.MSG.GET.${stream}`, question);
    const { message, error } = JSON.parse(answer.toString()) as {
      readonly message?: { readonly subject: string; readonly seq: number; hdrs?: string; data?: string };
      readonly error?: { readonly err_code: number };
    };
    if (error?.err_code === 10_037 || error?.err_code === 10_059) return undefined;
    if (message === undefined) throw new Error(`STREAM.MSG.GET: ${answer.toString()}`);
    const text = (base64 = "") => Buffer.from(base64, "base64").toString();
    const { hdrs, data, ...rest } = message;
    return { subject: rest.subject, seq: rest.seq, headers: text(hdrs), data: text(data) };
  }

  protected override ended(): void {
    this.#control?.close();
    this.#control = undefined;
  }
}

function urlAt(port: number): string {
  return `nats://127.0.0.1:${port}`;
}

function answerOf(answer: Buffer, what: string): Readonly<Record<string, unknown>> {
  if (answer.length === 0) throw new Error(`${what}: nobody answers`);
  const parsed = JSON.parse(answer.toString()) as Readonly<Record<string, unknown>>;
  if (parsed["error"] === undefined) return parsed;
  throw Object.assign(new Error(`${what}: ${JSON.stringify(parsed["error"])}`), { answer: parsed["error"] });
}
