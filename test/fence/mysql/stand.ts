/** A scene of MySQL or MariaDB as the suites for all database servers use it. */

import type { MysqlGuardOptions } from "../../../src/fence/mysql/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type ByHand, opened, type Server, type Stand, type StandOptions } from "../sql/stand.js";
import { breakable } from "./replies.js";
import { type Form, forms, run, type Scene, sessionOf, type Tx } from "./scene.js";
import { mysqlScope } from "./scope.js";
import { standing } from "./standing.js";

/** Holds off a claim, and no write. */
export const shareLock = ({ tables }: Stand<Tx>): string =>
  `SELECT 1 FROM ${tables.fence} LOCK IN SHARE MODE`;

/** A `describe` with a server of its own. */
export function describeStand(title: string, declare: (server: Server<Tx>) => void): void {
  describeWithServer("mariadb", title, () => {
    const { inScene } = mysqlScope();
    declare({ clients: forms, inStand: async (work) => inScene(async (scene) => work(standOn(scene))) });
  });
}

/** What this guard takes; it says so itself where it does not. */
function ofMysql(options: StandOptions): Partial<MysqlGuardOptions> {
  return options as Partial<MysqlGuardOptions>;
}

function standOn(scene: Scene): Stand<Tx> {
  const opened = new Map<string, ReturnType<Scene["client"]>>();
  const clientOf = (form: string = forms[0]) => {
    const client = opened.get(form) ?? scene.client(form as Form);
    opened.set(form, client);
    return client;
  };
  return {
    tables: scene.tables,
    guard: (options = {}, form) => scene.guard(clientOf(form), ofMysql(options)),
    breakable() {
      const { client, breakNext } = breakable(scene.client("promises"));
      return { guard: scene.guard(client), breakNext };
    },
    writer: async () => writerIn(scene),
    leader: async (form, token, remainingMs) => standing(scene, form as Form, token, remainingMs),
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
    (await run(scene.admin, text, values)).map((row) => String(Object.values(row)[0]));
  const byHand = async (): Promise<ByHand<Tx>> => {
    const tx = await scene.admin.getConnection();
    await tx.query("BEGIN");
    return {
      tx,
      send: async (text, sent = []) => tx.query(text, [...sent]),
      async end(how) {
        await tx.query(how);
        tx.release();
      },
    };
  };
  return {
    run,
    query: async (text) => scene.admin.query(text),
    column,
    count: async (table) => Number((await column(`SELECT COUNT(*) FROM ${table}`))[0]),
    open: async (text) => opened(byHand, text),
    byHand,
    waiting: async (count) => scene.waiting(count),
    session: sessionOf,
    isOpen: async (session) =>
      (await column("SELECT id FROM information_schema.processlist WHERE id = ?", [String(session)])).length >
      0,
    kill: async (session) => void (await scene.admin.query(`KILL CONNECTION ${session}`)),
  };
}

async function writerIn(scene: Scene): ReturnType<Stand<Tx>["writer"]> {
  const role = `${scene.database}_w`;
  await scene.admin.query(
    `CREATE USER ${role}@'%';
     GRANT SELECT, INSERT, UPDATE, DELETE ON ${scene.database}.* TO ${role}@'%'`,
  );
  const uri = scene.url.replace("tenure@", `${role}@`).replace(/\/tenure$/, "");
  const pool = scene.pool({ uri });
  return {
    guard: (options) => scene.guard(pool, ofMysql(options)),
    drop: async () => void (await scene.admin.query(`DROP USER ${role}@'%'`)),
  };
}
