/** A MariaDB server of a case's own, with a database, a ledger and pools in it. */

import { Scene } from "../../test/fence/mysql/scene.js";
import { quickTables } from "../../test/fence/mysql/scope.js";
import { type MariadbServer, startMariadb } from "../../test/servers/mariadb.js";
import type { Stage } from "./stage.js";

export async function mysqlSceneFor(stage: Stage): Promise<Scene & { readonly server: MariadbServer }> {
  const server = await startMariadb({ config: quickTables });
  const opened: Scene[] = [];
  // Sessions end before their server does.
  stage.cleanUps.push(async () => {
    for (const scene of opened) await scene.end();
    await server.stop();
  });
  const scene = await Scene.open(server.url);
  opened.push(scene);
  return Object.assign(scene, { server });
}
