/** Any program as a server: when it is ready, and that freezing and killing reach its children too. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { freePort } from "./port.js";
import { type Command, ServerProcess } from "./process.js";

const started: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill()));
});

function command(script: string, options: Partial<Command> = {}): Command {
  const env = { PATH: process.env["PATH"] ?? "" };
  return { path: "/bin/sh", args: ["-c", script], env, cwd: "/", readyText: "ready", ...options };
}

/** A shell with a child of another session; the number of the child is what it says first. */
async function startFamily(): Promise<readonly [server: ServerProcess, child: number]> {
  const server = await ServerProcess.start(command("setsid sleep 1000 & echo child $!. ready; wait"));
  started.push(server);
  return [server, Number(/child (\d+)\./.exec(server.output)?.[1])];
}

function stateOf(pid: number): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
}

const hasProc = process.platform === "linux";
const why = hasProc ? "" : " (skipped: what it looks at stands in /proc, which only Linux has)";

describe.runIf(hasProc)(`a server with children${why}`, () => {
  test("frozen, none of them runs; thawed, all do", async () => {
    const [server, child] = await startFamily();
    await server.freeze();
    expect([server.pid, child].map(stateOf)).toEqual(["T", "T"]);
    server.thaw();
    await vi.waitFor(() => expect([server.pid, child].map(stateOf)).toEqual(["S", "S"]));
  });

  test("one of them is frozen and thawed by itself, or killed; a stranger is not touched", async () => {
    const [server, child] = await startFamily();
    await server.freezeOne(child);
    expect(stateOf(child)).toBe("T");
    expect(stateOf(server.pid)).not.toBe("T");
    server.thawOne(child);
    await vi.waitFor(() => expect(stateOf(child)).toBe("S"));
    await expect(server.freezeOne(process.pid)).rejects.toThrow("is no child of the server");
    server.killOne(child);
    await server.ended;
  });

  test.each([true, false])("killed, frozen before: %s, none is left", async (isFrozen) => {
    const [server, child] = await startFamily();
    if (isFrozen) await server.freeze();
    await server.kill();
    expect(await server.ended).toBe("exit code null, signal SIGKILL");
    await vi.waitFor(() => expect(listProcesses().filter(({ pid }) => pid === child)).toEqual([]));
    await expect(server.freeze()).rejects.toThrow("cannot freeze a server that has ended");
  });
});

describe("a server that does not start", () => {
  test("when it ends before it is ready, starting fails with what it said", async () => {
    await expect(ServerProcess.start(command("echo no such option >&2; exit 3"))).rejects.toThrow(
      /ended before it was ready \(exit code 3.*no such option/s,
    );
  });

  test("when it is not ready in time, starting fails, and it is killed", async () => {
    const starting = ServerProcess.start(command("echo $$.; exec sleep 1000", { readyLimitMs: 200 }));
    const error = await starting.then(
      () => undefined,
      (failure: Error) => failure,
    );
    expect(error?.message).toContain("not ready within 200 ms");
    const pid = Number(/(\d+)\./.exec(error?.message.split("\n")[1] ?? "")?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(listProcesses().filter((listed) => listed.pid === pid)).toEqual([]);
  });

  test("when the program is not there, starting fails", async () => {
    await expect(ServerProcess.start(command("", { path: "/no/such/server" }))).rejects.toThrow("ENOENT");
  });
});

test.runIf(hasProc)(
  `a port for a server is not one that the kernel gives to an outgoing connection${why}`,
  async () => {
    const [low] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8")
      .trim()
      .split(/\s+/)
      .map(Number);
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(low ?? 0);
    expect(Math.min(...ports)).toBeGreaterThan(1_024);
  },
);
