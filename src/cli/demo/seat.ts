/**
 * One node's place in the demo, and the process that fills it at the moment.
 *
 * Keeps what the process told, so that whoever waits asks for a state and cannot miss
 * an event. Must not decide anything.
 */

import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { env as environment } from "node:process";
import { fileURLToPath } from "node:url";
import {
  type Assignment,
  type FromCandidate,
  readMessage,
  siteVariable,
  type ToCandidate,
} from "./messages.js";
import { logPath, type Places } from "./places.js";
import type { ElectorName, Node } from "./settings.js";
import type { Site } from "./site.js";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Seat {
  readonly node: Node;
  /** How often it was filled. */
  readonly start: number;
  readonly pid: number | undefined;
  /** Undefined while the process lives. */
  readonly exit: Exit | undefined;
  /** An exit now is what the demo wants. */
  readonly mayExit: boolean;
  /** Token of the term it leads. */
  readonly leads: number | undefined;
  /** Token of the term it saw last. */
  readonly sees: number | undefined;
  /** When it was elected or last extended its deadline, history's nanoseconds. */
  readonly renewedAt: bigint;
  /** Token of the term whose write stands still. */
  readonly held: number | undefined;
  /** Token of the latest term in which it has written. */
  readonly wrote: number | undefined;
  /** Token of the latest term in which it has tried to write after it woke up. */
  readonly tried: number | undefined;
  /** Its first look after the latest pause that it did not choose. */
  readonly woke: Extract<FromCandidate, { type: "woke" }> | undefined;
  /** The latest answer to its asking for a handover. */
  readonly asked: Extract<FromCandidate, { type: "asked" }> | undefined;
  readonly failure: string | undefined;
  readonly log: string;
  fill(): void;
  /** `ends`: the process is expected to exit of it. */
  signal(signal: NodeJS.Signals, ends: boolean): void;
  send(message: ToCandidate): void;
}

const workerFile = fileURLToPath(new URL("./worker.js", import.meta.url));
type State = { -readonly [K in Exclude<keyof Seat, "fill" | "signal" | "send">]: Seat[K] };

export interface SeatOptions {
  readonly places: Places;
  readonly site: Site;
  readonly elector: ElectorName;
  readonly keep: boolean;
}

export function createSeat(node: Node, options: SeatOptions, onChange: () => void): Seat {
  const { places, site, elector, keep } = options;
  const state: State = { ...empty, node, start: 0, log: "" };
  let child: ChildProcess | undefined;

  function fill(): void {
    const start = state.start + 1;
    Object.assign(state, { ...empty, node, start, log: logPath(places, node, start) });
    const assignment: Assignment = { root: places.root, node, start, elector, keep };
    const output = openSync(state.log, "a");
    const process = fork(workerFile, [JSON.stringify(assignment)], {
      stdio: ["ignore", output, output, "ipc"],
      execArgv: [],
      // Not among the arguments, which every user of the machine may read: there may be a password in it.
      env: { ...environment, [siteVariable]: JSON.stringify(site) },
    });
    closeSync(output);
    child = process;
    state.pid = process.pid;
    process.on("message", (value) => {
      const message = readMessage<FromCandidate>(value);
      if (message !== undefined) take(state, message);
      onChange();
    });
    process.on("error", (cause) => {
      state.failure = String(cause);
      onChange();
    });
    process.on("exit", (code, signal) => {
      Object.assign(state, { exit: { code, signal }, leads: undefined, sees: undefined });
      onChange();
    });
  }

  return Object.assign(state, {
    fill,
    signal(signal: NodeJS.Signals, ends: boolean) {
      state.mayExit ||= ends;
      child?.kill(signal);
    },
    send(message: ToCandidate) {
      if (child?.connected === true) child.send(message, () => {});
    },
  });
}

const empty: Omit<State, "node" | "start" | "log"> = {
  pid: undefined,
  exit: undefined,
  mayExit: false,
  leads: undefined,
  sees: undefined,
  renewedAt: 0n,
  held: undefined,
  wrote: undefined,
  tried: undefined,
  woke: undefined,
  asked: undefined,
  failure: undefined,
};

function take(state: State, message: FromCandidate): void {
  if (message.type === "sees") state.sees = message.token;
  if (message.type === "held") state.held = message.token;
  if (message.type === "wrote") state.wrote = message.token;
  if (message.type === "tried") state.tried = message.token;
  if (message.type === "woke") state.woke = message;
  if (message.type === "asked") state.asked = message;
  if (message.type === "failed") state.failure = message.message;
  if (message.type !== "told") return;
  const { event, token, at } = message;
  if (event === "elected") state.leads = token;
  if (event === "elected" || event === "extended") state.renewedAt = BigInt(at);
  if (event === "lost" && state.leads === token) state.leads = undefined;
}
