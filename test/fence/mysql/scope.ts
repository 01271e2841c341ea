/**
 * One scene per test, on a server that a file of tests shares.
 *
 * `TENURE_MYSQL_URL` names a running server to use instead of MariaDB, by hand: a MySQL, which the harness cannot start.
 */

import { afterAll, beforeAll } from "vitest";
import { type MariadbServer, startMariadb } from "../../servers/mariadb.js";
import { Scene } from "./scene.js";

export const otherServer: string | undefined = process.env["TENURE_MYSQL_URL"];

/** Tables are made by the hundred here. */
export const quickTables: Readonly<Record<string, string>> = {
  "innodb-file-per-table": "0",
  "debug-no-sync": "1",
};

export interface Scope {
  url(): string;
  inScene(work: (scene: Scene) => Promise<void>): Promise<void>;
}

/** To be called inside of `describe`. */
export function mysqlScope(config: Readonly<Record<string, string>> = {}): Scope {
  let server: MariadbServer | undefined;
  beforeAll(async () => {
    if (otherServer === undefined) server = await startMariadb({ config: { ...quickTables, ...config } });
  });
  afterAll(async () => server?.stop());
  const url = () => {
    const found = otherServer ?? server?.url;
    if (found === undefined) throw new Error("the server was not started");
    return found;
  };
  return {
    url,
    async inScene(work) {
      const scene = await Scene.open(url());
      try {
        await work(scene);
      } finally {
        await scene.close();
      }
    },
  };
}
