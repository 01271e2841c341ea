/** The cases on services over HTTP, which keep what they are told in a file of SQLite or on a PostgreSQL server. */

import { it } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-http"));

describeWithServer(["node22", "postgres"], "on a service over HTTP", () => {
  for (const one of cases.filter((any) => "run" in any)) {
    it(`${one.id}: ${one.fault} → ${one.mustHold}`, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }
});
