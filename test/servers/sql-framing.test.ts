/** Streams of databases are cut into the same messages wherever the network splits them. */
import { describe, expect, test } from "vitest";
import { Cutter, cutOff } from "./framing.js";
import { mysql } from "./mysql-framing.js";
import { completes, postgres } from "./postgres-framing.js";

const sizes = [1, 2, 3, 7, 1_000];

/** The messages of a stream that arrives in pieces of so many bytes. */
function cut<Cut extends { readonly length: number }>(
  stream: Buffer,
  size: number,
  next: (bytes: Buffer) => Cut | undefined,
): readonly (Cut & { readonly bytes: Buffer })[] {
  const cutter = new Cutter((bytes) => cutOff(bytes, next(bytes)));
  const messages: (Cut & { readonly bytes: Buffer })[] = [];
  for (let at = 0; at < stream.length; at += size)
    messages.push(...cutter.take(stream.subarray(at, at + size)));
  return messages;
}

describe("PostgreSQL on the wire", () => {
  const sized = (body: string): Buffer => {
    const bytes = Buffer.from(`....${body}`, "latin1");
    bytes.writeUInt32BE(bytes.length);
    return bytes;
  };
  const message = (type: string, body = ""): Buffer => Buffer.concat([Buffer.from(type), sized(body)]);
  const opening = (code: number, body = ""): Buffer => {
    const bytes = sized(`....${body}`);
    bytes.writeUInt32BE(code, 4);
    return bytes;
  };
  const startup = opening(0x3_00_00, "user\0tenure\0\0");
  const encryption = opening(80_877_103);
  const asked = message("Q", "COMMIT\0");
  const described = Buffer.concat([message("P", "\0INSERT\0"), message("D", "S\0"), message("H")]);
  const executed = Buffer.concat([message("B", "\0\0"), message("E", "\0"), message("S")]);
  const ready = message("Z", "I");

  test.each(sizes)("in pieces of %d bytes, a request is what makes the server act", (size) => {
    const dialogue = postgres.open();
    const sent = [encryption, startup, message("p", "secret\0"), asked, described, executed, message("X")];
    const found = cut(Buffer.concat(sent), size, (bytes) => dialogue.request(bytes));
    expect(found.map(({ bytes }) => bytes)).toEqual(sent);
    expect(found.map(({ isAnswered }) => isAnswered)).toEqual([true, true, false, true, true, true, false]);
  });

  test.each(sizes)("in pieces of %d bytes, a reply ends when the server is ready for the next", (size) => {
    const dialogue = postgres.open();
    for (const request of [encryption, startup, asked, described, executed]) dialogue.request(request);
    const replies: readonly (readonly [bytes: Buffer, ends: number])[] = [
      [Buffer.from("N"), 1],
      [message("R", "\0\0\0\0"), 0],
      [ready, 1],
      [message("C", "COMMIT\0"), 0],
      [ready, 1],
      [message("1"), 0],
      [message("t", "\0\0"), 0],
      [message("C", "INSERT 0 1\0"), 0],
      // It answers the description and the execution.
      [ready, 2],
      [message("A", "unasked"), 0],
    ];
    const stream = Buffer.concat(replies.map(([bytes]) => bytes));
    const found = cut(stream, size, (bytes) => dialogue.reply(bytes));
    expect(found.map(({ bytes, ends }) => [bytes, ends])).toEqual(replies);
  });

  test("the tag of a statement tells a commit from a rollback, and from a row that has the word in it", () => {
    const replies = [
      message("C", "COMMIT\0"),
      message("C", "ROLLBACK\0"),
      message("D", "COMMIT\0"),
      message("C", "COMMIT PREPARED\0"),
    ];
    expect(replies.map(completes("COMMIT"))).toEqual([true, false, false, false]);
  });

  test("what it cannot cut is an error, not a wait without end", () => {
    expect(() => postgres.open().request(Buffer.from("GET / HTTP/1.1\r\n\r\n"))).toThrow(
      "not a request of PostgreSQL",
    );
    const encrypted = postgres.open();
    encrypted.request(encryption);
    expect(() => encrypted.reply(Buffer.from("S"))).toThrow("encrypted");
  });

  test("a request to cancel another connection is answered by nothing", () => {
    expect(postgres.open().request(opening(80_877_102, "12345678"))).toEqual({
      length: 16,
      isAnswered: false,
    });
  });
});

describe("MySQL on the wire", () => {
  const packet = (number: number, body: Buffer): Buffer => {
    const head = Buffer.from([0, 0, 0, number]);
    head.writeUIntLE(body.length, 0, 3);
    return Buffer.concat([head, body]);
  };
  const command = (code: number, text = ""): Buffer =>
    packet(0, Buffer.concat([Buffer.from([code]), Buffer.from(text)]));
  const part = (number: number): Buffer => packet(number, Buffer.from("part"));

  test.each(sizes)("in pieces of %d bytes, a request is one command, or one step of a login", (size) => {
    const dialogue = mysql.open();
    const sent = [
      packet(1, Buffer.from("\x01login")),
      command(3, "COMMIT"),
      command(0x19, "1234"),
      command(1),
    ];
    const found = cut(Buffer.concat(sent), size, (bytes) => dialogue.request(bytes));
    expect(found.map(({ bytes }) => bytes)).toEqual(sent);
    expect(found.map(({ isAnswered }) => isAnswered)).toEqual([true, true, false, false]);
  });

  test("a command of 16 MiB and more is one request of two packets", () => {
    const [first, rest] = [packet(0, Buffer.alloc(0xff_ff_ff, 3)), packet(1, Buffer.from("rest"))];
    const dialogue = mysql.open();
    expect(dialogue.request(first)).toBeUndefined();
    expect(dialogue.request(Buffer.concat([first, rest]))).toEqual({
      length: first.length + rest.length,
      isAnswered: true,
    });
  });

  test.each(sizes)("in pieces of %d bytes, a reply begins where the numbers do not go on", (size) => {
    const dialogue = mysql.open();
    const numbers = [0, 2, 1, 2, 3, 1, 1, ...Array.from({ length: 300 }, (_, index) => (index + 2) % 256), 1];
    const found = cut(Buffer.concat(numbers.map(part)), size, (bytes) => dialogue.reply(bytes));
    expect(found.map(({ bytes }) => bytes[3])).toEqual(numbers);
    const begun = found.flatMap(({ begins }, index) => (begins ? [index] : []));
    // The greeting answers nothing; then the login, three commands, one of them with 301 packets, and the last.
    expect(begun).toEqual([1, 2, 5, 6, 307]);
  });
});
