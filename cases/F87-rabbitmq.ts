import { connect } from "amqplib";
import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { rabbitmqSceneFor } from "./support/rabbitmq.js";

export const caseF87OnRabbitmq = defineCase({
  id: "F87-rabbitmq",
  fault: "the broker's confirmation is lost; then a consumer's connection, in the middle of a message",
  mustHold:
    "the error carries the attempt, and handed back it takes effect once; so does the message in the middle",
  injected:
    "a proxy drops what the broker answers to a publish; a consumer is cut off inside of its handler, which fails",
  mutants: ["rabbitmq-lost-is-definite", "rabbitmq-acknowledged-first", "G3-duplicate-applied"],
  faultCount: 2,
  async run(stage) {
    // A repeat is known by its number, not by the memory of operations.
    const { server, scene } = await rabbitmqSceneFor(stage, { rememberOperations: 0 });
    const proxy = await server.proxy();
    const leading = await connect(proxy.url, { recovery: { initialDelay: 20, maxDelay: 200 } });
    stage.cleanUps.push(async () => {
      await leading.close();
      await proxy.close();
    });
    // Each of its losses is made here.
    leading.on("error", () => {});
    const handle = await scene.guard({ claim: "queued", timeoutMs: 1_000 }, leading).claim(fence());
    const drop = proxy.drop("to-client", { matching: "once" });
    const error = await refusedWith(handle.publish("once"));
    stage.fault();
    if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
    const back = new Promise<void>((resolve) => leading.once("connect", () => resolve()));
    await drop.end();
    await back;
    await handle.publish("once", { attempt: error.attempt });
    await handle.publish("cut");
    await handle.publish("behind");
    const consuming = await scene.connect();
    let isCut = false;
    const cut = await scene.consume({}, consuming, async ({ message }) => {
      if (message.content.toString() !== "cut") return;
      isCut = true;
      // What it has said to the broker until now has left it.
      await scene.waiting();
      await consuming.close();
      throw new Error("cut off");
    });
    expect(await cut.ended).toMatchObject({ kind: "failed" });
    expect(isCut).toBe(true);
    stage.fault();
    await scene.consume();
    await scene.until(async () => (await scene.content()).includes("behind"));
    expect(await scene.content()).toEqual(["once", "cut", "behind"]);
    expect(scene.refused).toEqual([]);
  },
});
