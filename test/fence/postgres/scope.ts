/** One scene per test, on a server that a file of tests shares. */

import { afterAll, beforeAll } from "vitest";
import { type PostgresServer, startPostgres } from "../../servers/postgres.js";
import { Scene } from "./scene.js";

export interface Scope {
  server(): PostgresServer;
  inScene(work: (scene: Scene) => Promise<void>): Promise<void>;
}

/** To be called inside of `describe`. */
export function postgresScope(config: Readonly<Record<string, string>> = {}): Scope {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres({ config });
  });
  afterAll(async () => server?.stop());
  const running = () => {
    if (server === undefined) throw new Error("the server was not started");
    return server;
  };
  return {
    server: running,
    async inScene(work) {
      const scene = await Scene.open(running().url);
      try {
        await work(scene);
      } finally {
        await scene.close();
      }
    },
  };
}
