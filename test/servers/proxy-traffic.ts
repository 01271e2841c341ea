/** The connections of a proxy and the port that they come in by: what the verbs of proxy.ts act on. */
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { Cutter, cutOff, type Framing } from "./framing.js";
import { Connection, type Owner } from "./proxy-connection.js";
import { type Direction, type Fault, judge, type Verdict } from "./proxy-fault.js";
import { Silence } from "./proxy-silence.js";
import { Watch } from "./proxy-watch.js";

/** The server behind the proxy. */
export interface Target {
  /** The port on 127.0.0.1. */
  readonly to: number;
  readonly framing: Framing;
  /** What a new connection says before a request is sent again on it: a password. */
  readonly greeting: readonly Buffer[];
}

export class Traffic implements Owner {
  readonly framing: Framing;
  readonly watch: Watch = new Watch();
  readonly connections: Set<Connection> = new Set();
  requestCount = 0;
  connectionCount = 0;
  activeFaults: readonly Fault[] = [];
  readonly #port: number;
  readonly #target: Target;
  /** Accepted in silence, each by a fault. */
  readonly #silent = new Map<Socket, Fault>();
  readonly #resending = new Set<Socket>();
  #server: Server | undefined;
  #silence: Silence | undefined;
  #isClosed = false;

  constructor(port: number, target: Target) {
    this.#port = port;
    this.#target = target;
    this.framing = target.framing;
  }

  async listen(): Promise<void> {
    if (this.#server !== undefined || this.#isClosed) return;
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port: this.#port, host: "127.0.0.1", exclusive: true }, resolve);
    });
  }

  /** New connections are refused from now on. */
  deafen(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  /** New connections get no answer, once this has resolved. */
  async silence(): Promise<void> {
    this.#silence = await Silence.prepare();
    this.deafen();
    await this.#silence.begin(this.#port);
  }

  async unsilence(): Promise<void> {
    await this.#silence?.end();
    this.#silence = undefined;
  }

  faultEnded(fault: Fault): void {
    for (const connection of [...this.connections]) connection.faultEnded(fault);
    for (const [socket, by] of this.#silent) if (by === fault) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.deafen();
    await this.unsilence();
    for (const connection of [...this.connections]) connection.reset();
    for (const socket of [...this.#silent.keys(), ...this.#resending]) socket.destroy();
    this.watch.close();
  }

  /** Sends a request on a connection of our own, past all faults. Resolves with the reply. */
  async resend(request: Buffer): Promise<Buffer> {
    this.mustBeRepeatable();
    const socket = createConnection({ port: this.#target.to, host: "127.0.0.1" });
    this.#resending.add(socket);
    const dialogue = this.framing.open();
    const cutter = new Cutter((bytes) => cutOff(bytes, dialogue.reply(bytes)));
    let awaited = this.#target.greeting.length;
    try {
      return await new Promise((resolve, reject) => {
        socket.on("data", (bytes: Buffer) => {
          for (const reply of cutter.take(bytes)) {
            if (awaited === 0) resolve(reply.bytes);
            awaited -= 1;
          }
        });
        socket.once("error", reject);
        socket.once("close", () => reject(new Error("the connection ended before the reply")));
        socket.write(Buffer.concat([...this.#target.greeting, request]));
      });
    } finally {
      this.#resending.delete(socket);
      socket.destroy();
    }
  }

  mustBeRepeatable(): void {
    if (!this.framing.isRepeatable)
      throw new Error(
        "a request of this protocol belongs to its connection: it cannot be sent again on another",
      );
  }

  judge(direction: Direction, request: Buffer, reply?: Buffer): Verdict {
    return judge(this.activeFaults, direction, request, reply);
  }

  requestPassed(request: Buffer): void {
    this.requestCount += 1;
    this.watch.happened("passed", request);
  }

  messageHeld(request: Buffer): void {
    this.watch.happened("held", request);
  }

  duplicate(request: Buffer): void {
    this.resend(request).then(
      () => this.watch.happened("duplicated", request),
      (error: Error) => this.watch.failed("duplicated", error),
    );
  }

  closed(connection: Connection): void {
    this.connections.delete(connection);
  }

  #accept(client: Socket): void {
    this.connectionCount += 1;
    const resetting = this.activeFaults.find(
      (fault) =>
        fault.effect.kind === "cut" || (fault.effect.kind === "reset" && fault.effect.of === "connections"),
    );
    if (resetting?.strikes(Buffer.alloc(0)) === true) {
      client.resetAndDestroy();
      return;
    }
    const silencing = this.activeFaults.find(
      ({ effect }) => effect.kind === "half-open" || effect.kind === "unanswered",
    );
    if (silencing !== undefined) this.#acceptInSilence(client, silencing);
    else {
      const server = createConnection({ port: this.#target.to, host: "127.0.0.1", allowHalfOpen: true });
      this.connections.add(new Connection(client, server, this));
    }
  }

  #acceptInSilence(client: Socket, fault: Fault): void {
    fault.strike();
    this.#silent.set(client, fault);
    client.on("data", (bytes: Buffer) => void fault.strikes(bytes));
    // The end that the client sees is the one that it made itself.
    client.on("error", () => client.destroy());
    client.on("close", () => this.#silent.delete(client));
  }
}
