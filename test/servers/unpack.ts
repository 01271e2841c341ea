/**
 * Fetches the servers that are missing: packages of Debian or npm, unpacked into a folder of this checkout. Nothing is
 * installed and no service is started; root is needed by nothing here, and is used for the lists of packages only.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type Found,
  locate,
  machine,
  type Missing,
  type Needed,
  needed,
  type Places,
  type ServerName,
} from "./binaries.js";

export interface Provided {
  readonly name: ServerName;
  readonly found: Found | Missing;
}

/** All of them, the missing ones fetched when that can be done. */
export function provideAll(places: Places = machine()): readonly Provided[] {
  const names = Object.keys(needed) as ServerName[];
  return names.map((name) => ({ name, found: provide(name, places) }));
}

function provide(name: ServerName, places: Places): Found | Missing {
  const there = locate(name, places);
  if (!("missing" in there)) return verified(name, there);
  try {
    fetch(name, places.cache);
  } catch (error) {
    return {
      missing: `${name} is not on this machine and could not be fetched: ${(error as Error).message}`,
    };
  }
  const fetched = locate(name, places);
  return "missing" in fetched ? fetched : verified(name, fetched);
}

/** It is unpacked as a whole or not at all: a run that was ended half way leaves nothing that a later one believes. */
function fetch(name: ServerName, cache: string): void {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "unpacking-"));
  try {
    const { packages = [], npm }: Needed = needed[name];
    const root = join(folder, "root");
    mkdirSync(root);
    if (npm !== undefined) run("npm", ["pack", "--silent", npm], folder);
    else new Apt(cache, folder).download(packages.map((alternatives) => alternatives.split("|")));
    for (const file of readdirSync(folder)) {
      if (file.endsWith(".deb")) run("dpkg", ["-x", file, root], folder);
      if (file.endsWith(".tgz")) run("tar", ["-xzf", file, "-C", root], folder);
    }
    rmSync(join(cache, name), { recursive: true, force: true });
    renameSync(root, join(cache, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Apt {
  readonly #folder: string;
  readonly #lists: string;
  #options: readonly string[] = [];
  #isUpdated = false;

  constructor(cache: string, folder: string) {
    this.#folder = folder;
    this.#lists = join(cache, "apt");
    // Without this, root's apt tries to write as another user, and warns that it cannot.
    if (isRoot()) this.#options = ["-o", "APT::Sandbox::User=root"];
  }

  /** Of each package the first alternative that there is. */
  download(packages: readonly (readonly string[])[]): void {
    try {
      this.#try(packages);
    } catch (error) {
      // No lists on this machine, or old ones that name a package which is there no more.
      if (this.#isUpdated) throw error;
      this.#update();
      this.#try(packages);
    }
  }

  #try(packages: readonly (readonly string[])[]): void {
    try {
      // The tool reads its lists for a second at each call, so one call is tried before many.
      this.#get(packages.map(([first = ""]) => first));
    } catch {
      for (const alternatives of packages) this.#getFirst(alternatives);
    }
  }

  #getFirst(alternatives: readonly string[]): void {
    const failures: string[] = [];
    for (const name of alternatives) {
      try {
        this.#get([name]);
        return;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    throw new Error(failures.join("\n"));
  }

  #get(names: readonly string[]): void {
    run("apt-get", ["-q", ...this.#options, "download", ...names], this.#folder);
  }

  #update(): void {
    this.#isUpdated = true;
    if (!isRoot()) {
      for (const part of ["lists/partial", "cache/archives/partial"])
        mkdirSync(join(this.#lists, part), { recursive: true });
      this.#options = [
        ...["-o", `Dir::State::Lists=${join(this.#lists, "lists")}`],
        ...["-o", `Dir::Cache=${join(this.#lists, "cache")}`],
      ];
    }
    run("apt-get", ["-q", ...this.#options, "update"], this.#folder);
  }
}

/** A program that is there may lack a library: it has to be able to say its version. */
function verified(name: ServerName, found: Found): Found | Missing {
  const { program, version = "--version" }: Needed = needed[name];
  if (program === undefined) return found;
  const { status, stderr, error } = spawnSync(found.path, [version], {
    env: { PATH: process.env["PATH"] ?? "", ...found.env },
    encoding: "utf8",
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  if (status === 0) return found;
  return { missing: `${found.path} does not run: ${error?.message ?? stderr.trim()}` };
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    timeout: 180_000,
    killSignal: "SIGKILL",
  });
  if (error !== undefined) throw new Error(`${command}: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stderr.trim()}`);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
