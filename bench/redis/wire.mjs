/**
 * A connection that speaks just enough of the Redis protocol for the bench: strings out, one-line and bulk replies in.
 *
 * So that the bench itself needs no client library, and has none in its bare figures.
 */

import { once } from "node:events";
import { connect } from "node:net";

/**
 * @typedef {object} Wire
 * @property {(...words: readonly string[]) => Promise<string>} command rejects on an error reply and on a lost connection
 * @property {() => void} close
 */

/**
 * @param {number} port
 * @returns {Promise<Wire>}
 */
export async function openWire(port) {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  /** @type {{ resolve: (reply: string) => void, reject: (cause: Error) => void }[]} */
  const waiting = [];
  let received = "";
  socket.setEncoding("latin1").on("data", (/** @type {string} */ text) => {
    received += text;
    for (let reply = takeReply(received); reply !== undefined; reply = takeReply(received)) {
      received = received.slice(reply.length);
      const asker = waiting.shift();
      if (reply.failed) asker?.reject(new Error(`Redis: ${reply.text}`));
      else asker?.resolve(reply.text);
    }
  });
  await once(socket, "connect");
  const fail = (/** @type {Error} */ cause) => {
    for (const { reject } of waiting.splice(0)) reject(cause);
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("Redis closed the connection")));
  return {
    command: (...words) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
        socket.write(`*${words.length}\r\n${parts.join("")}`);
      }),
    close: () => void socket.destroy(),
  };
}

/**
 * @param {string} received
 * @returns {{ readonly length: number, readonly text: string, readonly failed: boolean } | undefined} undefined: more
 *   has to come
 */
export function takeReply(received) {
  const lineEnd = received.indexOf("\r\n");
  if (lineEnd < 0) return undefined;
  const [kind, line, begin] = [received[0], received.slice(1, lineEnd), lineEnd + 2];
  if (kind !== "$" || line === "-1") return { length: begin, text: line, failed: kind === "-" };
  const end = begin + Number(line);
  if (received.length < end + 2) return undefined;
  return { length: end + 2, text: received.slice(begin, end), failed: false };
}
