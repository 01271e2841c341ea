import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { fileGuard } from "../src/fence/file/index.js";
import { type Book, emptyBook, entered } from "./support/ledger.js";
import { directoryFor } from "./support/processes.js";
import { pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const script = fileURLToPath(new URL("./support/frozen-write.mjs", import.meta.url));

export const caseF04OnRedis = defineCase({
  id: "F04-redis",
  fault: "the leader's process stops exactly between its check and the effect of its write, beyond its ttl",
  mustHold:
    "its successor claims and writes; the write of the first is refused when it goes on, and its term is over",
  injected:
    "SIGSTOP from inside a transaction on a file, after check() has passed; SIGCONT when another has written",
  mutants: ["G2-decides-once", "G1-lower-accepted"],
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage);
    const directory = await directoryFor(stage);
    const [resource, history] = [join(directory, "ledger"), join(directory, "history.jsonl")];
    const child = spawn(process.execPath, [script, scene.server.url, resource, history], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    stage.cleanUps.push(() => child.kill("SIGKILL"));
    const told: unknown[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => told.push(JSON.parse(line)));
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
  },
});

function isStopped(pid: number): boolean {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).startsWith("T");
}
