/** The cases on a real NATS server: in real time, several at once, each with a server of its own. */

import { it } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-nats"));
/** Processes take their time to start. */
const aloneLimitMs = 90_000;
const playable = cases.filter((one) => "run" in one);

describeWithServer("nats", "on a real NATS server", () => {
  for (const one of playable.filter(({ alone }) => alone !== true)) {
    it.concurrent(`${one.id}: ${one.fault} → ${one.mustHold}`, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }

  for (const one of playable.filter(({ alone }) => alone === true)) {
    it(`${one.id}: ${one.fault} → ${one.mustHold}`, { timeout: aloneLimitMs }, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }

  for (const { id, fault, mustHold, notApplicable } of cases.filter((any) => "notApplicable" in any)) {
    it.skip(`${id}: ${fault} → ${mustHold} (not applicable: ${notApplicable})`, () => {});
  }
});
