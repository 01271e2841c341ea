import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { httpLedgerFor, put } from "./support/http.js";
import { defineCase } from "./support/case.js";

export const caseF87OverHttp = defineCase({
  id: "F87-http",
  fault:
    "the network breaks off at a request: before the service has it, and after its transaction is committed",
  mustHold:
    "the error carries the attempt; handed back it is applied once, and answered with the first response",
  injected: "the connection is cut when the request arrives, and another time when the response is due",
  mutants: ["http-silent-is-definite", "http-first-response-forgotten", "G3-duplicate-applied"],
  faultCount: 2,
  async run(stage) {
    const { guard, scene, server } = await httpLedgerFor(stage);
    const handle = await guard().claim(fence());
    for (const when of ["before", "after"] as const) {
      server.loseNext(when);
      const error = await rejection(put(handle, when, { result: "first" }));
      stage.fault();
      if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
      const { attempt } = error;
      const again = { attempt, result: "second" };
      expect(await put(handle, when, again)).toBe(when === "after" ? "first" : "second");
    }
    await put(handle, "next");
    expect(scene.content()).toEqual(["before", "after", "next"]);
  },
});
