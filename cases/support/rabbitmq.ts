/** The broker of all cases, and a queue on it for each. */

import { Scene } from "../../test/fence/queue/rabbitmq/scene.js";
import { type RabbitmqServer, startRabbitmq } from "../../test/servers/rabbitmq.js";
import type { Stage } from "./stage.js";

let starting: Promise<RabbitmqServer> | undefined;

export const rabbitmq = {
  async start(): Promise<RabbitmqServer> {
    starting ??= startRabbitmq();
    return starting;
  },
  async stop(): Promise<void> {
    await (await starting)?.stop();
    starting = undefined;
  },
};

export interface RabbitmqScene {
  readonly server: RabbitmqServer;
  readonly scene: Scene;
}

/** `queue`: how it is declared, besides being durable. */
export async function rabbitmqSceneFor(stage: Stage, queue: object = {}): Promise<RabbitmqScene> {
  const server = await rabbitmq.start();
  const scene = await Scene.open(server, queue);
  stage.cleanUps.push(async () => scene.close());
  return { server, scene };
}
