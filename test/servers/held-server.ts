/**
 * What all servers of the harness have in common: a port and a folder of their own, and what a test can do to the process.
 * What it serves, and how it is known to be ours, is each server's own business.
 */
import { rmSync } from "node:fs";
import { freePort } from "./port.js";
import { type Command, ServerProcess, StartError } from "./process.js";

/** Starts it on a free port. `taken` is what it says when somebody else took the port in between. */
export async function startOnFreePort<Server extends HeldServer>(
  make: (port: number) => Server | Promise<Server>,
  start: (server: Server) => Promise<void>,
  taken: RegExp,
): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const server = await make(await freePort());
    try {
      await start(server);
      return server;
    } catch (error) {
      await server.stop();
      // Anything else is a failure.
      if (attempt === 5 || !(error instanceof StartError) || !taken.test(error.message)) throw error;
    }
  }
}

export abstract class HeldServer {
  readonly port: number;
  protected readonly folder: string;
  /** The signal at which it ends in order, without waiting for its clients to leave. */
  protected readonly endsBy: "SIGTERM" | "SIGINT" = "SIGTERM";
  #process: ServerProcess | undefined;

  /** `folder`: of its own, which goes with it. */
  protected constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
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

  /** Stops the process where it stands, with its children. The kernel still accepts new connections. */
  async freeze(): Promise<void> {
    await this.running().freeze();
  }

  thaw(): void {
    this.running().thaw();
  }

  /** `kill -9` to the process and all its children: what the kernel has is kept, as when a machine goes down but for the disk. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    await this.ended(this.#process?.pid);
  }

  /** Asks it to end, as an operator does. */
  async shutDown(): Promise<void> {
    await this.#process?.terminate(this.endsBy);
    await this.ended(this.#process?.pid);
  }

  /** Ends it and removes its data. The server cannot be used any more. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  protected async launch(command: Omit<Command, "cwd">): Promise<ServerProcess> {
    this.#process = await ServerProcess.start({ ...command, cwd: this.folder });
    return this.#process;
  }

  protected running(): ServerProcess {
    if (this.#process?.isRunning !== true) throw new Error("the server does not run");
    return this.#process;
  }

  /** While it stands still: its files are then as they would be after a crash at this moment. */
  protected async whileFrozen(work: () => void | Promise<void>): Promise<void> {
    const running = this.running();
    await running.freeze();
    try {
      await work();
    } finally {
      running.thaw();
    }
  }

  /** Called when its process has ended, and when there was none: `pid` is undefined then. */
  protected abstract ended(pid: number | undefined): void | Promise<void>;
}
