/**
 * MySQL and MariaDB on the wire (MariaDB's documentation, "Client/Server Protocol"), without TLS and compression.
 *
 * A request is one command. A reply is cut into single packets. They do not say which of them is the last, but their
 * numbers do not go on from one reply to the next. A reply of exactly 256 packets hides that once: the next reply then
 * counts as more of it.
 */
import type { Dialogue, Framing, ReplyCut, RequestCut } from "./framing.js";

export const mysql: Framing = {
  ordered: true,
  isRepeatable: false,
  open: () => new MysqlDialogue(),
};

/** Goodbye, data for a statement ahead of its execution, and the end of a statement. */
const unanswered: readonly (number | undefined)[] = [0x01, 0x18, 0x19];

/** A packet of this length goes on in the next one. */
const longest = 0xff_ff_ff;

class MysqlDialogue implements Dialogue {
  /** Of the last packet of the server; 255 stands for none, since its greeting has 0. */
  #number = 255;

  request(bytes: Buffer): RequestCut | undefined {
    let length = 0;
    for (;;) {
      const end = endOf(bytes, length);
      if (end === undefined) return undefined;
      const isWhole = end - length - 4 < longest;
      length = end;
      if (isWhole) break;
    }
    // A packet that is not the first of its exchange belongs to a login, and each step of that is answered.
    const isCommand = bytes[3] === 0;
    return { length, isAnswered: !(isCommand && unanswered.includes(bytes[4])) };
  }

  reply(bytes: Buffer): ReplyCut | undefined {
    const length = endOf(bytes, 0);
    if (length === undefined) return undefined;
    const number = bytes[3] ?? 0;
    const begins = number !== (this.#number + 1) % 256;
    this.#number = number;
    return { length, begins, ends: 0 };
  }
}

function endOf(bytes: Buffer, at: number): number | undefined {
  if (bytes.length < at + 4) return undefined;
  const end = at + 4 + bytes.readUIntLE(at, 3);
  return bytes.length < end ? undefined : end;
}
