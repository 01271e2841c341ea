import { expect } from "vitest";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { rabbitmqSceneFor } from "./support/rabbitmq.js";

export const caseF04OnRabbitmq = defineCase({
  id: "F04-rabbitmq",
  fault:
    "a consumer stands still between the check and the effect, while another applies the successor's claim",
  mustHold: "what goes on afterwards takes no effect, and is told; the claim was made without waiting for it",
  injected:
    "the first of two consumers is held inside of its transaction until the claim of the second is made",
  mutants: ["G2-decides-once", "G2-memory-no-compare"],
  async run(stage) {
    const { scene } = await rabbitmqSceneFor(stage);
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let isStanding = false;
    await scene.consume({ prefetch: 1 }, scene.connection, async () => {
      isStanding = true;
      scene.changed();
      await held;
    });
    const guard = scene.guard();
    const former = await guard.claim(fence());
    await former.publish("zombie");
    await scene.until(() => isStanding);
    stage.fault();
    await scene.consume({ prefetch: 1 });
    const successor = await scene.guard().claim(fence({ token: 8, owner: "b" }));
    expect((await scene.ledger.inspect()).rows[0]?.row.watermark).toBe(8);
    goOn();
    await scene.until(async () => (await scene.content()).length + scene.refused.length === 1);
    expect(await scene.content()).toEqual([]);
    expect(scene.refused).toEqual([{ reason: "STALE", text: "zombie" }]);
    await successor.publish("b");
    await scene.until(async () => (await scene.content()).length === 1);
    expect(await scene.content()).toEqual(["b"]);
  },
});
