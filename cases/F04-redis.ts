import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { fileGuard } from "../src/fence/file/index.js";
import { redisGuard } from "../src/fence/redis/index.js";
import { fence } from "../test/fence/scene.js";
import { connect } from "../test/stores/redis/clients.js";
import { type Book, emptyBook, entered } from "./support/ledger.js";
import { directoryFor } from "./support/processes.js";
import { pause, type RedisScene, redisScene } from "./support/redis.js";
import type { Stage } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF04OnRedis = defineCase({
  id: "F04-redis",
  fault: "the leader's process stops exactly between its check and the effect of its write, beyond its ttl",
  mustHold:
    "its successor claims and writes; the write of the first is refused when it goes on, and its term is over",
  injected:
    "SIGSTOP from inside a transaction on a file, after check() has passed, and from inside one on keys of the server; SIGCONT when another has written",
  mutants: ["G2-decides-once", "G1-lower-accepted", "redis-guard-lower-accepted"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage);
    const directory = await directoryFor(stage);
    const [resource, history] = [join(directory, "ledger"), join(directory, "history.jsonl")];
    const { child, told } = started(stage, "frozen-write.mjs", [scene.server.url, resource, history]);
    const { token } = (await scene.until("that it stops", () => told[0])) as { readonly token: number };
    await scene.until("that it is stopped", () => (isStopped(child.pid ?? 0) ? true : undefined));
    const successor = await scene.candidate("successor");
    const leadership = await scene.lead(successor);
    expect(leadership.token).toBeGreaterThan(token);
    const ledger = await fileGuard<Book>(resource, { resource: "ledger", initial: emptyBook }).claim(
      leadership,
    );
    await ledger.transaction((tx) => void (tx.value = entered(tx.value, "fresh")));
    await pause(50);
    expect(told).toHaveLength(1);
    child.kill("SIGCONT");
    stage.fault();
    expect(await scene.until("what became of its write", () => told[1])).toEqual({
      checked: true,
      current: false,
      code: "STALE",
    });
    const value = await ledger.read();
    expect(value.entries).toEqual(["fresh"]);
    successor.history.push(...readFileSync(history, "utf8").trimEnd().split("\n"));
    await keysToo(stage, scene);
  },
});

/** The same to keys of the server, behind the guard of such keys. */
async function keysToo(stage: Stage, scene: RedisScene): Promise<void> {
  const { server } = scene;
  const { client, close } = await connect("ioredis-6", server.url);
  stage.cleanUps.push(close);
  await server.command("SET", "balance", "100");
  const { child, told } = started(stage, "frozen-keys.mjs", [server.url]);
  const { token, balance } = (await scene.until("that it stops", () => told[0])) as Readonly<
    Record<string, number>
  >;
  expect(balance).toBe(100);
  await scene.until("that it is stopped", () => (isStopped(child.pid ?? 0) ? true : undefined));
  const guard = redisGuard(client, { resource: "account" });
  const handle = await guard.claim(fence({ token: (token ?? 0) + 1, owner: "successor" }));
  await handle.transaction(async (tx) => tx.set("balance", String(Number(await tx.get("balance")) - 10)));
  await pause(50);
  expect(told).toHaveLength(1);
  child.kill("SIGCONT");
  stage.fault();
  expect(await scene.until("what became of its write", () => told[1])).toEqual({ code: "STALE" });
  expect(await server.command("GET", "balance")).toBe("90");
}

function started(stage: Stage, script: string, args: readonly string[]) {
  const path = fileURLToPath(new URL(`./support/${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  stage.cleanUps.push(() => child.kill("SIGKILL"));
  const told: unknown[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => told.push(JSON.parse(line)));
  return { child, told };
}

function isStopped(pid: number): boolean {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).startsWith("T");
}
