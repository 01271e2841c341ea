/**
 * A port on which a connect gets no answer at all: neither accepted nor refused, as behind a broken link.
 *
 * The kernel answers for a listener as long as its queue has room, so the queue has to be full and stay so. The
 * listener lives in a thread whose event loop stands still, with a queue of one, and we fill the queue ourselves.
 */
import { createConnection, type Socket } from "node:net";
import { Worker } from "node:worker_threads";

const source = `
const { createServer } = require("node:net");
const { parentPort, workerData } = require("node:worker_threads");
const server = createServer();
server.on("error", (error) => { throw error; });
parentPort.once("message", (port) => {
  server.listen({ port, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage("listening");
    Atomics.wait(workerData, 0, 0);
    process.exit();
  });
});
parentPort.postMessage("ready");
`;

/** With a backlog of one the kernel takes two connections; a few more only wait with everybody else. */
const taken = 2;
const fillers = 4;

export class Silence {
  readonly #worker: Worker;
  readonly #gate: Int32Array;
  #sockets: readonly Socket[] = [];

  private constructor(worker: Worker, gate: Int32Array) {
    this.#worker = worker;
    this.#gate = gate;
  }

  /** A thread that stands by, so that the port changes hands within a moment. */
  static async prepare(): Promise<Silence> {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const silence = new Silence(new Worker(source, { eval: true, workerData: gate }), gate);
    await silence.#said();
    return silence;
  }

  /** Resolves when connects to the port, which has to be free, get no answer. */
  async begin(port: number): Promise<void> {
    const listening = this.#said();
    this.#worker.postMessage(port, []);
    await listening;
    let connectedCount = 0;
    this.#sockets = Array.from({ length: fillers }, () => createConnection({ port, host: "127.0.0.1" }));
    await new Promise<void>((resolve, reject) => {
      for (const socket of this.#sockets) {
        socket.once("connect", () => {
          connectedCount += 1;
          if (connectedCount === taken) resolve();
        });
        // After the end these are resets, of sockets that were destroyed.
        socket.on("error", reject);
      }
    });
  }

  /** Resolves when the port is free again. */
  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    Atomics.store(this.#gate, 0, 1);
    Atomics.notify(this.#gate, 0);
    await exited;
  }

  async #said(): Promise<void> {
    await new Promise((resolve, reject) => {
      this.#worker.once("message", resolve);
      this.#worker.once("error", reject);
    });
  }
}
