import { expect } from "vitest";
import { memoryGuard } from "../src/fence/memory/index.js";
import { rabbitmqConsumer } from "../src/fence/queue/index.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { rabbitmqSceneFor } from "./support/rabbitmq.js";

export const caseF86OnRabbitmq = defineCase({
  id: "F86-rabbitmq",
  fault: "the consumer's database comes back without the claims that it had applied",
  mustHold:
    "no message takes effect before a claim, neither of the rightful holder nor of who was claimed over; both are told",
  injected: "the consumer goes on with an empty database in the middle of a term",
  mutants: ["rabbitmq-write-claims", "rabbitmq-refusal-forgotten"],
  async run(stage) {
    const { scene } = await rabbitmqSceneFor(stage);
    const before = await scene.consume();
    const former = await scene.guard().claim(fence());
    const guard = scene.guard();
    const successor = fence({ token: 8, owner: "b" });
    const handle = await guard.claim(successor);
    await before.stop();
    const emptied = memoryGuard<string[]>({ resource: "ledger", initial: [] });
    const { queue, onRefused } = scene;
    await rabbitmqConsumer(scene.connection, emptied, { queue, onRefused }, (tx, { message }) => {
      tx.value.push(message.content.toString());
      setImmediate(() => scene.changed());
    });
    stage.fault();
    const content = async () => (await emptied.inspect()).value;
    await handle.publish("unclaimed");
    await former.publish("stale");
    await scene.until(async () => scene.refused.length + (await content()).length === 2);
    expect(scene.refused).toEqual([
      { reason: "CLAIM_MISSING", text: "unclaimed" },
      { reason: "CLAIM_MISSING", text: "stale" },
    ]);
    // A consumer's word travels beside the confirmations, and comes before the answer to a question asked after it.
    const again = await guard.claim(successor);
    expect(await refusedWith(handle.publish("untold"))).toMatchObject({ code: "CLAIM_MISSING" });
    await again.publish("claimed");
    await scene.until(async () => (await content()).length === 1);
    expect(await content()).toEqual(["claimed"]);
  },
});
