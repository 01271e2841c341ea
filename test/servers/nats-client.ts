/** One connection to NATS, for control: questions and their answers, each with an inbox of its own. */
import { createConnection, type Socket } from "node:net";
import { readPart } from "./nats-framing.js";

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: Error) => void;
}

const inbox = "_INBOX.harness";

export class NatsWire {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, Waiting>();
  /** What the server says of itself, once it has. */
  readonly info: Promise<Readonly<Record<string, unknown>>>;
  #tell: (info: Readonly<Record<string, unknown>>) => void = () => {};
  #received: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;
  #asked = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.info = new Promise((resolve) => (this.#tell = resolve));
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("error", (error) => (this.#failure ??= error));
    socket.on("close", () => this.#fail());
  }

  static async connect(port: number): Promise<NatsWire> {
    const socket = createConnection({ port, host: "127.0.0.1" });
    const client = new NatsWire(socket);
    const failed = new Promise<never>((_, reject) => {
      socket.once("close", () => reject(client.#fail()));
    });
    await Promise.race([client.info, failed]);
    socket.write(`CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB ${inbox}.* 1\r\n`);
    return client;
  }

  get isOpen(): boolean {
    return this.#failure === undefined && !this.#socket.destroyed;
  }

  /** Resolves with the payload of the answer, empty when nobody listens. Rejects when the connection ends first. */
  async ask(subject: string, payload: string | Buffer = ""): Promise<Buffer> {
    if (!this.isOpen) throw this.#fail();
    const bytes = Buffer.from(payload);
    const reply = `${inbox}.${(this.#asked += 1)}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(reply, { resolve, reject });
      const line = Buffer.from(`PUB ${subject} ${reply} ${bytes.length}\r\n`);
      this.#socket.write(Buffer.concat([line, bytes, Buffer.from("\r\n")]));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let part = readPart(this.#received); part !== undefined; part = readPart(this.#received)) {
      const { words, payload, length } = part;
      const [operation, subject = ""] = words;
      if (operation === "INFO") this.#tell(JSON.parse(this.#received.toString("utf8", 5, length)) as {});
      if (operation === "PING") this.#socket.write("PONG\r\n");
      if (operation === "-ERR") this.#socket.destroy(new Error(words.join(" ")));
      if (operation === "MSG" || operation === "HMSG") {
        const headersLength = operation === "HMSG" ? Number(words.at(-2)) : 0;
        this.#waiting.get(subject)?.resolve(Buffer.from(payload.subarray(headersLength)));
        this.#waiting.delete(subject);
      }
      this.#received = this.#received.subarray(length);
    }
  }

  #fail(): Error {
    this.#failure ??= new Error("the connection is closed");
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    return this.#failure;
  }
}
