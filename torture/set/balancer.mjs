/** One address for several ports of this host: each connection goes to the next one that listens. Looks at no request. */

import { once } from "node:events";
import { connect, createServer } from "node:net";

/**
 * @param {readonly number[]} ports
 * @returns {Promise<{ readonly port: number, readonly close: () => Promise<void> }>}
 */
export async function startBalancer(ports) {
  let count = 0;
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  /** @typedef {import("node:net").Socket} Socket */
  /**
   * @param {Socket} from
   * @param {Socket} to
   */
  const pass = (from, to) => {
    sockets.add(from);
    // A client that was cut off, or a service that was killed.
    from.on("error", () => to.destroy());
    from.on("close", () => sockets.delete(from));
    from.pipe(to);
  };
  /**
   * @param {Socket} client
   * @param {number} left how many more can be tried
   */
  const reach = (client, left) => {
    const service = connect(ports[(count += 1) % ports.length] ?? 0, "127.0.0.1");
    const goOn = () => (left > 0 ? reach(client, left - 1) : client.destroy());
    service.once("error", goOn);
    service.once("connect", () => {
      service.removeListener("error", goOn);
      pass(client, service);
      pass(service, client);
    });
  };
  const server = createServer((client) => {
    // It is told of when somebody listens to it.
    client.on("error", () => {});
    reach(client, ports.length - 1);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
