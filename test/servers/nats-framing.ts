/**
 * NATS on the wire (NATS documentation, "Client Protocol"), without TLS.
 *
 * A request is whatever the client says in one piece: a line, or a line with a payload. The server says something to a
 * PING and to a message that names where its answer goes. Answers are taken to come in the order of the requests, as
 * those of one stream do; whoever asks a stream and the server's API at once through a proxy may see them cross.
 */
import type { Dialogue, Framing } from "./framing.js";

export const nats: Framing = {
  ordered: true,
  // Where an answer goes to is known on the asker's connection alone.
  isRepeatable: false,
  open: (): Dialogue => ({
    request(bytes) {
      const part = readPart(bytes);
      if (part === undefined) return undefined;
      const { words, length } = part;
      const isAsking =
        (words[0] === "PUB" && words.length === 4) || (words[0] === "HPUB" && words.length === 5);
      return { length, isAnswered: isAsking || words[0] === "PING" };
    },
    reply(bytes) {
      const part = readPart(bytes);
      if (part === undefined) return undefined;
      const { words, length } = part;
      const ends = words[0] === "MSG" || words[0] === "HMSG" || words[0] === "PONG" ? 1 : 0;
      return { length, begins: false, ends };
    },
  }),
};

export interface Part {
  /** Of its line, the operation in capitals. */
  readonly words: readonly string[];
  readonly payload: Buffer;
  readonly length: number;
}

/** The first thing that was said in `bytes`, by either side; undefined when bytes of it are missing. */
export function readPart(bytes: Buffer): Part | undefined {
  const lineEnd = bytes.indexOf("\r\n");
  if (lineEnd === -1) return undefined;
  const [operation = "", ...rest] = bytes.toString("utf8", 0, lineEnd).trim().split(/\s+/);
  const words = [operation.toUpperCase(), ...rest];
  const begin = lineEnd + 2;
  if (!/^H?(?:PUB|MSG)$/.test(words[0] ?? "")) return { words, payload: Buffer.alloc(0), length: begin };
  const end = begin + Number(words.at(-1));
  if (bytes.length < end + 2) return undefined;
  return { words, payload: bytes.subarray(begin, end), length: end + 2 };
}
