/** A file of SQLite of a case's own, with a ledger in it, that processes have open. */

import { SqliteScene } from "../../test/fence/sqlite/scene.js";
import type { Stage } from "./stage.js";

export function sqliteSceneFor(stage: Stage, client: "node:sqlite" | "better-sqlite3"): SqliteScene {
  const scene = new SqliteScene(client);
  stage.cleanUps.push(async () => scene.close());
  return scene;
}
