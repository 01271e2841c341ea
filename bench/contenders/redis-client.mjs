/** The Redis client that all of them share, and what its replies say about the last write that was confirmed. */

import { loadPeer } from "../peers/install.mjs";

/**
 * @typedef {object} Client the little that the bench itself uses of ioredis
 * @property {(event: "error" | "ready", listener: (value: unknown) => void) => Client} on
 * @property {(command: { readonly promise: Promise<unknown> }, stream?: unknown) => unknown} sendCommand
 * @property {() => Promise<unknown>} quit
 *
 * @typedef {new (options: Readonly<Record<string, unknown>>) => Client} ClientClass
 */

/**
 * @param {{ readonly port: number, readonly commandTimeoutMs?: number | undefined }} settings
 * @returns {Promise<Client>}
 */
export async function createClient({ port, commandTimeoutMs }) {
  const { Redis } = /** @type {{ Redis: ClientClass }} */ (await loadPeer("ioredis"));
  const timeout = commandTimeoutMs === undefined ? {} : { commandTimeout: commandTimeoutMs };
  const client = new Redis({ host: "127.0.0.1", port, ...timeout });
  // It reconnects by itself; what a library makes of it is what is measured.
  client.on("error", () => {});
  // A timeout of commands counts the time to connect as well, which is no matter of the library.
  await new Promise((resolve) => client.on("ready", resolve));
  return client;
}

/**
 * @param {import("./contender.mjs").Holding} holding
 * @returns {Promise<Client>} one whose every answered command counts as a confirmation
 */
export async function createWatchedClient({ port, commandTimeoutMs, confirmed }) {
  const client = await createClient({ port, commandTimeoutMs });
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    const sentAt = process.hrtime.bigint();
    command.promise.then(
      () => confirmed(sentAt),
      // No answer, no confirmation; its sender deals with it.
      () => {},
    );
    return send(command, stream);
  };
  return client;
}
