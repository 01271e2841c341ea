/** The cases on a database, a cache and a queue at once, on servers of their own. */

import { it } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-several"));

describeWithServer(["postgres", "redis", "nats"], "on several resources", () => {
  for (const one of cases.filter((any) => "run" in any)) {
    it(`${one.id}: ${one.fault} → ${one.mustHold}`, { timeout: 60_000 }, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }
});
