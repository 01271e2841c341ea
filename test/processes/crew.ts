/**
 * Candidates as processes of their own on one store, a directory unless said otherwise, and what happens to them.
 *
 * Promise: every wait ends, with what was waited for, at its limit, or when the process that should tell of it has
 * exited; and `end` leaves no process behind, stopped ones included. Instants are ms of the one monotonic clock that
 * all processes of a machine share.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type ReadHistory, readHistory, type StoredRecord } from "../../src/audit/index.js";
import { readKeptVersions } from "../../src/stores/file/kept-versions.js";
import type { Order, Seat } from "./candidate.mjs";

export interface Told {
  readonly event: string;
  readonly at: number;
  readonly pid: number;
  /** Who told it. */
  readonly node: string;
  readonly token?: number;
  readonly instance?: string;
  /** Nanoseconds, as a decimal string. */
  readonly until?: string;
  readonly reason?: string;
  readonly lateByMs?: number;
  readonly outcome?: string;
  readonly by?: string;
  readonly gapMs?: number;
  readonly count?: number;
  readonly current?: boolean;
  readonly leaderlessMs?: number;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Member {
  readonly node: string;
  readonly told: readonly Told[];
  /** Undefined while the process lives. */
  readonly exit: Exit | undefined;
  /** The first event of that name after that instant, told already or still to come. */
  first(event: string, afterAt?: number): Promise<Told>;
  order(order: Order): void;
  /** Answers the instant just before it. */
  signal(signal: NodeJS.Signals): number;
  exited(): Promise<Exit>;
}

/** The process alone makes up the rest. */
export type SeatOptions = Partial<Omit<Seat, "directory" | "history" | "node">>;

/** What a store holds of one write. */
export interface KeptWrite {
  readonly body: StoredRecord | "newer" | "unreadable";
  /** By the store's clock. */
  readonly modifiedMs: number;
}

export interface Crew {
  readonly directory: string;
  start(node: string, options?: SeatOptions): Member;
  /** The first event of that name, after that instant, of whoever tells of it. */
  first(event: string, afterAt?: number): Promise<Told>;
  /** Resolves with the first answer of `look` that is not undefined; asked anew after each event. */
  until<T>(what: string, look: () => T | undefined): Promise<T>;
  /** What all have written down until now. */
  history(): ReadHistory;
  /** What all have written into the store, in order. */
  kept(): Promise<readonly KeptWrite[]>;
  end(): Promise<void>;
}

const script = fileURLToPath(new URL("./candidate.mjs", import.meta.url));
/** Several times what any wait here takes on a busy machine, and less than a test may take. */
const limitMs = 12_000;

export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Lets a process run for `runMs` at a time and stops it for `stopMs` in between, until `over`; answers the ms for which
 * it was stopped. It runs when this is done.
 */
export async function ration(
  member: Member,
  { runMs, stopMs }: { readonly runMs: number; readonly stopMs: number },
  over: () => boolean,
): Promise<number> {
  let stoppedMs = 0;
  while (!over() && member.exit === undefined) {
    const stoppedAt = member.signal("SIGSTOP");
    await pause(stopMs);
    stoppedMs += member.signal("SIGCONT") - stoppedAt;
    await pause(runMs);
  }
  return stoppedMs;
}

/** Each with a directory of its own, removed by `end`. `kept`: what a store elsewhere holds. */
export async function openCrew(defaults: SeatOptions = {}, kept?: () => readonly KeptWrite[]): Promise<Crew> {
  return new Processes(await mkdtemp(join(tmpdir(), "tenure-crew-")), defaults, kept);
}

class Processes implements Crew {
  readonly directory: string;
  readonly #root: string;
  readonly #defaults: SeatOptions;
  readonly #kept: (() => readonly KeptWrite[]) | undefined;
  readonly #members: Process[] = [];
  readonly #looks = new Set<() => void>();
  #ended = false;
  /** When this very process ends before its time. */
  readonly #kill = (): void => {
    for (const member of this.#members) member.signal("SIGKILL");
  };

