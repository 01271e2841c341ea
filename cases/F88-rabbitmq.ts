import { expect } from "vitest";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { rabbitmqSceneFor } from "./support/rabbitmq.js";

const texts = Array.from({ length: 24 }, (_, index) => `message ${index}`);

export const caseF88OnRabbitmq = defineCase({
  id: "F88-rabbitmq",
  fault: "a consumer fails in the middle of what the broker has sent ahead, while another one waits",
  mustHold:
    "what was not handled goes back to its place, and is handled in the order in which it was published, each once",
  injected: "the handler of the active one of two consumers throws at the tenth message",
  mutants: ["rabbitmq-goes-on-after-a-failure"],
  async run(stage) {
    const { scene } = await rabbitmqSceneFor(stage, {
      queue: { arguments: { "x-single-active-consumer": true } },
    });
    const handle = await scene.guard({ claim: "queued" }).claim(fence());
    for (const text of texts) await handle.publish(text);
    let isFailing = true;
    const failing = await scene.consume({}, scene.connection, ({ message }) => {
      if (!isFailing || message.content.toString() !== texts[9]) return;
      isFailing = false;
      stage.fault();
      throw new Error("not now");
    });
    await scene.consume();
    await scene.until(async () => (await scene.content()).length === texts.length);
    expect(await scene.content()).toEqual(texts);
    expect(await failing.ended).toMatchObject({ kind: "failed", cause: { message: "not now" } });
    expect(scene.refused).toEqual([]);
  },
});
