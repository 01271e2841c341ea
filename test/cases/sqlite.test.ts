/** The cases on files of SQLite, which other processes have open: this Node.js has none. */

import { it } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

const cases = await loadCases((id) => id.endsWith("-sqlite"));

describeWithServer(["node22", "better-sqlite3"], "on a file of SQLite", () => {
  for (const one of cases.filter((any) => "run" in any)) {
    it(`${one.id}: ${one.fault} → ${one.mustHold}`, async ({ task }) => {
      task.meta.faultCount = await play(one);
    });
  }

  for (const { id, fault, mustHold, notApplicable } of cases.filter((any) => "notApplicable" in any)) {
    it.skip(`${id}: ${fault} → ${mustHold} (not applicable: ${notApplicable})`, () => {});
  }
});
