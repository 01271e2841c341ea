/** A service over HTTP with a ledger, on ports of this machine, and what lies between it and its leaders. */

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What goes wrong with the next request: it does not arrive, or its answer does not. */
export type When = "before" | "after";

/** A server of `node:http`, closed with everything that is open. */
export class HttpServer {
  readonly #server: Server;
  readonly #listener: RequestListener;
  #losing: When | undefined;
  #port = 0;

  private constructor(listener: RequestListener) {
    this.#listener = listener;
    this.#server = createServer((request, response) => this.#take(request, response));
  }

  static async open(listener: RequestListener): Promise<HttpServer> {
    const opened = new HttpServer(listener);
    await opened.listen();
    return opened;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/ledger`;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when the connections that callers kept are known to be closed. */
  async restart(): Promise<void> {
    await this.close();
    await this.listen();
    for (;;) {
      const answered = await fetch(this.url).then(
        async (response) => response.body?.cancel().then(() => true),
        () => false,
      );
      if (answered !== false) return;
    }
  }

  loseNext(when: When): void {
    this.#losing = when;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  #take(...[request, response]: Parameters<RequestListener>): void {
    const when = this.#losing;
    this.#losing = undefined;
    if (when === "before") return void request.socket.destroy();
    if (when === "after") {
      // What it would have said is cut off when all is done.
      response.writeHead = () => response;
      response.end = () => {
        request.socket.destroy();
        return response;
      };
    }
    this.#listener(request, response);
  }
}
