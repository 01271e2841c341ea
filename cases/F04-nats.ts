import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { fence } from "../test/fence/scene.js";
import { guardedNatsFor } from "./support/nats.js";
import type { Stage } from "./support/stage.js";
import { defineCase } from "./support/case.js";

const resource = "ledger";

export const caseF04OnNats = defineCase({
  id: "F04-nats",
  fault: "the leader's process stops exactly between its check and its publish",
  mustHold: "its successor claims and publishes; the server refuses the message of the first when it goes on",
  injected:
    "SIGSTOP from inside of the function that makes the payload; SIGCONT when another has claimed, and in a second round when it has published too",
  mutants: ["jetstream-unconditional", "G2-decides-once"],
  faultCount: 4,
  alone: true,
  async run(stage) {
    for (const sharing of ["shared", "alone"] as const) {
      for (const publishes of [false, true]) {
        const scene = await guardedNatsFor(stage, sharing);
        const guard = scene.guard({ resource });
        await guard.claim(fence({ token: 1 }));
        const { child, told } = started(stage, [
          scene.server.url,
          scene.stream(resource),
          scene.subject(resource),
        ]);
        await expect.poll(() => told[0], { timeout: 20_000 }).toEqual({ token: 7 });
        await expect.poll(() => isStopped(child.pid ?? 0), { timeout: 20_000 }).toBe(true);
        const successor = await guard.claim(fence({ token: 8, owner: "successor" }));
        if (publishes) await successor.publish("fresh");
        child.kill("SIGCONT");
        stage.fault();
        await expect.poll(() => told[1], { timeout: 20_000 }).toEqual({ code: "STALE" });
        await successor.publish("after");
        const fresh = publishes ? ["fresh"] : [];
        expect(await scene.content(resource)).toEqual(["before", ...fresh, "after"]);
      }
    }
  },
});

function started(stage: Stage, args: readonly string[]) {
  const path = fileURLToPath(new URL("./support/frozen-publish.mjs", import.meta.url));
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
