/** However the process ends that started servers, nothing of them is left: no process, no folder. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { root } from "../architecture/files.js";
import { listProcesses } from "../support/process-list.js";
import { type Program, startProgram } from "../support/program.js";
import { segments } from "./segments.js";
import { describeWithServer } from "./with-server.js";

let folder: string;
let program: Program;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenure-test-"));
});
afterEach(() => {
  program.process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function hold(...args: readonly string[]): void {
  start("holder.mjs", ...args);
}

function start(file: string, ...args: readonly string[]): void {
  program = startProgram([join(root, "test/servers", file), ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
}

/** Of those, the ones that run. */
function running(pids: readonly number[]): readonly string[] {
  return listProcesses()
    .filter(({ pid }) => pids.includes(pid))
    .map(({ command }) => command);
}

function childrenOf(parent: number): readonly number[] {
  return listProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => existsSync(`/proc/${pid}/stat`))
    .filter((pid) => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]) === parent);
}

async function expectNothingLeft(pids: readonly number[]): Promise<void> {
  await vi.waitFor(() => expect(running(pids)).toEqual([]), { timeout: 5_000, interval: 5 });
  await vi.waitFor(
    () => expect(readdirSync(folder).filter((name) => name.startsWith("tenure-"))).toEqual([]),
    { timeout: 5_000, interval: 5 },
  );
}

describeWithServer("redis", "servers whose test process ends", () => {
  test.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)(
    "when it is ended by %s, nothing is left",
    async (signal) => {
      hold();
      await program.says("proxyPort");
      const children = childrenOf(program.pid);
      expect(running(children).filter((command) => command.includes("redis-server"))).toHaveLength(2);
      expect(running(children).filter((command) => command.includes("tenure-guardian"))).toHaveLength(1);
      expect(readdirSync(folder).filter((name) => name.startsWith("tenure-"))).toHaveLength(3);
      program.process.kill(signal);
      expect(await program.ended).toMatchObject({ code: null, signal });
      await expectNothingLeft(children);
    },
  );

  test.each([
    ["exit", 3],
    ["throw", 1],
  ])("when it ends by %s, nothing is left", async (how, code) => {
    hold(how);
    const ended = await program.ended;
    expect(ended.code).toBe(code);
    const { pids } = JSON.parse(ended.stdout) as { readonly pids: readonly number[] };
    expect(pids).toHaveLength(2);
    await expectNothingLeft(pids);
  });
});

describeWithServer(["postgres", "mariadb"], "databases whose test process ends", () => {
  test("when it is killed, nothing is left, not of a frozen backend and not of shared memory", async () => {
    // Started by root, PostgreSQL is not root.
    chmodSync(folder, 0o755);
    start("holder-sql.mjs");
    await program.says("segment");
    program.process.kill("SIGKILL");
    const { pids, segment } = JSON.parse((await program.ended).stdout) as {
      readonly pids: readonly number[];
      readonly segment: number;
    };
    expect(pids).toHaveLength(3);
    expect(segment).toBeGreaterThanOrEqual(0);
    await expectNothingLeft(pids);
    await vi.waitFor(() => expect(segments()).not.toContain(segment), { timeout: 5_000, interval: 20 });
  });
});
