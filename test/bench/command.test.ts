/** The bench as a process: what it prints, what it writes, how it ends, and that it leaves nothing. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Figure, PartResult } from "../../bench/table.mjs";
import { root } from "../architecture/files.js";
import { locate } from "../servers/binaries.js";
import { describeWithServer } from "../servers/with-server.js";
import { listProcesses } from "../support/process-list.js";

interface Written {
  readonly schema: string;
  readonly mode: string;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly parts: readonly (PartResult & { readonly figures: readonly (Figure & { verdict: string })[] })[];
}

let temporary: string;
let child: ChildProcessByStdio<null, Readable, Readable>;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "tenure-test-"));
});

afterEach(() => {
  child.kill("SIGKILL");
  rmSync(temporary, { recursive: true, force: true });
});

function start(...args: readonly string[]) {
  child = spawn(process.execPath, [join(root, "bench", "main.mjs"), ...args], {
    env: { ...process.env, ...withRedis(), TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { output, ended };
}

/** The bench takes its server from PATH; one that was unpacked for tests is put there. */
function withRedis(): Readonly<Record<string, string>> {
  const found = locate("redis");
  if ("missing" in found) return {};
  return { PATH: [dirname(found.path), process.env["PATH"] ?? ""].join(delimiter), ...found.env };
}

/** Command lines of processes that work in the directory for temporary files. */
function processesLeft(): readonly string[] {
  return listProcesses()
    .map(({ command }) => command)
    .filter((command) => command.includes(temporary));
}

describe("the bench", () => {
  test("when its fast parts run, it prints the table, writes raw samples, and leaves nothing else", async () => {
    const file = join(temporary, "figures.json");
    const { output, ended } = start("--quick", "--only", "check,latency", "--json", file);
    expect(await ended, output.stderr).toBe(0);
    expect(output.stdout).toMatch(/^check\(\) .* x performance\.now\(\) +<= 500 ns +(met|MISSED)$/m);
    expect(output.stdout).toMatch(/^file acquire, p99 .* x bare write/m);
    expect(output.stderr).toMatch(/check \.\.\.\n.*latency \.\.\./);
    const text = readFileSync(file, "utf8");
    const written = JSON.parse(text) as Written;
    expect(written).toMatchObject({ schema: "tenure.bench/1", mode: "quick" });
    expect(written.machine).toMatchObject({
      node: process.version,
      fileSystem: expect.any(String) as string,
    });
    const latency = written.parts.find(({ part }) => part === "latency");
    for (const store of ["memory", "file"])
      for (const step of ["acquire", "renew", "release"]) {
        const samples = latency?.samples[`${store} ${step}, ms`] ?? [];
        expect(samples.length).toBe(200);
        expect(Math.min(...samples)).toBeGreaterThan(0);
      }
    // Facts about the machine, but nothing that tells which one it is.
    expect(text).not.toContain(hostname());
    expect(text).not.toContain(temporary);
    expect(readdirSync(temporary)).toEqual(["figures.json"]);
  }, 60_000);

  describeWithServer("postgres", "of guards", () => {
    test("sets guarded writes beside bare ones, and leaves nothing", async () => {
      const file = join(temporary, "figures.json");
      // A PostgreSQL that runs as nobody has to reach its data there.
      chmodSync(temporary, 0o755);
      const { output, ended } = start("guards", "--quick", "--only", "memory,pg", "--json", file);
      expect(await ended, output.stderr).toBe(0);
      expect(output.stdout).toMatch(/^memory: guarded, p50 .* x bare /m);
      const pg = String.raw`^pg, sync off, three statements: `;
      expect(output.stdout).toMatch(new RegExp(`${pg}overhead at the median .*<= 10 % +(met|MISSED)$`, "m"));
      expect(output.stdout).toMatch(
        new RegExp(`${pg}16 writers, guarded of bare .*>= 80 % +(met|MISSED)$`, "m"),
      );
      expect(output.stdout).toMatch(new RegExp(`${pg}claims beside 16 writers, max `, "m"));
      const { parts } = JSON.parse(readFileSync(file, "utf8")) as Written;
      expect(parts.map(({ part, failure }) => [part, failure])).toEqual([
        ["memory", undefined],
        ["pg", undefined],
      ]);
      const samples = parts[1]?.samples["pg, sync on, one statement: guarded, ms"] ?? [];
      expect(samples).toHaveLength(60);
      await vi.waitFor(() => expect(readdirSync(temporary)).toEqual(["figures.json"]), { timeout: 10_000 });
      expect(processesLeft()).toEqual([]);
    }, 60_000);
  });

  test("when it is interrupted with candidates running, it ends with 130 and leaves neither processes nor files", async () => {
    const { ended } = start("--quick", "--only", "takeover");
    await vi.waitFor(() => expect(processesLeft().length).toBe(3), { timeout: 20_000 });
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    await vi.waitFor(() => expect(processesLeft()).toEqual([]), { timeout: 10_000 });
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("when an option is unknown, it ends with 64 and says which ones there are", async () => {
    const { output, ended } = start("--fast");
    expect(await ended).toBe(64);
    expect(output.stderr).toMatch(/--fast[\s\S]*Usage: npm run bench/);
    expect(output.stdout).toBe("");
  });
});

describeWithServer("redis", "the bench on Redis", () => {
  const ofThisCheckout = (): readonly string[] =>
    listProcesses()
      .map(({ command }) => command)
      .filter(
        (command) => command.includes(join(root, "bench", "candidate.mjs")) && command.includes("redis:"),
      );
  const serversAt = (address: string): readonly string[] =>
    listProcesses()
      .map(({ command }) => command)
      .filter((command) => command.startsWith("redis-server") && command.includes(address));

  // What Linux does for a server whose starter was killed, other systems do not.
  const ends = process.platform === "linux" ? (["SIGINT", "SIGKILL"] as const) : (["SIGINT"] as const);

  test.each(ends)(
    "when %s ends it with candidates running, neither they nor the server are left",
    async (signal) => {
      const { ended } = start("redis", "--quick", "--only", "takeover");
      await vi.waitFor(() => expect(ofThisCheckout().length).toBe(3), { timeout: 20_000 });
      const [, address = ""] = /redis:\/\/(\S+)/.exec(ofThisCheckout()[0] ?? "") ?? [];
      expect(serversAt(address).length).toBe(1);
      child.kill(signal);
      expect(await ended).toBe(signal === "SIGINT" ? 130 : null);
      await vi.waitFor(() => expect([...ofThisCheckout(), ...serversAt(address)]).toEqual([]), {
        timeout: 10_000,
      });
    },
  );
});
