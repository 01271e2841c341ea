/** A scene of PostgreSQL as the suites for all database servers use it. */

import { describeWithServer } from "../../servers/with-server.js";
import { type ByHand, opened, type Server, type Stand } from "../sql/stand.js";
import { breakablePool } from "./replies.js";
import { type ClientName, pidOf, run, type Scene, type Tx } from "./scene.js";
import { postgresScope } from "./scope.js";
import { standing } from "./standing.js";

export const clients: readonly ClientName[] = ["pg", "postgres.js"];

/** Holds off a claim, and no write. */
export const shareLock = ({ tables }: Stand<Tx>): string => `SELECT 1 FROM ${tables.fence} FOR KEY SHARE`;

/** A `describe` with a server of its own. */
export function describeStand(title: string, declare: (server: Server<Tx>) => void): void {
  describeWithServer("postgres", title, () => {
    const { inScene } = postgresScope();
    declare({ clients, inStand: async (work) => inScene(async (scene) => work(standOn(scene))) });
  });
}

function standOn(scene: Scene): Stand<Tx> {
  const opened = new Map<string, ReturnType<Scene["client"]>>();
  const clientOf = (name: string = "pg") => {
    const client = opened.get(name) ?? scene.client(name as ClientName);
    opened.set(name, client);
    return client;
  };
  return {
    tables: scene.tables,
    guard: (options = {}, name) => scene.guard(clientOf(name), options),
    breakable() {
      const { client, breakNext } = breakablePool(scene.pool());
      return { guard: scene.guard(client), breakNext };
    },
    writer: async () => writerIn(scene),
    leader: async (client, token, remainingMs) => standing(scene, client as ClientName, token, remainingMs),
    put: async (tx, value, resource) => scene.put(tx, value, resource),
    content: async () => scene.content(),
    ...asked(scene),
  };
}

function asked(
  scene: Scene,
): Pick<
  Stand<Tx>,
  "run" | "query" | "column" | "count" | "open" | "byHand" | "waiting" | "session" | "isOpen" | "kill"
> {
  const column = async (text: string, values: readonly string[] = []) =>
    (await run(scene.admin, text, values)).map((row) => Object.values(row)[0] ?? "");
  const byHand = async (): Promise<ByHand<Tx>> => {
    const tx = await scene.admin.connect();
    // A guard may end its session.
    tx.on("error", () => {});
    await tx.query("BEGIN");
    return {
      tx,
      send: async (text, sent = []) => tx.query(text, [...sent]),
      async end(how) {
        const isOver = await tx.query(how).then(
          () => false,
          () => true,
        );
        tx.release(isOver);
      },
    };
  };
  return {
    // Without values it may be several statements.
    run: async (tx, text) => (typeof tx === "function" ? tx.unsafe(text) : tx.query(text)),
    query: async (text) => scene.admin.query(text),
    column,
    count: async (table) => Number((await column(`SELECT count(*)::text FROM ${table}`))[0]),
    open: async (text) => opened(byHand, text),
    byHand,
    waiting: async (count) => scene.waiting(count),
    session: pidOf,
    isOpen: async (pid) =>
      (await column("SELECT pid::text FROM pg_stat_activity WHERE pid = $1", [String(pid)])).length > 0,
    kill: async (pid) => void (await column("SELECT pg_terminate_backend($1::int)::text", [String(pid)])),
  };
}

async function writerIn(scene: Scene): ReturnType<Stand<Tx>["writer"]> {
  const role = `${scene.schema}_writer`;
  await scene.admin.query(
    `CREATE ROLE ${role} LOGIN;
     GRANT USAGE ON SCHEMA ${scene.schema} TO ${role};
     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${scene.schema} TO ${role};
     GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${scene.schema} TO ${role}`,
  );
  const pool = scene.pool({ connectionString: scene.url.replace("tenure@", `${role}@`) });
  return {
    guard: (options) => scene.guard(pool, options),
    drop: async () => void (await scene.admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)),
  };
}
