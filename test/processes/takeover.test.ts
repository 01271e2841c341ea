/** Real processes on the file store: what happens to the next leader after each way to lose one. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plainCall } from "../support/scripted-store.js";
import { fileStore } from "../../src/stores/file/index.js";

const script = fileURLToPath(new URL("./candidate.mjs", import.meta.url));
const ttlMs = 2_000;

interface Told {
  readonly event: string;
  readonly at: number;
  readonly pid: number;
  readonly node?: string;
  readonly reason?: string;
  readonly lateByMs?: number;
}

interface Candidate {
  readonly process: ChildProcess;
  readonly told: Told[];
  /** The next event of that name, also one that was told already and not yet asked for. */
  next(event: string): Promise<Told>;
}

let directory: string;
let children: ChildProcess[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "tenure-takeover-"));
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

function start(mode: "lead" | "once"): Candidate {
  const child = spawn(process.execPath, [script, directory, mode, String(ttlMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const told: Told[] = [];
  const waiting: { event: string; resolve: (told: Told) => void }[] = [];
  const unclaimed: Told[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = JSON.parse(line) as Told;
    told.push(event);
    const index = waiting.findIndex((waiter) => waiter.event === event.event);
    if (index < 0) unclaimed.push(event);
    else waiting.splice(index, 1)[0]?.resolve(event);
  });
  return {
    process: child,
    told,
    next(event) {
      const index = unclaimed.findIndex((entry) => entry.event === event);
      const found = index < 0 ? undefined : unclaimed.splice(index, 1)[0];
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => waiting.push({ event, resolve }));
    },
  };
}

async function seqNow(): Promise<number> {
  const stored = await fileStore(directory).read("default/job", plainCall);
  if (typeof stored?.body !== "object") throw new Error("no record");
  return stored.body.seq;
}

describe("takeover between processes", () => {
  it("when nobody ever led here, the very first leads in under 200 ms", async () => {
    const first = start("lead");
    const [started, elected] = await Promise.all([first.next("started"), first.next("elected")]);
    expect(elected.at - started.at).toBeLessThan(200);
  });

  it("when the holder is killed and only single tries come, back to back, one leads within ttl + 1 s of the first", async () => {
    const holder = start("lead");
    await holder.next("elected");
    holder.process.kill("SIGKILL");
    const tries = [start("once"), start("once"), start("once")];
    const started = await Promise.all(tries.map((one) => one.next("started")));
    const elected = await Promise.race(tries.map((one) => one.next("elected")));
    expect(elected.at - Math.min(...started.map(({ at }) => at))).toBeLessThan(ttlMs + 1_000);
    // The others saw the new holder's life and said so.
    const held = await Promise.all(
      tries.filter(({ process: { pid } }) => pid !== elected.pid).map((one) => one.next("held")),
    );
    expect(new Set(held.map(({ node }) => node))).toEqual(new Set([elected.node]));
  });

  it("when the holder resigns cleanly, the next one leads in under 200 ms", async () => {
    const holder = start("lead");
    await holder.next("elected");
    const next = start("lead");
    await next.next("started");
    const seq = await seqNow();
    // The follower is in step once the holder has renewed a few times.
    await expect.poll(seqNow, { timeout: 10_000 }).toBeGreaterThan(seq + 3);
    holder.process.kill("SIGTERM");
    const [released, elected] = await Promise.all([holder.next("released"), next.next("elected")]);
    expect(elected.at - released.at).toBeLessThan(200);
    await holder.next("stopped");
  });

  it("when the holder lives, each single try answers held, and only after seq rose", async () => {
    const holder = start("lead");
    await holder.next("elected");
    const before = await seqNow();
    const tries = [start("once"), start("once")];
    const held = await Promise.all(tries.map((one) => one.next("held")));
    expect(await seqNow()).toBeGreaterThan(before);
    expect(new Set(held.map(({ node }) => node)).size).toBe(1);
  });

  it("when the holder is stopped beyond its ttl and continued, it has lost before it can act again", async () => {
    const holder = start("lead");
    await holder.next("elected");
    const next = start("lead");
    await next.next("started");
    holder.process.kill("SIGSTOP");
    const elected = await next.next("elected");
    holder.process.kill("SIGCONT");
    const lost = await holder.next("lost");
    expect(lost).toMatchObject({ reason: "deadline" });
    // Its belief had ended before the successor's began.
    expect(lost.at - (lost.lateByMs ?? 0)).toBeLessThan(elected.at);
  });
});
