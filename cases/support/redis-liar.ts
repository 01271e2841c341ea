/**
 * Between a candidate and its server: answers chosen requests itself, with whatever a case makes up.
 *
 * A request that is lied about is not carried out: the server gets a PING in its place, so that all other replies
 * stay in order.
 */

import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { Cutter, resp } from "../../test/servers/framing.js";
import { encodeCommand } from "../../test/servers/resp.js";

export interface Lie {
  /** A text in the request. */
  readonly matching: string;
  /** Bytes for the client; without any, the end of its connection. */
  readonly answer: string;
  /** Told so many times; default once. */
  readonly times?: number;
}

export class Liar {
  readonly url: string;
  /** Lies that were told. */
  count = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #lie: Lie | undefined;
  #left = 0;

  constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `redis://127.0.0.1:${port}`;
  }

  tell(lie: Lie): void {
    this.#lie = lie;
    this.#left = lie.times ?? 1;
  }

  stopLying(): void {
    this.#left = 0;
  }

  serve(client: Socket, to: number): void {
    const server = dial(to, "127.0.0.1");
    const dialogue = resp.open();
    const answers: (string | undefined)[] = [];
    const requests = new Cutter((bytes) => cut(bytes, dialogue.request(bytes)?.length));
    const replies = new Cutter((bytes) => cut(bytes, dialogue.reply(bytes)?.length));
    client.on("data", (bytes) => {
      for (const request of requests.take(bytes)) {
        const lie = this.#left > 0 && request.includes(this.#lie?.matching ?? "") ? this.#lie : undefined;
        if (lie !== undefined) {
          this.#left -= 1;
          this.count += 1;
        }
        answers.push(lie?.answer);
        server.write(lie === undefined ? request : encodeCommand(["PING"]));
      }
    });
    server.on("data", (bytes) => {
      for (const reply of replies.take(bytes)) {
        const answer = answers.shift();
        if (answer === "") client.end();
        else client.write(answer ?? reply);
      }
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** `to`: the port of the server. */
export async function startLiar(to: number): Promise<Liar> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const liar = new Liar(server, address.port);
  server.on("connection", (client) => liar.serve(client, to));
  return liar;
}

function cut(
  bytes: Buffer,
  length: number | undefined,
): { readonly length: number; readonly message: Buffer } | undefined {
  return length === undefined ? undefined : { length, message: bytes.subarray(0, length) };
}
