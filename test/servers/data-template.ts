/**
 * Data folders as a fresh database has them. To make one takes a second or so; it is made once, kept beside the
 * unpacked servers, and copied for each server that starts.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "./binaries.js";
import { guardPath } from "./guardian.js";
import type { Owner } from "./process.js";

export interface Recipe {
  readonly name: string;
  /** The program that makes it: another version is another template. */
  readonly program: string;
  /** All else that it depends on. */
  readonly settings: readonly string[];
  readonly owner: Owner | undefined;
  /** Fills an empty folder, which belongs to the owner. */
  make(folder: string): Promise<void>;
}

/** Where it is. Made now if this is the first time; who makes it at the same time makes the same. */
export async function template(recipe: Recipe, cache: string = cacheFolder): Promise<string> {
  const { name, settings, owner } = recipe;
  const program = realpathSync(recipe.program);
  const { mtimeMs, size } = statSync(program);
  const uid = owner?.uid ?? process.getuid?.();
  const key = createHash("sha256").update(JSON.stringify([program, mtimeMs, size, settings, uid]));
  const path = join(cache, "data", `${name}-${key.digest("hex").slice(0, 16)}`);
  if (existsSync(path)) return path;
  const made = ownFolder(`tenure-${name}-template-`, owner);
  mkdirSync(join(cache, "data"), { recursive: true });
  const copied = mkdtempSync(join(cache, "data", "copying-"));
  try {
    await recipe.make(made);
    await copyFolder(made, join(copied, "data"));
    renameSync(join(copied, "data"), path);
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(copied, { recursive: true, force: true });
  }
  return path;
}

/** A new folder for the files of a server; it goes with the test process. */
export function ownFolder(prefix: string, owner: Owner | undefined): string {
  const path = mkdtempSync(join(tmpdir(), prefix));
  guardPath(path);
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  return path;
}

/** With owners and modes, which Node's own copy does not keep. `to` must not exist. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await run("cp", ["-a", from, to]);
}

interface RunOptions {
  readonly owner?: Owner | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a tool to its end, and throws with what it said when it fails. Meanwhile the test process goes on. */
export async function run(path: string, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const { owner, env = {}, input = "" } = options;
  const child = spawn(path, args, {
    ...{ ...owner, cwd: "/", env: { PATH: process.env["PATH"] ?? "", ...env } },
    ...{ timeout: 60_000, killSignal: "SIGKILL" },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_000);
    });
  // One that ends before it has read everything says why.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const how = await new Promise<string | number | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  if (how !== 0) throw new Error(`${path} ended with ${how}:\n${said}`);
}
