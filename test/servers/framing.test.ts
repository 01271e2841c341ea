/** A stream is cut into the same messages wherever the network splits it. */
import { describe, expect, test } from "vitest";
import { chunks, Cutter, resp } from "./framing.js";
import { encodeCommand, type Reply, ReplyError, readReply } from "./resp.js";

/** The messages of a stream that arrives in pieces of so many bytes. */
function cut(stream: string, size: number, length: (bytes: Buffer) => number | undefined): readonly string[] {
  const cutter = new Cutter((bytes) => {
    const found = length(bytes);
    return found === undefined ? undefined : { length: found, message: bytes.toString("utf8", 0, found) };
  });
  const bytes = Buffer.from(stream);
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    messages.push(...cutter.take(bytes.subarray(at, at + size)));
  return messages;
}

const requests = [
  encodeCommand(["SET", "é", "a\r\nb"]).toString(),
  "PING\r\n",
  encodeCommand([""]).toString(),
];

const replies: readonly (readonly [wire: string, value: Reply])[] = [
  ["+OK\r\n", "OK"],
  ["-NOAUTH who are you\r\n", new ReplyError("NOAUTH who are you")],
  [":-12\r\n", -12],
  ["$4\r\né\r\n\r\n", "é\r\n"],
  ["$0\r\n\r\n", ""],
  ["$-1\r\n", null],
  ["*-1\r\n", null],
  ["*0\r\n", []],
  ["*3\r\n:1\r\n*1\r\n+a\r\n$-1\r\n", [1, ["a"], null]],
  ["_\r\n", null],
  ["#t\r\n", "t"],
  [",1.5\r\n", "1.5"],
  ["(123456789012345678901\r\n", "123456789012345678901"],
  ["!5\r\nERR x\r\n", new ReplyError("ERR x")],
  ["=8\r\ntxt:abcd\r\n", "txt:abcd"],
  ["%2\r\n+a\r\n:1\r\n+b\r\n~1\r\n:2\r\n", ["a", 1, "b", [2]]],
];

describe("Redis on the wire", () => {
  const dialogue = resp.open();

  test.each([1, 2, 3, 7, 1_000])("requests in pieces of %d bytes are the same requests", (size) => {
    expect(cut(requests.join(""), size, (bytes) => dialogue.request(bytes)?.length)).toEqual(requests);
  });

  test.each([1, 2, 3, 7, 1_000])("replies in pieces of %d bytes are the same replies", (size) => {
    const wires = replies.map(([wire]) => wire);
    expect(cut(wires.join(""), size, (bytes) => dialogue.reply(bytes)?.length)).toEqual(wires);
  });

  test.each(replies)("%j is read as what it means", (wire, value) => {
    expect(readReply(Buffer.from(wire))).toEqual({ value, end: Buffer.byteLength(wire), answers: true });
  });

  test("what the server sends unasked answers nothing", () => {
    const push = Buffer.from(">2\r\n+message\r\n+x\r\n");
    expect(dialogue.reply(push)).toEqual({ length: 18, begins: false, ends: 0 });
  });

  test("what is no reply is an error, not a wait without end", () => {
    expect(() => readReply(Buffer.from("HTTP/1.1 200 OK\r\n"))).toThrow("not a reply of Redis");
  });
});

test("of an unknown protocol, what arrives together is one message", () => {
  const dialogue = chunks.open();
  expect(cut("abcdef", 4, (bytes) => dialogue.request(bytes)?.length)).toEqual(["abcd", "ef"]);
  expect(dialogue.reply(Buffer.from("abc"))).toEqual({ length: 3, begins: false, ends: 1 });
});
