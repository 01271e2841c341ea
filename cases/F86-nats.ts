import { expect } from "vitest";
import type { JetstreamHandle } from "../src/fence/queue/index.js";
import { restart } from "../test/fence/queue/scene.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedNatsFor } from "./support/nats.js";
import { defineCase } from "./support/case.js";

const resource = "ledger";
const successor = fence({ token: 8, owner: "b" });

export const caseF86OnNats = defineCase({
  id: "F86-nats",
  fault:
    "the server comes back with what it had, then as it was before a claim, then its stream is made anew",
  mustHold:
    "the watermark stands; what is lost is refused until it is claimed again, also when the new stream has come to the same sequence",
  injected:
    "kill -9 and a start with the same data; with a copy from before the successor's claim; the stream is deleted and made again, and claimed by another lineage",
  mutants: ["G7-implicit-claim", "jetstream-made-anew-trusted"],
  faultCount: 3,
  async run(stage) {
    const scene = await guardedNatsFor(stage, "alone");
    const { server, client } = scene;
    const guard = scene.guard({ resource });
    const refusal = async (by: JetstreamHandle) => refusedWith(by.publish("refused"));
    const former = await guard.claim(fence());
    const before = await server.snapshot();
    const handle = await guard.claim(successor);
    await handle.publish("1");
    await restart(server, client);
    stage.fault();
    await handle.publish("2");
    expect(await refusal(former)).toMatchObject({ code: "STALE", watermark: 8 });
    await restart(server, client, before);
    stage.fault();
    expect(await refusal(handle)).toMatchObject({ code: "CLAIM_MISSING" });
    const again = await guard.claim(successor);
    await again.publish("3");
    await scene.wipe();
    stage.fault();
    // The last message has the sequence that the former leader goes on from.
    const stranger = await guard.claim(fence({ lineage: "default/raft" }));
    for (const text of ["4", "5"]) await stranger.publish(text);
    expect((await guard.inspect()).sequence).toBe(3);
    expect(await refusal(again)).toMatchObject({ code: "FOREIGN_LINEAGE" });
    expect(await scene.content(resource)).toEqual(["4", "5"]);
  },
});
