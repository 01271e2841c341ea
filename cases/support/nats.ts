/** A NATS server of a case's own, with guarded subjects on it. */

import { type Connected, connected, Scene, type Sharing } from "../../test/fence/queue/scene.js";
import { startNats } from "../../test/servers/nats.js";
import type { Stage } from "./stage.js";

export interface GuardedNats extends Scene {
  readonly client: Connected;
  /** One more client, closed with the case. */
  connect(url: string): Promise<Connected>;
}

export async function guardedNatsFor(stage: Stage, sharing: Sharing = "shared"): Promise<GuardedNats> {
  const server = await startNats();
  stage.cleanUps.push(async () => server.stop());
  const connect = async (url: string) => {
    const made = await connected(url);
    stage.cleanUps.push(async () => made.connection.close());
    return made;
  };
  const client = await connect(server.url);
  return Object.assign(new Scene(server, client, sharing), { client, connect });
}
