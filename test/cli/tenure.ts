/** The built command as processes, and what is left of them. To be started within a test, which clears up after it. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Store } from "../../src/lease/store.js";
import { fileStore } from "../../src/stores/file/index.js";
import { listProcesses } from "../support/process-list.js";
import { type Program, startProgram } from "../support/program.js";
import { plainCall } from "../support/scripted-store.js";

export const main: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const beatFile = fileURLToPath(new URL("./beat.mjs", import.meta.url));

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
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): Program;
  /** `tenure run` of a command that beats. */
  beat(label: string, options: readonly string[], mode?: "stubborn" | "slow"): Program;
  beats(): readonly Beat[];
  record(): Promise<LeaseRecord | undefined>;
  /** Resolves once the holder has renewed `count` times, so that followers are in step. */
  renewals(count: number): Promise<void>;
  /** Command lines of living processes of this test. */
  alive(): readonly string[];
  guardians(): readonly number[];
}

const names = { next: 0 };

/** A store other than a directory of the place: its URL, and the same opened by the test, which closes it. */
export interface OtherStore {
  readonly url: string;
  readonly opened: Store;
}

export function createPlace(other?: OtherStore): Place {
  const directory = mkdtempSync(join(tmpdir(), "tenure-cli-"));
  names.next += 1;
  const name = `job-${process.pid}-${names.next}`;
  const path = join(directory, "store");
  const file = join(directory, "beats");
  const started: Program[] = [];
  const record = async () => {
    const stored = await (other?.opened ?? fileStore(path)).read(`default/${name}`, plainCall);
    return typeof stored?.body === "object" ? stored.body : undefined;
  };
  const place: Place = {
    directory,
    name,
    store: other?.url ?? `file:${path}`,
    start(args, environment = {}) {
      const running = startProgram([main, ...args], {
        cwd: directory,
        env: { ...plainEnvironment(), ...environment },
      });
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
    alive: () =>
      listProcesses()
        .map(({ command }) => command)
        .filter((command) => command.includes(directory) || command.includes(`/${name}`)),
    guardians: () =>
      listProcesses().flatMap(({ pid, command }) =>
        command.includes(`guardian of default/${name}`) ? [pid] : [],
      ),
  };
  onTestFinished(async () => {
    for (const { process: child } of started) child.kill("SIGCONT");
    for (const { process: child } of started) child.kill("SIGKILL");
    await vi.waitUntil(() => place.alive().length === 0, { timeout: 20_000 });
    rmSync(directory, { recursive: true, force: true });
  });
  return place;
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
