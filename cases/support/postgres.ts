/** A PostgreSQL server of a case's own, with a schema, a ledger and clients in it. */

import { Scene } from "../../test/fence/postgres/scene.js";
import { type PostgresServer, startPostgres } from "../../test/servers/postgres.js";
import type { Stage } from "./stage.js";

export async function postgresSceneFor(stage: Stage): Promise<Scene & { readonly server: PostgresServer }> {
  const server = await startPostgres();
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
