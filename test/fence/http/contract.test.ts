/** The HTTP guard keeps the contract of guards, over real connections, whatever the service keeps its data in. */

import { describe, it } from "vitest";
import { type HttpHandle, httpGuard, httpService, type HttpService } from "../../../src/fence/http/index.js";
import { memoryGuard, type ValueGuard, type ValueTransaction } from "../../../src/fence/memory/index.js";
import { sqliteGuard } from "../../../src/fence/sqlite/index.js";
import {
  type GuardHarness,
  type GuardOperator,
  type GuardRequest,
  guardContract,
} from "../../../src/testkit/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { SqliteScene } from "../sqlite/scene.js";
import type { RemoteDatabase } from "../sqlite/remote.js";
import type { Texts } from "../texts.js";
import { HttpServer } from "./scene.js";

/** What a service keeps its ledgers in. */
interface Ledgers<T> {
  service(request: GuardRequest): HttpService<T>;
  put(client: T, resource: string, value: string): void;
  texts(client: T, resource: string): Texts;
  content(resource: string): Promise<Texts>;
  readonly operator: GuardOperator;
  close(): Promise<void>;
}

interface Order {
  readonly value: string;
  readonly result: unknown;
  /** What a function of the test stands behind, which does not go over the wire. */
  readonly pause: number;
}

type Pause = () => Promise<void>;

async function harness<T>(ledgers: Ledgers<T>, mayPause: boolean): Promise<GuardHarness<HttpHandle>> {
  const routes = new Map<string, Parameters<typeof HttpServer.open>[0]>();
  const pauses: Pause[] = [];
  const failures: unknown[] = [];
  const onError = (error: unknown) => void failures.push(error);
  const server = await HttpServer.open((request, response) => {
    const listener = routes.get(request.url ?? "");
    if (listener === undefined) response.writeHead(404).end();
    else listener(request, response);
  });
  const route = (request: GuardRequest): string => {
    const path = `/${encodeURIComponent(JSON.stringify(request))}`;
    const { resource } = request;
    const service = ledgers.service(request);
    const listener = service.node(
      (client, { body, request: { method } }) => {
        if (method === "GET") return { body: ledgers.texts(client, resource) };
        const { value, result, pause } = body as Order;
        const apply = () => {
          ledgers.put(client, resource, value);
          return result === undefined ? undefined : { body: result };
        };
        return mayPause ? (pauses[pause] ?? (async () => {}))().then(apply) : apply();
      },
      { onError },
    );
    routes.set(path, routes.get(path) ?? listener);
    return new URL(path, server.url).href;
  };
  return {
    guard: (request) => {
      const { resource, order } = request;
      return httpGuard({ url: route(request), resource, order });
    },
    async apply(handle, { value, result, pause, options }) {
      const body = JSON.stringify({ value, result, pause: pauses.push(pause) - 1 });
      const headers = { "content-type": "application/json" };
      const response = await handle.fetch("", { method: "POST", body, headers, ...options });
      if (response.status >= 400) throw failures.pop();
      return response.status === 204 ? undefined : response.json();
    },
    read: async (handle) => (await (await handle.fetch("")).json()) as Texts,
    content: async (resource) => ledgers.content(resource),
    loseReply: (when) => server.loseNext(when),
    operator: {
      ...ledgers.operator,
      async restart() {
        routes.clear();
        await server.restart();
      },
    },
    async close() {
      await server.close();
      await ledgers.close();
    },
  };
}

function inMemory(): Ledgers<ValueTransaction<Texts>> {
  const guards = new Map<string, ValueGuard<Texts>>();
  const never = async () => Promise.reject(new Error("the tests that need this are left out"));
  return {
    service({ resource, order, rememberOperations }) {
      const options = { resource, order, rememberOperations: rememberOperations ? 16 : 0, initial: [] };
      const guard = guards.get(resource) ?? memoryGuard<Texts>(options);
      guards.set(resource, guard);
      return httpService(guard);
    },
    put: (tx, _, value) => void (tx.value = [...tx.value, value]),
    texts: (tx) => tx.value,
    content: async (resource) => (await guards.get(resource)?.inspect())?.value ?? [],
    operator: { restart: never, wipe: never, snapshot: never, restore: never },
    close: async () => {},
  };
}

const tables = ["tenure_fence", "tenure_attempt", "tenure_operation", "tenure_act", "ledger"];

function inSqlite(): Ledgers<RemoteDatabase> {
  const scene = new SqliteScene();
  const { admin } = scene;
  // Odd names and values, NUL among them, as JSON.
  const named = (name: string) => JSON.stringify(name);
  const content = (resource: string) =>
    scene.content(named(resource)).map((value) => JSON.parse(value) as string);
  const wipe = async () => {
    for (const table of tables) admin.exec(`DELETE FROM ${table}`);
  };
  return {
    service: ({ rememberOperations, resource, order }) =>
      httpService(
        sqliteGuard(admin, {
          resource,
          order,
          create: true,
          rememberOperations: rememberOperations ? 16 : 0,
        }),
      ),
    put: (client, resource, value) => scene.put(client, named(value), named(resource)),
    texts: (_, resource) => content(resource),
    content: async (resource) => content(resource),
    operator: {
      restart: async () => {},
      wipe,
      async snapshot() {
        for (const table of tables) admin.exec(`CREATE TABLE copy_${table} AS SELECT * FROM ${table}`);
      },
      async restore() {
        await wipe();
        for (const table of tables) admin.exec(`INSERT INTO ${table} SELECT * FROM copy_${table}`);
      },
    },
    close: async () => scene.close(),
  };
}

const capabilities = { savesResults: true, ordersStrictly: true, remembersOperations: true };
const gone = "the value lives and dies with the object that holds it";

guardContract({
  describe,
  it,
  name: "http, a service with a value in memory",
  open: async () => harness(inMemory(), true),
  capabilities: { ...capabilities, claimsPassWriters: true },
  skip: { "operator.wipe": gone, "operator.snapshot": gone, "operator.restore": gone },
});

describeWithServer(["node22"], "the HTTP guard", () => {
  guardContract({
    describe,
    it,
    name: "http, a service with a file of SQLite",
    open: async () => harness(inSqlite(), false),
    capabilities: { ...capabilities, claimsPassWriters: false },
    skip: { pause: "a handler on SQLite returns before anything is awaited" },
  });
});
