/** The line that goes ahead of a message: frozen in format 1, ASCII, bounded, and nothing that is read in two ways. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSent, encodeSent, type Sent } from "../../../src/fence/remote/sent.js";
import { fence } from "../scene.js";
import { fixturesIn } from "../../support/fixtures.js";

interface Fixture {
  readonly what: string;
  readonly line: string;
  readonly sent: Sent;
}

const fixtures = fixturesIn<Fixture>(new URL("../fixtures/sent-v1.json", import.meta.url));

const write: Sent = { kind: "write", resource: "ledger", fence: fence(), seq: 3, opId: "invoice-17" };
const line = encodeSent(write);

function changed(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), ...change });
}

describe("the line of format 1", () => {
  for (const { what, line: text, sent } of fixtures) {
    it(`of ${what} is read and written as it was in the first release`, () => {
      expect(decodeSent(text)).toEqual(sent);
      expect(encodeSent(sent)).toBe(text);
    });
  }

  it("carries every name that a fence may have, in ASCII without controls", () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
    const names = fc.record({ namespace: name, election: name, lineage: name, resource: name, opId: name });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 2 ** 52 }), ({ resource, opId, ...others }, token) => {
        fc.pre(new TextEncoder().encode(opId).length <= 64);
        const sent: Sent = { kind: "write", resource, fence: fence({ ...others, token }), seq: token, opId };
        const text = encodeSent(sent);
        expect(text).toMatch(/^[ -~]+$/);
        expect(decodeSent(text)).toEqual(sent);
      }),
    );
  });

  it("is at most 4 096 characters, and what is longer is refused before it is sent", () => {
    const longest = fence({ election: "x".repeat(1_024), namespace: "y".repeat(1_024) });
    expect(encodeSent({ ...write, fence: longest }).length).toBeLessThan(4_096);
    const escaped = fence({ election: "\u00e9".repeat(500), namespace: "\u00e9".repeat(500) });
    expect(() => encodeSent({ ...write, fence: escaped })).toThrowError(/at most 4096 characters/);
    expect(decodeSent(`${line}${" ".repeat(4_096)}`)).toBe("unreadable");
  });

  it("says of a later format that it is newer", () => {
    for (const v of [2, 3, 100]) expect(decodeSent(changed({ v, anything: "else" }))).toBe("newer");
  });

  it("is unreadable with a field too many, too few or out of its range, and never throws", () => {
    const bad: readonly Readonly<Record<string, unknown>>[] = [
      ...[0, -1, 1.5, "1", null, undefined].map((v) => ({ v })),
      ...["", "claims", 7, null, undefined].map((kind) => ({ kind })),
      ...["", 7, null, undefined, "x".repeat(1_025), "\ud800"].map((resource) => ({ resource })),
      ...[0, -1, 0.5, "3", null, undefined, 2 ** 53].map((seq) => ({ seq })),
      ...["", 7, null, undefined, "x".repeat(65), "\udfff"].map((opId) => ({ opId })),
      ...[null, [], "fence", undefined, {}].map((other) => ({ fence: other })),
      { fence: { ...fence(), token: 2 ** 52 + 1 } },
      { fence: { ...fence(), owner: "" } },
      { fence: { ...fence(), more: true } },
      { more: true },
      { kind: "claim" },
      { kind: "read" },
    ];
    for (const change of bad) expect([change, decodeSent(changed(change))]).toEqual([change, "unreadable"]);
    for (const text of ["", "{}", "null", "[]", `${line},${line}`, `${line}, ${line}`, line.slice(0, -1)]) {
      expect(decodeSent(text)).toBe("unreadable");
    }
    expect(decodeSent(line.replace("invoice", "invo\u00efce"))).toBe("unreadable");
    fc.assert(fc.property(fc.string(), (text) => void decodeSent(text)));
  });
});
