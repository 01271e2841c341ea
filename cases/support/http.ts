/** A service of a case's own over HTTP, with a ledger in a file of SQLite, and whatever lies in front of it. */

import {
  type HttpGuardOptions,
  type HttpHandle,
  httpGuard,
  httpService,
} from "../../src/fence/http/index.js";
import type { SqliteGuardOptions } from "../../src/fence/sqlite/index.js";
import { HttpServer } from "../../test/fence/http/scene.js";
import type { SqliteScene } from "../../test/fence/sqlite/scene.js";
import { sqliteSceneFor } from "./sqlite.js";
import type { Stage } from "./stage.js";

export interface HttpLedger {
  readonly server: HttpServer;
  readonly scene: SqliteScene;
  readonly failures: readonly unknown[];
  guard(options?: Partial<HttpGuardOptions>): ReturnType<typeof httpGuard>;
  /** As the service holds it after it was started anew. */
  restart(): Promise<void>;
}

export async function httpLedgerFor(
  stage: Stage,
  options: Partial<SqliteGuardOptions> = {},
): Promise<HttpLedger> {
  const scene = sqliteSceneFor(stage, "node:sqlite");
  const failures: unknown[] = [];
  const serve = () => {
    const service = httpService(scene.guard(scene.database(), options));
    return service.node(
      (tx, { body }) => {
        const { value, result } = body as { readonly value: string; readonly result?: string };
        scene.put(tx, value);
        return result === undefined ? undefined : { body: result };
      },
      { onError: (error) => void failures.push(error) },
    );
  };
  let listener = serve();
  const server = await HttpServer.open((request, response) => listener(request, response));
  stage.cleanUps.push(async () => server.close());
  return {
    server,
    scene,
    failures,
    guard: (change = {}) => httpGuard({ url: server.url, resource: "ledger", ...change }),
    async restart() {
      listener = serve();
      await server.restart();
    },
  };
}

/** One write; answers what the service did. */
export async function put(
  handle: HttpHandle,
  value: string,
  { result, ...options }: Parameters<HttpHandle["fetch"]>[1] & { readonly result?: string } = {},
): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ value, result });
  const response = await handle.fetch("", { method: "POST", headers, body, ...options });
  return response.status === 204 ? undefined : response.json();
}
