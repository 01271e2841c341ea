import { expect } from "vitest";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedNatsFor } from "./support/nats.js";
import { defineCase } from "./support/case.js";

const resource = "ledger";

export const caseF89OnNats = defineCase({
  id: "F89-nats",
  fault: "a zombie and its successor carry one and the same token, as after a store that lost a grant",
  mustHold:
    "whoever claims first owns the token; the other one is told of the conflict and publishes nothing",
  injected: "two owners claim a subject of a NATS server under one token, over two connections",
  mutants: ["G1-equal-from-anyone", "G4-conflict-untold"],
  async run(stage) {
    const scene = await guardedNatsFor(stage);
    const first = await scene.guard({ resource }).claim(fence({ token: 7, owner: "a" }));
    const other = scene.guard({ resource }, await scene.connect(scene.server.url));
    stage.fault();
    const told: number[] = [];
    const twin = { fence: fence({ token: 7, owner: "b" }), outpaced: (at: number) => void told.push(at) };
    const conflict = { code: "CONFLICT", watermark: 7, owner: "a" };
    expect(await refusedWith(other.claim(twin))).toMatchObject(conflict);
    expect(told).toEqual([7]);
    await first.publish("first");
    const raised = await other.claim(fence({ token: 8, owner: "b" }));
    expect(await refusedWith(first.publish("late"))).toMatchObject({ code: "STALE" });
    await raised.publish("raised");
    expect(await scene.content(resource)).toEqual(["first", "raised"]);
  },
});
