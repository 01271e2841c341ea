import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedNatsFor } from "./support/nats.js";
import { defineCase } from "./support/case.js";

const isPublish = (message: Buffer): boolean => message.includes("the payload\r\n");

export const caseF87OnNats = defineCase({
  id: "F87-nats",
  fault:
    "the answer to a publish is lost: before the server has the message, after it has stored it, and in silence",
  mustHold:
    "what was stored is found and answered with its sequence; else the error carries the attempt, and handed back it is there once, also behind what came after it",
  injected:
    "a proxy resets the connection at the publish, with it delivered and without; it swallows all that the server says from the acknowledgement on",
  mutants: ["jetstream-lost-is-definite", "G3-duplicate-applied", "jetstream-sequence-unfilled"],
  faultCount: 3,
  async run(stage) {
    const scene = await guardedNatsFor(stage, "alone");
    for (const how of ["away", "delivered", "silent"] as const) {
      const proxy = await scene.server.proxy();
      stage.cleanUps.push(async () => proxy.close());
      const far = await scene.connect(proxy.url);
      const handle = await scene.guard({ resource: how, timeoutMs: 1_000 }, far).claim(fence());
      await handle.publish("first");
      if (how === "silent") proxy.drop("to-client", { matching: isPublish });
      else proxy.resetEvery(1, { of: "requests", delivered: how === "delivered", matching: isPublish });
      const publishing = handle.publish("the payload");
      if (how === "delivered") expect(await publishing).toEqual({ sequence: 3 });
      else {
        const error = await refusedWith(publishing);
        if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
        await proxy.heal();
        const { attempt } = error;
        expect(await settled(async () => handle.publish("again", { attempt }))).toEqual({ sequence: 3 });
      }
      stage.fault();
      expect(proxy.faults[how === "silent" ? "drop" : "reset"]).toBeGreaterThan(0);
      expect(await scene.content(how)).toEqual(["first", how === "away" ? "again" : "the payload"]);
    }
  },
});

/** The client takes its time to connect again, and until then nobody knows more than before. */
async function settled(send: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
    }
  }
}
