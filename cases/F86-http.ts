import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { httpLedgerFor, put } from "./support/http.js";
import { defineCase } from "./support/case.js";

export const caseF86OverHttp = defineCase({
  id: "F86-http",
  fault: "the service is started anew; later its database loses what the guard keeps",
  mustHold:
    "a service that was started anew refuses what its database refuses, and serves the leader without a claim; what is lost is refused until it is claimed again, and no request claims by the way",
  injected: "the service is put up anew on the same port; the guard's rows are deleted",
  mutants: ["http-implicit-claim", "G7-implicit-claim"],
  faultCount: 2,
  async run(stage) {
    const { guard, scene, restart } = await httpLedgerFor(stage);
    const old = await guard().claim(fence());
    const leader = fence({ token: 8, owner: "b" });
    const handle = await guard().claim(leader);
    await restart();
    stage.fault();
    expect(await rejection(put(old, "stale"))).toMatchObject({ code: "STALE", watermark: 8 });
    await put(handle, "1");
    scene.admin.exec("DELETE FROM tenure_fence; DELETE FROM tenure_attempt");
    stage.fault();
    for (const late of [old, handle]) {
      expect(await rejection(put(late, "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
      expect(await rejection(late.fetch(""))).toMatchObject({ code: "CLAIM_MISSING" });
    }
    await guard().claim(fence({ token: 3, owner: "somebody" }));
    expect(await rejection(put(handle, "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
    await put(await guard().claim(leader), "2");
    expect(scene.content()).toEqual(["1", "2"]);
  },
});
