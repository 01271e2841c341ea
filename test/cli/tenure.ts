/** The built command as processes, and what is left of them. To be started within a test, which clears up after it. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import type { LeaseRecord } from "../../src/lease/record.js";
import { fileStore } from "../../src/stores/file/index.js";
import { plainCall } from "../support/scripted-store.js";

export const main: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const beatFile = fileURLToPath(new URL("./beat.mjs", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** `performance.now()` of the test. */
  readonly atMs: number;
}

export interface Running {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves once its output contains the text. */
  says(text: string): Promise<void>;
}

export interface Beat {
  readonly label: string;
  readonly pid: number;
  readonly at: bigint;
  readonly what: string;
}

export interface Place {
  readonly directory: string;
  /** Unique, so that processes of this test are told from those of others. */
  readonly name: string;
  readonly store: string;
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): Running;
  /** `tenure run` of a command that beats. */
  beat(label: string, options: readonly string[], mode?: "stubborn" | "slow"): Running;
  beats(): readonly Beat[];
  record(): Promise<LeaseRecord | undefined>;
  /** Resolves once the holder has renewed `count` times, so that followers are in step. */
  renewals(count: number): Promise<void>;
  /** Command lines of living processes of this test. */
  alive(): readonly string[];
  guardians(): readonly number[];
}

const names = { next: 0 };

export function createPlace(): Place {
  const directory = mkdtempSync(join(tmpdir(), "tenure-cli-"));
  names.next += 1;
  const name = `job-${process.pid}-${names.next}`;
  const path = join(directory, "store");
  const file = join(directory, "beats");
  const started: Running[] = [];
  const record = async () => {
    const stored = await fileStore(path).read(`default/${name}`, plainCall);
    return typeof stored?.body === "object" ? stored.body : undefined;
  };
  const place: Place = {
    directory,
    name,
    store: `file:${path}`,
    start(args, environment = {}) {
      const running = start(args, directory, environment);
      started.push(running);
      return running;
    },
    beat(label, options, mode) {
      const command = [process.execPath, beatFile, file, label, ...(mode === undefined ? ["plain"] : [mode])];
      const where = options.includes("--store") ? [] : ["--store", place.store];
      return place.start(["run", name, ...where, "--node", label, ...options, "--", ...command]);
    },
    beats: () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(parseBeat) : []),
    record,
    async renewals(count) {
      const first = (await record())?.seq ?? 0;
      await vi.waitUntil(async () => ((await record())?.seq ?? 0) >= first + count, { timeout: 20_000 });
    },
    alive: () => processes().filter((line) => line.includes(directory) || line.includes(`/${name}`)),
    guardians: () =>
      processes()
        .filter((line) => line.includes(`guardian of default/${name}`))
        .map((line) => Number(line.split(" ")[0])),
  };
  onTestFinished(async () => {
    for (const { process: child } of started) child.kill("SIGCONT");
    for (const { process: child } of started) child.kill("SIGKILL");
    await vi.waitUntil(() => place.alive().length === 0, { timeout: 20_000 });
    rmSync(directory, { recursive: true, force: true });
  });
  return place;
}

/** "PID ARGS" of everything that is no zombie. */
function processes(): readonly string[] {
  return spawnSync("ps", ["-eo", "stat=,pid=,args="], { encoding: "utf8" })
    .stdout.split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("Z"))
    .map((line) => line.replace(/^\S+ +/, ""));
}

function parseBeat(line: string): Beat {
  const [label = "", pid = "", at = "0", what = ""] = line.split(" ");
  return { label, pid: Number(pid), at: BigInt(at), what };
}

/** The environment of a user who has configured nothing. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|TENURE_|KUBERNETES_)/i.test(name),
  );
  return Object.fromEntries(own);
}

function start(args: readonly string[], cwd: string, environment: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...environment },
  });
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      output[stream] += chunk;
      for (const listen of [...listeners]) listen();
    });
  }
  let atMs = 0;
  child.on("exit", () => {
    atMs = performance.now();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, ...output, atMs }));
  });
  const saying = (text: string) =>
    new Promise<void>((resolve) => {
      const listen = () => {
        if (!`${output.stdout}${output.stderr}`.includes(text)) return;
        listeners.delete(listen);
        resolve();
      };
      listeners.add(listen);
      listen();
    });
  return {
    process: child,
    pid: child.pid ?? 0,
    ended,
    async says(text) {
      const early = ended.then(({ stdout, stderr }) => {
        throw new Error(`ended before it said "${text}":\n${stdout}\n${stderr}`);
      });
      await Promise.race([saying(text), early]);
    },
  };
}
