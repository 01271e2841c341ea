/** A guard of a database server, against the same statements in a bare transaction on the same client, on a server of its own. */

import { loadServers } from "../../test/servers/load.mjs";
import { accounts, bodies, insertAccount, schema } from "./bodies.mjs";
import { cpuOfTree } from "./cpu.mjs";
import { measureGuard, together } from "./measure.mjs";

/** @typedef {(typeof bodies)[keyof typeof bodies]} Body */
/** @typedef {Awaited<ReturnType<typeof loadServers>>} Servers */
/** @typedef {Awaited<ReturnType<Servers["startPostgres" | "startMariadb"]>>} Server */

/**
 * @typedef {object} Driver
 * @property {string} name
 * @property {readonly string[]} syncs whether commits wait for the disk, in the server's words
 * @property {(servers: Servers) => Promise<Server>} start as durable as it is by itself
 * @property {(server: Server, sync: string) => Promise<Client>} open
 * @property {(text: string) => string} text of a statement with `?` where values belong
 */

/**
 * @typedef {object} Client
 * @property {(resource: string, body: Body) => Promise<Pick<import("./measure.mjs").Contest, "bare" | "guarded" | "claim">>} contest
 * @property {() => Promise<void>} close
 */

export const connections = 18;
const targetPercent = 10;

/**
 * @param {import("../run.mjs").Context} context
 * @param {Driver} driver
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureServerGuard({ plan, session, say }, { name, syncs, start, open, text: write }) {
  const server = await start(await loadServers());
  const serverCpuUs = () => cpuOfTree(server.pid);
  const measured = [];
  try {
    for (const text of schema) await server.query(text);
    for (const id of accounts) await server.query(write(insertAccount), [id]);
    for (const sync of syncs) {
      const client = await open(server, sync);
      try {
        for (const [what, body] of Object.entries(bodies)) {
          const title = `${name}, sync ${sync}, ${what}`;
          say(title);
          const contest = await client.contest(title, body);
          const about = { name: title, targetPercent, many: true, serverCpuUs };
          measured.push(await measureGuard({ ...about, ...contest }, plan.guards, session.pause));
        }
      } finally {
        await client.close();
      }
    }
    return together(measured);
  } finally {
    await server.stop();
  }
}
