import { expect } from "vitest";
import { reconnected } from "../test/fence/queue/scene.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedNatsFor } from "./support/nats.js";
import { defineCase } from "./support/case.js";

const resource = "ledger";
const publishCount = 4;

export const caseF27OnNats = defineCase({
  id: "F27-nats",
  fault: "the leader is cut off from the server, again and again",
  mustHold:
    "it is told with each message that nothing was published; afterwards the next one goes through, in strict order",
  injected: "a proxy resets the connection and refuses new ones, four messages long",
  mutants: ["G3-body-failure-spends-number", "jetstream-unreachable-unsaid"],
  faultCount: publishCount,
  async run(stage) {
    const scene = await guardedNatsFor(stage);
    const proxy = await scene.server.proxy();
    stage.cleanUps.push(async () => proxy.close());
    const far = await scene.connect(proxy.url);
    const handle = await scene.guard({ resource, timeoutMs: 1_500 }, far).claim(fence());
    await handle.publish("before");
    proxy.cut();
    for (let count = 0; count < publishCount; count += 1) {
      const error = await refusedWith(handle.publish("cut off"));
      expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
      stage.fault();
    }
    const back = reconnected(far.connection);
    await proxy.heal();
    await back;
    await handle.publish("after");
    expect(await scene.content(resource)).toEqual(["before", "after"]);
  },
});
