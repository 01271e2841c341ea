/** The cases on a real Redis server: in real time, several at once, each with a server of its own. */

import { it } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-redis"));

describeWithServer("redis", "on a real Redis server", () => {
  for (const one of cases) {
    const title = `${one.id}: ${one.fault} → ${one.mustHold}`;
    if ("notApplicable" in one) it.skip(`${title} (not applicable: ${one.notApplicable})`, () => {});
    else it.concurrent(title, async ({ task }) => void (task.meta.faultCount = await play(one)));
  }
});
