/** Versions of a journal: frozen in format 1, and never half read. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Addition, encodeVersion, type JournalVersion, readVersion } from "../../src/journal/version.js";
import { fixturesIn } from "../support/fixtures.js";

interface Fixture {
  readonly what: string;
  readonly text: string;
  readonly written: { readonly back: number; readonly index: number; readonly addition?: Addition };
  readonly version: JournalVersion;
}

const fixtures = fixturesIn<Fixture>(new URL("./fixtures/version-v1.json", import.meta.url));

describe("the version of format 1", () => {
  for (const { what, text, written, version } of fixtures) {
    it(`with ${what} is read and written as it was in the first release`, () => {
      expect(readVersion(JSON.parse(text))).toEqual(version);
      expect(encodeVersion(written.back, written.index, written.addition)).toBe(text);
    });
  }

  it("carries every entry and every state that is JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ minLength: 1, maxLength: 20 }), (data, name) => {
        fc.pre(Buffer.byteLength(name) <= 64);
        const json = JSON.stringify(data);
        const parsed = JSON.parse(json) as unknown;
        const entry = { token: 7, owner: name, opId: name };
        const added = JSON.parse(encodeVersion(0, 1, { kind: "entry", ...entry, json })) as unknown;
        expect(readVersion(added)).toEqual({ back: 0, index: 1, entry: { ...entry, data: parsed } });
        const operations = [{ opId: name, index: 1 }];
        const addition = { kind: "checkpoint", upTo: 1, operations, json } as const;
        const checkpoint = { upTo: 1, operations, state: parsed };
        expect(readVersion(JSON.parse(encodeVersion(2, 1, addition)))).toEqual({
          back: 2,
          index: 1,
          checkpoint,
        });
      }),
    );
  });

  it("is unread with a field out of its range, and never throws", () => {
    const [, entry, checkpoint] = fixtures.map(({ text }) => JSON.parse(text) as Record<string, object>);
    const inEntry = (change: object) => ({ ...entry, entry: { ...entry?.["entry"], ...change } });
    const inCheckpoint = (change: object) => ({
      ...checkpoint,
      checkpoint: { ...checkpoint?.["checkpoint"], ...change },
    });
    const bad: readonly unknown[] = [
      ...[null, undefined, [], "x", {}],
      ...[0, 2, "1", undefined].map((v) => ({ ...entry, v })),
      ...[-1, 0.5, "3", undefined].map((back) => ({ ...entry, back })),
      ...[-1, 0.5, "2", undefined, 0].map((index) => ({ ...entry, index })),
      ...[null, [], "x", {}].map((other) => ({ ...entry, entry: other })),
      ...[-1, "7", undefined].map((token) => inEntry({ token })),
      ...["", 7, "x".repeat(201), undefined].map((owner) => inEntry({ owner })),
      ...["", 7, "x".repeat(65), undefined].map((opId) => inEntry({ opId })),
      ...[null, [], {}].map((other) => ({ ...checkpoint, checkpoint: other })),
      ...[-1, 6, "4", undefined].map((upTo) => inCheckpoint({ upTo })),
      ...[null, {}, [null], [["a"]], [["", 1]], [["a", -1]], [{ opId: "a", index: 1 }]].map((operations) =>
        inCheckpoint({ operations }),
      ),
      { ...checkpoint, checkpoint: { upTo: 4, operations: [] } },
    ];
    for (const value of bad) expect([value, readVersion(value)]).toEqual([value, undefined]);
    fc.assert(fc.property(fc.jsonValue(), (value) => void readVersion(value)));
  });
});
