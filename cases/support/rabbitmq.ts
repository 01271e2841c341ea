/** The broker of all cases, and a queue on it for each. */

import { Scene, type SceneOptions } from "../../test/fence/queue/rabbitmq/scene.js";
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

export async function rabbitmqSceneFor(stage: Stage, options: SceneOptions = {}): Promise<RabbitmqScene> {
  const server = await rabbitmq.start();
  const scene = await Scene.open(server, options);
  stage.cleanUps.push(async () => scene.close());
  return { server, scene };
}