  constructor(root: string, defaults: SeatOptions, kept?: () => readonly KeptWrite[]) {
    this.#root = root;
    this.#defaults = defaults;
    this.#kept = kept;
    this.directory = join(root, "store");
    process.once("exit", this.#kill);
  }

  start(node: string, options: SeatOptions = {}): Member {
    if (this.#ended) throw new Error(`${node} cannot start: this crew has ended`);
    const history = join(this.#root, `${node}-${this.#members.length}.jsonl`);
    const place = { directory: this.directory, history, node };
    const seat: Seat = { mode: "lead", ttlMs: 2_000, ...this.#defaults, ...options, ...place };
    const member = new Process(seat, this);
    this.#members.push(member);
    return member;
  }

  async first(event: string, afterAt = 0): Promise<Told> {
    return this.until(event, () => this.#all().find((told) => told.event === event && told.at > afterAt));
  }

  /** `hopeless`: whether nothing can come any more. By default, while a process lives something can. */
  async until<T>(
    what: string,
    look: () => T | undefined,
    hopeless: () => boolean = () => this.#members.every(({ exit }) => exit !== undefined),
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.#looks.delete(ask);
        act();
      };
      const fail = (why: string): void =>
        settle(() => reject(new Error(`"${what}" ${why}; told: ${this.#story()}`)));
      const ask = (): void => {
        const found = look();
        if (found !== undefined) settle(() => resolve(found));
        else if (hopeless()) fail("cannot come any more");
      };
      const timer = setTimeout(() => fail(`did not come within ${limitMs} ms`), limitMs);
      this.#looks.add(ask);
      ask();
    });
  }

  changed(): void {
    for (const look of this.#looks) look();
  }

  history(): ReadHistory {
    const names = readdirSync(this.#root).filter((name) => name.endsWith(".jsonl"));
    return readHistory(
      names.toSorted().map((name) => ({ name, text: readFileSync(join(this.#root, name), "utf8") })),
    );
  }

  async kept(): Promise<readonly KeptWrite[]> {
    return this.#kept?.() ?? readKeptVersions(this.directory, "default/job");
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#kill();
    await Promise.all(this.#members.map(async (member) => member.exited()));
    process.off("exit", this.#kill);
    await rm(this.#root, { recursive: true, force: true });
  }

  #all(): readonly Told[] {
    return this.#members.flatMap(({ told }) => told).toSorted((a, b) => a.at - b.at);
  }

  #story(): string {
    const all = this.#all();
    const startAt = all[0]?.at ?? 0;
    const telling = all.filter(({ event }) => event !== "extended").slice(-20);
    return telling.map(({ event, node, at }) => `${Math.round(at - startAt)} ms ${node} ${event}`).join(", ");
  }
}

class Process implements Member {
  readonly node: string;
  readonly told: Told[] = [];
  exit: Exit | undefined;
  readonly #crew: Processes;
  readonly #child: ChildProcess;

  constructor(seat: Seat, crew: Processes) {
    this.node = seat.node;
    this.#crew = crew;
    const child = spawn(process.execPath, [script, JSON.stringify(seat)], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#child = child;
    if (child.stdout === null) throw new Error("spawned without stdout");
    createInterface({ input: child.stdout }).on("line", (line) => this.#hear(line));
    // All that it told has been read by then.
    child.once("close", (code, signal) => {
      this.exit = { code, signal };
      crew.changed();
    });
  }

  async first(event: string, afterAt = 0): Promise<Told> {
    return this.#crew.until(
      `${event} of ${this.node}`,
      () => this.told.find((told) => told.event === event && told.at > afterAt),
      () => this.exit !== undefined,
    );
  }

  order(order: Order): void {
    this.#child.send(order);
  }

  signal(signal: NodeJS.Signals): number {
    const at = nowMs();
    this.#child.kill(signal);
    return at;
  }

  async exited(): Promise<Exit> {
    return this.#crew.until(
      `exit of ${this.node}`,
      () => this.exit,
      () => false,
    );
  }

  #hear(line: string): void {
    this.told.push({ node: this.node, ...(JSON.parse(line) as Omit<Told, "node">) });
    this.#crew.changed();
  }
}
