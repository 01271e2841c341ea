/**
 * The wire format of Redis, as much as the harness needs: requests are written, replies of both versions are read.
 * Written for control and for cutting a stream into messages; it shares nothing with the library under test.
 */
export type Reply = string | number | null | ReplyError | readonly Reply[];

/** What Redis answers to a command that it refuses. `code` is the first word: `NOAUTH`, `WRONGTYPE`. */
export class ReplyError extends Error {
  override readonly name = "ReplyError";
  get code(): string {
    return this.message.split(" ")[0] ?? "";
  }
}

export type Argument = string | number | Buffer;

export function encodeCommand(args: readonly Argument[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = Buffer.isBuffer(arg) ? arg : Buffer.from(String(arg));
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from("\r\n"));
  }
  return Buffer.concat(parts);
}

export interface Read {
  readonly value: Reply;
  /** Position after the value. */
  readonly end: number;
  /** False for what the server sends unasked. */
  readonly answers: boolean;
}

/** The value that begins at `at`, or undefined when bytes of it are missing. */
export function readReply(bytes: Buffer, at = 0): Read | undefined {
  const lineEnd = bytes.indexOf("\r\n", at);
  if (lineEnd === -1) return undefined;
  const type = String.fromCharCode(bytes[at] ?? 0);
  const rest = bytes.toString("utf8", at + 1, lineEnd);
  const next = lineEnd + 2;
  const done = (value: Reply, end = next): Read => ({ value, end, answers: true });
  switch (type) {
    case "+":
    case ",":
    case "(":
    case "#":
      return done(rest);
    case "-":
      return done(new ReplyError(rest));
    case ":":
      return done(Number(rest));
    case "_":
      return done(null);
    case "$":
    case "=":
    case "!": {
      const length = Number(rest);
      if (length < 0) return done(null);
      if (bytes.length < next + length + 2) return undefined;
      const text = bytes.toString("utf8", next, next + length);
      return done(type === "!" ? new ReplyError(text) : text, next + length + 2);
    }
    case "*":
    case "~":
    case ">":
    case "%": {
      const list = readList(bytes, next, Number(rest) * (type === "%" ? 2 : 1));
      return list && { ...list, answers: type !== ">" };
    }
    default:
      throw new Error(`not a reply of Redis: ${JSON.stringify(bytes.toString("latin1", at, at + 40))}`);
  }
}

function readList(bytes: Buffer, at: number, count: number): Omit<Read, "answers"> | undefined {
  if (count < 0) return { value: null, end: at };
  const values: Reply[] = [];
  let end = at;
  for (let index = 0; index < count; index += 1) {
    const read = readReply(bytes, end);
    if (read === undefined) return undefined;
    values.push(read.value);
    end = read.end;
  }
  return { value: values, end };
}

/** Where the first request in `bytes` ends: a list of strings, or a line of words. */
export function requestEnd(bytes: Buffer): number | undefined {
  if (bytes[0] === "*".charCodeAt(0)) return readReply(bytes)?.end;
  const lineEnd = bytes.indexOf("\n");
  return lineEnd === -1 ? undefined : lineEnd + 1;
}
