/** Rows and envelopes of format 1: frozen, so every later release reads these fixtures, and foreign input never throws. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TenureError } from "../../src/errors/index.js";
import { decodeEnvelope, encodeEnvelope, type Envelope } from "../../src/fence/envelope.js";
import { fixturesIn } from "../support/fixtures.js";
import { decodeRow, encodeRow, type GuardRow } from "../../src/fence/row.js";

interface Fixture {
  readonly what: string;
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;

function load(name: string): readonly Fixture[] {
  return fixturesIn(new URL(`./fixtures/${name}`, import.meta.url));
}

const rows = load("row-v1.json");
const envelopes = load("envelope-v1.json");

/** One row whose window, last and result are all there. */
const sample = JSON.parse(rows.find(({ what }) => what.startsWith("one write"))?.text ?? "") as Json;
const full = JSON.parse(envelopes.find(({ what }) => what.startsWith("two"))?.text ?? "") as Json;

function row(change: Json): string {
  return JSON.stringify({ ...sample, ...change });
}

function envelope(change: Json): string {
  return JSON.stringify({ ...full, ...change });
}

const entry = { seq: 1, opId: "one", returned: true };

const brokenRows: readonly (readonly [field: string, change: Json])[] = [
  ...[0, 2, "1", null, undefined].map((v) => ["v", { v }] as const),
  ...["", 7, null, undefined, "x".repeat(2_049)].map((lineage) => ["lineage", { lineage }] as const),
  ...[0, -1, 1.5, "7", null, undefined, 2 ** 52 + 1, 1e300].map(
    (watermark) => ["watermark", { watermark }] as const,
  ),
  ...["", 7, null, undefined, "x".repeat(201), "\u00e9".repeat(101)].map(
    (owner) => ["owner", { owner }] as const,
  ),
  ...[-1, 0.5, "1", null, undefined, 2 ** 53].map((seq) => ["seq", { seq }] as const),
  ...[
    null,
    undefined,
    {},
    "x",
    [null],
    [[]],
    [{ ...entry, seq: 0 }],
    [{ ...entry, seq: 2 }],
    [{ ...entry, seq: "1" }],
    [{ ...entry, opId: "" }],
    [{ ...entry, opId: 7 }],
    [{ ...entry, opId: "x".repeat(65) }],
    [{ ...entry, returned: 1 }],
    [{ ...entry, returned: undefined }],
    [entry, entry],
  ].map((window) => ["window", { window }] as const),
  ["window", { seq: 65, window: [entry] }],
  ["window", { seq: 3, window: [{ ...entry, seq: 3 }, entry] }],
  ["window", { seq: 80, window: Array.from({ length: 65 }, (_, index) => ({ ...entry, seq: 16 + index })) }],
  ...[
    undefined,
    7,
    "x",
    [],
    { seq: -1, opId: "one" },
    { seq: 1, opId: "" },
    { seq: 1 },
    { seq: 1, opId: "one", result: 7 },
    { seq: 1, opId: "one", result: "" },
    { seq: 1, opId: "one", result: "no JSON" },
    { seq: 1, opId: "one", result: `"${"x".repeat(4_095)}"` },
  ].map((last) => ["last", { last }] as const),
];

