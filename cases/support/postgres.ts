/** A PostgreSQL server of a case's own, with a schema, a ledger and clients in it. */

import { Scene } from "../../test/fence/postgres/scene.js";
import { type PostgresServer, startPostgres } from "../../test/servers/postgres.js";
import type { Stage } from "./stage.js";

export async function postgresSceneFor(stage: Stage): Promise<Scene & { readonly server: PostgresServer }> {
  const server = await startPostgres();
  let scene: Scene | undefined;
  // Sessions end before their server does.
  stage.cleanUps.push(async () => {
    await scene?.end();
    await server.stop();
  });
  scene = await Scene.open(server.url);
  return Object.assign(scene, { server });
}
