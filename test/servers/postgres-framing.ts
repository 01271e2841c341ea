/**
 * PostgreSQL on the wire, version 3 of its protocol (its documentation, "Frontend/Backend Protocol"), without TLS.
 *
 * A request is what a client sends up to a message that makes the server act: a query, or a series of parse, bind and
 * execute up to its sync or flush. A reply is cut into single messages, which belong to the oldest request until the
 * server is ready for the next. So a fault can take one row of a result, or the word that a transaction is committed.
 */
import type { Dialogue, Framing, ReplyCut, RequestCut } from "./framing.js";

export const postgres: Framing = {
  ordered: true,
  isRepeatable: false,
  open: () => new PostgresDialogue(),
};

/** For `reply` of a scope: the message that a statement was carried out, by its tag (`COMMIT`, `INSERT 0 1`). */
export function completes(tag: string): (reply: Buffer) => boolean {
  return (reply) => typeAt(reply, 0) === "C" && reply.toString("latin1", 5, reply.length - 1) === tag;
}

/** What becomes of a series of messages when one of this type has come. */
const roles: Readonly<Record<string, "goes on" | "is answered" | "is flushed" | "is not answered">> = {
  ...{ P: "goes on", B: "goes on", D: "goes on", E: "goes on", C: "goes on" },
  ...{ Q: "is answered", F: "is answered", S: "is answered" },
  H: "is flushed",
  // A password, copied data and its end are part of an exchange that is open; a goodbye is the end of all.
  ...{ p: "is not answered", d: "is not answered", c: "is not answered", f: "is not answered" },
  X: "is not answered",
};

const codes = { encryption: [80_877_103, 80_877_104], cancel: 80_877_102 };

class PostgresDialogue implements Dialogue {
  /** For each time that the server will be ready: how many requests are answered by then. */
  readonly #groups: number[] = [];
  #flushed = 0;
  /** Questions for encryption, each of which has an answer of one byte. */
  #questions = 0;

  request(bytes: Buffer): RequestCut | undefined {
    // What opens a connection has no type, and begins with a length of less than 16 MiB.
    if (bytes[0] === 0) return this.#opening(bytes);
    for (let at = 0; at < bytes.length; ) {
      const role = roles[typeAt(bytes, at)];
      if (role === undefined) throw new Error(`not a request of PostgreSQL: ${shown(bytes, at)}`);
      const end = endOf(bytes, at);
      if (end === undefined) return undefined;
      if (role === "is flushed") this.#flushed += 1;
      if (role === "is answered") this.#answerable();
      if (role !== "goes on") return { length: end, isAnswered: role !== "is not answered" };
      at = end;
    }
    return undefined;
  }

  reply(bytes: Buffer): ReplyCut | undefined {
    if (this.#questions > 0) return this.#declined(bytes);
    const length = endOf(bytes, 0);
    if (length === undefined) return undefined;
    const ends = typeAt(bytes, 0) === "Z" ? (this.#groups.shift() ?? 0) : 0;
    return { length, begins: false, ends };
  }

  #opening(bytes: Buffer): RequestCut | undefined {
    if (bytes.length < 8) return undefined;
    const [length, code] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
    if (bytes.length < length) return undefined;
    if (code === codes.cancel) return { length, isAnswered: false };
    if (codes.encryption.includes(code)) this.#questions += 1;
    this.#answerable();
    return { length, isAnswered: true };
  }

  #answerable(): void {
    this.#groups.push(this.#flushed + 1);
    this.#flushed = 0;
  }

  #declined(bytes: Buffer): ReplyCut {
    if (typeAt(bytes, 0) !== "N")
      throw new Error("no proxy sees what is encrypted: start the server without TLS");
    this.#questions -= 1;
    return { length: 1, begins: false, ends: this.#groups.shift() ?? 0 };
  }
}

/** A type and a length that counts itself. */
function endOf(bytes: Buffer, at: number): number | undefined {
  if (bytes.length < at + 5) return undefined;
  const end = at + 1 + bytes.readUInt32BE(at + 1);
  return bytes.length < end ? undefined : end;
}

function typeAt(bytes: Buffer, at: number): string {
  return String.fromCharCode(bytes[at] ?? 0);
}

function shown(bytes: Buffer, at: number): string {
  return JSON.stringify(bytes.toString("latin1", at, at + 40));
}
