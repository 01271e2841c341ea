import { expect } from "vitest";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { rabbitmqSceneFor } from "./support/rabbitmq.js";

export const caseF89OnRabbitmq = defineCase({
  id: "F89-rabbitmq",
  fault: "a zombie and its successor carry one and the same token, as after a store that lost a grant",
  mustHold:
    "whoever claims first owns the token; the other one is told of the conflict, and nothing of it takes effect",
  injected: "two owners claim one queue under one token, one waiting for the consumer's word and one not",
  mutants: ["G1-equal-from-anyone", "rabbitmq-term-untold"],
  async run(stage) {
    const { scene } = await rabbitmqSceneFor(stage);
    await scene.consume();
    const first = await scene.guard().claim(fence({ token: 7, owner: "a" }));
    stage.fault();
    const told: number[] = [];
    const twin = { fence: fence({ token: 7, owner: "b" }), outpaced: (at: number) => void told.push(at) };
    const conflict = { code: "CONFLICT", watermark: 7, owner: "a" };
    expect(await refusedWith(scene.guard().claim(twin))).toMatchObject(conflict);
    expect(told).toEqual([7]);
    const hasty = await scene.guard({ claim: "queued" }).claim(twin);
    // Published before it was told, or refused because it was.
    await hasty.publish("of the twin").catch(() => {});
    await first.publish("first");
    const raised = await scene.guard().claim(fence({ token: 8, owner: "b" }));
    await first.publish("late");
    await raised.publish("raised");
    await scene.until(async () => (await scene.content()).includes("raised"));
    expect(await scene.content()).toEqual(["first", "raised"]);
    expect(await refusedWith(first.publish("later"))).toMatchObject({ code: "STALE", watermark: 8 });
    expect(await refusedWith(hasty.publish("later"))).toMatchObject(conflict);
  },
});
