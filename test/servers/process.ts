/**
 * A server as a child process: it is ready when it says so, it can be frozen, killed and told to end, and it never
 * outlives the test process (see guardian.ts). What it says is kept, for the message of a failure.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { guard, release } from "./guardian.js";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whom the process runs as, when not as ourselves. Only root can choose. */
  readonly owner?: Owner | undefined;
  /** Resolves on the first line of output that contains it. */
  readonly readyText: string;
  readonly readyLimitMs?: number;
}

/** The server ended before it was ready. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export class ServerProcess {
  readonly pid: number;
  /** Resolves when the process has ended, with how. */
  readonly ended: Promise<string>;
  #output = "";
  #state: "running" | "frozen" | "ended" = "running";
  #frozen: readonly number[] = [];
  #onOutput: () => void = () => {};

  private constructor(command: Command) {
    const { path, args, env, cwd, owner } = command;
    // A group of its own: Ctrl-C reaches the tests, and the guardian then ends the servers.
    const child = spawn(path, args, {
      ...{ cwd, env, ...owner },
      ...{ detached: true, stdio: ["ignore", "pipe", "pipe"] },
    });
    this.pid = child.pid ?? 0;
    if (this.pid !== 0) guard(this.pid);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-20_000);
        this.#onOutput();
      });
    }
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => resolve(this.#end(error.message)));
      child.once("exit", (code, signal) => resolve(this.#end(`exit code ${code}, signal ${signal}`)));
    });
  }

  static async start(command: Command): Promise<ServerProcess> {
    const server = new ServerProcess(command);
    try {
      await server.#ready(command);
      return server;
    } catch (error) {
      await server.kill();
      throw error;
    }
  }

  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#state !== "ended";
  }

  /** Stops the process and all its descendants; resolves when none of them runs any more. */
  async freeze(): Promise<void> {
    this.#mustRun("freeze");
    if (this.#state === "frozen") return;
    this.#state = "frozen";
    const stopped = new Set<number>();
    // A process may have been born while we stopped its parent: look again until there is no new one.
    for (
      let fresh = [this.pid];
      fresh.length > 0;
      fresh = tree(this.pid).filter((pid) => !stopped.has(pid))
    ) {
      for (const pid of fresh) {
        signal(pid, "SIGSTOP");
        stopped.add(pid);
        if (pid !== this.pid) guard(pid);
        await untilStopped(pid);
      }
    }
    // Children wake before their parents.
    for (const pid of stopped) this.#frozen = [pid, ...this.#frozen];
  }

  thaw(): void {
    this.#mustRun("thaw");
    if (this.#state === "frozen") this.#state = "running";
    for (const pid of this.#frozen) {
      signal(pid, "SIGCONT");
      if (pid !== this.pid) release(pid);
    }
    this.#frozen = [];
  }

  /** Stops one descendant, a backend of a database for instance, until `thawOne` or `thaw`. */
  async freezeOne(pid: number): Promise<void> {
    this.#mustHave(pid);
    signal(pid, "SIGSTOP");
    guard(pid);
    this.#frozen = [pid, ...this.#frozen];
    await untilStopped(pid);
  }

  thawOne(pid: number): void {
    this.#mustHave(pid);
    signal(pid, "SIGCONT");
    release(pid);
    this.#frozen = this.#frozen.filter((frozen) => frozen !== pid);
  }

  /** SIGKILL to one descendant. What the server makes of that is its own affair. */
  killOne(pid: number): void {
    this.#mustHave(pid);
    signal(pid, "SIGKILL");
  }

  /** SIGKILL to the process and its descendants. Resolves when all have ended; at once when they had. */
  async kill(): Promise<void> {
    const pids = this.isRunning && this.pid !== 0 ? tree(this.pid) : [];
    for (const pid of pids) signal(pid, "SIGKILL");
    await this.ended;
    for (const pid of pids) await until(pid, "end", ["Z", "X", undefined]);
  }

  /** Asks it to end. A frozen process cannot, and is thawed first. */
  async terminate(how: "SIGTERM" | "SIGINT" = "SIGTERM"): Promise<void> {
    if (this.#state === "frozen") this.thaw();
    if (this.isRunning) signal(this.pid, how);
    await this.ended;
  }

  #end(how: string): string {
    if (this.isRunning && this.pid !== 0) release(this.pid);
    for (const pid of this.#frozen) if (pid !== this.pid) release(pid);
    this.#frozen = [];
    this.#state = "ended";
    return how;
  }

  #mustRun(verb: string): void {
    if (!this.isRunning) throw new Error(`cannot ${verb} a server that has ended`);
  }

  #mustHave(pid: number): void {
    this.#mustRun("reach a child of");
    if (pid === this.pid || !tree(this.pid).includes(pid))
      throw new Error(`process ${pid} is no child of the server ${this.pid}`);
  }

  async #ready({ path, readyText, readyLimitMs = 20_000 }: Command): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const said = new Promise<void>((resolve, reject) => {
      this.#onOutput = () => {
        if (this.#output.includes(readyText)) resolve();
      };
      timer = setTimeout(() => {
        reject(new Error(`${path} was not ready within ${readyLimitMs} ms:\n${this.#output}`));
      }, readyLimitMs);
    });
    const early = this.ended.then((how) => {
      throw new StartError(`${path} ended before it was ready (${how}):\n${this.#output}`);
    });
    try {
      await Promise.race([said, early]);
    } finally {
      clearTimeout(timer);
      this.#onOutput = () => {};
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It ended meanwhile; whoever waits for that learns it from the exit event.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The process and its descendants, parents first. Without /proc: the process alone. */
function tree(root: number): number[] {
  if (!existsSync("/proc/self/stat")) return [root];
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const stat = /^[0-9]+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat !== undefined) parents.set(Number(name), stat.parent);
  }
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

function statOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    // The name, in brackets, may contain anything.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

async function untilStopped(pid: number): Promise<void> {
  await until(pid, "stop", ["T", "Z", "X", undefined]);
}

/** No event tells that a signal took effect, so we look; it takes microseconds. */
async function until(pid: number, verb: string, states: readonly (string | undefined)[]): Promise<void> {
  const limit = performance.now() + 5_000;
  while (!states.includes(existsSync("/proc/self/stat") ? statOf(pid)?.state : undefined)) {
    if (performance.now() > limit) throw new Error(`process ${pid} did not ${verb}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
