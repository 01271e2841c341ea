/** What messages of a JetStream guard carry: frozen in format 1, ASCII, bounded, and never half read. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkOwnHeaders,
  decodeHeaders,
  encodeHeaders,
  type HeaderPairs,
  readTag,
  type Register,
} from "../../../src/fence/queue/jetstream/headers.js";
import { fixturesIn } from "../../support/fixtures.js";

interface Fixture {
  readonly what: string;
  readonly own: HeaderPairs;
  readonly register: Register;
  /** As the server hands them out. */
  readonly headers: string;
}

const fixtures = fixturesIn<Fixture>(new URL("../fixtures/jetstream-v1.json", import.meta.url));

function textOf(pairs: HeaderPairs): string {
  return ["NATS/1.0", ...pairs.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

const [message] = fixtures;
if (message === undefined) throw new Error("there are no fixtures");

describe("the headers of format 1", () => {
  for (const { what, own, register, headers } of fixtures) {
    it(`of ${what} are read and written as they were in the first release`, () => {
      expect(decodeHeaders(headers)).toEqual(register);
      expect(textOf(encodeHeaders(register, own))).toBe(headers);
      expect(headers).toMatch(/^[ -~\r\n]*$/);
    });
  }

  it("are nobody's where one of the two is missing, also beside headers of others", () => {
    const lines = message.headers.split("\r\n");
    for (const name of ["Tenure-Message", "Tenure-Register"]) {
      const others = ["Content-Type: text/plain", "no header", ": nameless", ...lines.slice(1)];
      const without = ["NATS/1.0", ...others.filter((line) => !line.startsWith(name))];
      expect(decodeHeaders(without.join("\r\n"))).toBe("foreign");
    }
    expect(decodeHeaders("")).toBe("foreign");
    expect(decodeHeaders(`NATS/1.0\r\nContent-Type: a:b${message.headers.slice(8)}`)).toEqual(
      message.register,
    );
  });

  it("of a later format are newer, and what cannot be read is unreadable", () => {
    const changed = (name: string, change: (json: string) => string) =>
      message.headers.replace(new RegExp(`(?<=${name}: )(.*)`), change);
    expect(decodeHeaders(changed("Tenure-Register", (json) => json.replace('"v":1', '"v":2')))).toBe("newer");
    for (const name of ["Tenure-Register", "Tenure-Message"]) {
      for (const change of [(json: string) => json.slice(1), () => "null", () => "{}"]) {
        expect(decodeHeaders(changed(name, change))).toBe("unreadable");
      }
    }
  });

  it("that do not fit into a message of a stream are refused before anything is sent", () => {
    const fits = (bytes: number) => encodeHeaders(message.register, [["a", "x".repeat(bytes)]]);
    const room = 65_535 - 256 - (message.headers.length - "NATS/1.0\r\n\r\n".length) - "a: \r\n".length;
    expect(fits(room)).toHaveLength(3);
    expect(() => fits(room + 1)).toThrowError(/a stream takes 65535; nothing was published/);
  });
});

describe("the tag of a message", () => {
  const tag = { v: 1, ...message.register.tag };

  it("is unread with a field out of its range, and never throws", () => {
    const { fence } = tag as { readonly fence?: object };
    const bad: readonly object[] = [
      ...[0, 2, "1", undefined].map((v) => ({ v })),
      ...["", "claim", undefined].map((kind) => ({ kind })),
      ...[-1, 0.5, "0", undefined].map((previous) => ({ previous })),
      ...[-1, 0.5, "1", undefined].map((seq) => ({ seq })),
      ...["", 7, "x".repeat(65), undefined].map((opId) => ({ opId })),
      ...[null, {}, "fence", { ...fence, token: 0 }, { ...fence, owner: "" }].map((other) => ({
        fence: other,
      })),
    ];
    for (const change of bad)
      expect([change, readTag(JSON.stringify({ ...tag, ...change }))]).toEqual([change, undefined]);
    fc.assert(fc.property(fc.string(), (text) => void readTag(text)));
    fc.assert(fc.property(fc.string(), (text) => void decodeHeaders(text)));
  });
});

describe("headers of the user's own", () => {
  it("are taken as they are", () => {
    expect(checkOwnHeaders({ "Content-Type": "text/plain", a: "" })).toEqual([
      ["Content-Type", "text/plain"],
      ["a", ""],
    ]);
  });

  it.each([
    [null, /headers must be an object/],
    [{ "Nats-Msg-Id": "1" }, /none that begins with "Nats-" or "Tenure-"/],
    [{ "tenure-message": "1" }, /none that begins with "Nats-" or "Tenure-"/],
    [{ "": "1" }, /names of printable ASCII/],
    [{ "a b": "1" }, /names of printable ASCII/],
    [{ "a:b": "1" }, /names of printable ASCII/],
    [{ a: "1\r\nb: 2" }, /headers\.a must be a string of printable ASCII/],
    [{ a: "\u00e9" }, /headers\.a must be a string of printable ASCII/],
    [{ a: 1 }, /headers\.a must be a string/],
  ])("are refused where they would say what is not so: %j", (headers, said) => {
    expect(() => checkOwnHeaders(headers as unknown as Record<string, string>)).toThrowError(said);
  });
});
