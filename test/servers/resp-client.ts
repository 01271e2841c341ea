/** One connection to Redis, for control: commands go out in order, each answer belongs to the oldest open command. */
import { createConnection, type Socket } from "node:net";
import { type Argument, encodeCommand, type Reply, ReplyError, readReply } from "./resp.js";

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

export class RespClient {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  /** Resolves with what ended the connection. */
  readonly closed: Promise<Error>;
  #received = Buffer.alloc(0);
  #failure: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    this.closed = new Promise((resolve) => {
      socket.on("error", (error) => {
        this.#failure ??= error;
      });
      socket.on("close", () => resolve(this.#fail()));
    });
  }

  static async connect(port: number, password?: string): Promise<RespClient> {
    const socket = createConnection({ port, host: "127.0.0.1" });
    const client = new RespClient(socket);
    const failed = client.closed.then((error) => {
      throw error;
    });
    await Promise.race([new Promise<void>((resolve) => socket.once("connect", resolve)), failed]);
    if (password !== undefined) await client.command("AUTH", password);
    return client;
  }

  get isOpen(): boolean {
    return this.#failure === undefined && !this.#socket.destroyed;
  }

  /** Rejects with a `ReplyError` when Redis refuses, with the error of the connection when that ends first. */
  async command(...args: readonly Argument[]): Promise<Reply> {
    if (!this.isOpen) throw this.#failure ?? new Error("the connection is closed");
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(encodeCommand(args));
    });
    if (reply instanceof ReplyError) throw reply;
    return reply;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      for (let read = readReply(this.#received); read !== undefined; read = readReply(this.#received)) {
        this.#received = this.#received.subarray(read.end);
        if (read.answers) this.#waiting.shift()?.resolve(read.value);
      }
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
  }

  #fail(): Error {
    this.#failure ??= new Error("the connection is closed");
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
    return this.#failure;
  }
}