describe("guard row v1", () => {
  for (const { what, text } of rows) {
    it(`when the fixture of "${what}" is read and written again, it comes back byte for byte`, () => {
      expect(encodeRow(decodeRow(text))).toBe(text);
      expect(decodeRow(text)).toEqual(JSON.parse(text));
    });
  }

  it("when a later release has added fields, they are dropped and the rest is read", () => {
    const later = row({ later: { deep: true }, last: { ...(sample["last"] as Json), later: 1 } });
    expect(decodeRow(later)).toEqual(sample);
  });

  it("when any field breaks its limits, the row is unreadable", () => {
    expect(() => decodeRow(row({}))).not.toThrow();
    for (const [field, change] of brokenRows) {
      expect(() => decodeRow(row(change)), `${field}: ${JSON.stringify(change)}`).toThrow(
        "GUARD_ROW_UNREADABLE",
      );
    }
    for (const text of ["", "null", "[]", "{", "7", '"x"', "\u0000"]) {
      expect(() => decodeRow(text), text).toThrow("GUARD_ROW_UNREADABLE");
    }
  });

  it("when fed anything, it is a row that comes back the same, or unreadable, and nothing else", () => {
    fc.assert(
      fc.property(mutated(rows), (text) => {
        const read = tryDecode(text);
        expect(read && decodeRow(encodeRow(read))).toEqual(read);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(fc.property(fc.string(), (text) => void tryDecode(text)));
  });
});

describe("envelope v1", () => {
  for (const { what, text } of envelopes) {
    it(`when the fixture of "${what}" is read and written again, it comes back byte for byte`, () => {
      const read = readable(text);
      const { value } = JSON.parse(text) as Json;
      expect(read.value).toBe(value === undefined ? undefined : JSON.stringify(value));
      expect(encodeEnvelope(read)).toBe(text);
    });
  }

  it("when it is of a later format, it is newer whatever else it holds", () => {
    for (const text of ['{"v":2}', '{"v":3,"rows":7}', envelope({ v: 2 })]) {
      expect(decodeEnvelope(text)).toBe("newer");
    }
  });

  it("when a later release has added fields, they are dropped and the rest is read", () => {
    expect(decodeEnvelope(envelope({ later: [1] }))).toEqual(decodeEnvelope(envelope({})));
  });

  it("when any field breaks its limits, it is unreadable", () => {
    const [first] = full["rows"] as readonly Json[];
    const operation = { opId: "one", returned: true };
    const changes: readonly Json[] = [
      ...[0, "1", null, undefined, 1.5, -1].map((v) => ({ v })),
      ...["", 7, null, undefined, "x".repeat(201)].map((nonce) => ({ nonce })),
      ...[null, undefined, {}, "x", [null], [7]].map((list) => ({ rows: list })),
      ...[{ namespace: "" }, { namespace: 7 }, { election: "x".repeat(1_025) }, { row: undefined }].map(
        (change) => ({
          rows: [{ ...first, ...change }],
        }),
      ),
      ...brokenRows.map(([, change]) => ({ rows: [{ ...first, row: JSON.parse(row(change)) as Json }] })),
      ...[null, undefined, {}, [null], ["x"]].map((operations) => ({ operations })),
      ...[
        { opId: "" },
        { opId: "x".repeat(65) },
        { returned: 1 },
        { returned: undefined },
        { result: 7 },
        { result: "" },
        { result: "no JSON" },
        { result: `"${"x".repeat(4_095)}"` },
      ].map((change) => ({ operations: [{ ...operation, ...change }] })),
    ];
    for (const change of changes)
      expect(decodeEnvelope(envelope(change)), JSON.stringify(change)).toBe("unreadable");
    for (const text of ["", "null", "[]", "{", "7", "\u0000"])
      expect(decodeEnvelope(text), text).toBe("unreadable");
  });

  it("when a value is nested deeper than it can be written again, it is unreadable", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const text = envelope({}).replace('"value":[]', `"value":${deep}`);
    expect(text).toContain(deep);
    expect(decodeEnvelope(text)).toBe("unreadable");
  });

  it("when fed anything, it never throws, and what it reads comes back the same", () => {
    const judge = (text: string) => {
      const read = decodeEnvelope(text);
      expect(typeof read === "string" ? read : decodeEnvelope(encodeEnvelope(read))).toEqual(read);
    };
    fc.assert(fc.property(mutated(envelopes), judge), { numRuns: 2_000 });
    fc.assert(fc.property(fc.string(), judge));
    fc.assert(fc.property(fc.jsonValue(), (value) => judge(JSON.stringify(value))));
  });
});

/** Undefined when unreadable; any other error is a failure. */
function tryDecode(text: string): GuardRow | undefined {
  try {
    return decodeRow(text);
  } catch (cause) {
    if (TenureError.is(cause, "GUARD_ROW_UNREADABLE")) return undefined;
    throw cause;
  }
}

function readable(text: string): Envelope {
  const read = decodeEnvelope(text);
  if (typeof read === "string") throw new Error(`the fixture is ${read}`);
  return read;
}

/** A fixture in which the value at one place, however deep, is another one or gone. */
function mutated(fixtures: readonly Fixture[]): fc.Arbitrary<string> {
  const near = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(0, 1, -1, 2 ** 52, 2 ** 53, 1.5, "", "x".repeat(5_000)),
  );
  return fc
    .record({
      fixture: fc.constantFrom(...fixtures),
      place: fc.nat(),
      value: fc.option(near, { nil: undefined }),
    })
    .map(({ fixture, place, value }) => {
      const count = { places: 0 };
      JSON.stringify(JSON.parse(fixture.text), (_, found: unknown) => {
        count.places += 1;
        return found;
      });
      let index = -1;
      const text = JSON.stringify(JSON.parse(fixture.text), (_, found: unknown) => {
        index += 1;
        return index === place % count.places ? value : found;
      });
      return text ?? "";
    });
}
