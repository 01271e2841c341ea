/** The cases on a real MariaDB server: in real time, each with a server of its own. */

import { it } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-mysql"));
/** Processes take their time to start. */
const limitMs = 60_000;
const playable = cases.filter((one) => "run" in one);

describeWithServer("mariadb", "on a real MariaDB server", () => {
  for (const one of playable) {
    it(`${one.id}: ${one.fault} → ${one.mustHold}`, { timeout: limitMs }, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }

  for (const { id, fault, mustHold, notApplicable } of cases.filter((any) => "notApplicable" in any)) {
    it.skip(`${id}: ${fault} → ${mustHold} (not applicable: ${notApplicable})`, () => {});
  }
});
