/** The verdict of a service: frozen in format 1, ASCII, bounded, about this very request, and nothing that is half read. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeVerdict, encodeVerdict, type Verdict } from "../../../src/fence/http/verdict.js";
import type { Sent } from "../../../src/fence/remote/sent.js";
import { fence } from "../scene.js";
import { fixturesIn } from "../../support/fixtures.js";

interface Fixture {
  readonly what: string;
  readonly line: string;
  readonly verdict: Verdict;
}

const fixtures = fixturesIn<Fixture>(new URL("../fixtures/verdict-v1.json", import.meta.url));

const write: Sent = { kind: "write", resource: "ledger", fence: fence(), seq: 3, opId: "invoice-17" };
const claim: Sent = { kind: "claim", resource: "ledger", fence: fence() };
const applied = encodeVerdict(write, { verdict: "applied" });

function changed(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(applied) as object), ...change });
}

describe("the verdict of format 1", () => {
  for (const { what, line, verdict } of fixtures) {
    it(`of ${what} is read and written as it was in the first release`, () => {
      expect(decodeVerdict(write, line)).toEqual(verdict);
      expect(encodeVerdict(write, verdict)).toBe(line);
    });
  }

  it("is about one request: that of another token or operation is nobody's word", () => {
    const others: readonly Sent[] = [
      { ...write, fence: fence({ token: 8 }) },
      { ...write, opId: "invoice-18" },
      { kind: "read", resource: "ledger", fence: fence() },
      claim,
    ];
    for (const other of others) expect(decodeVerdict(other, applied)).toBeUndefined();
    expect(decodeVerdict(claim, encodeVerdict(claim, { verdict: "unconfirmed" }))).toBeDefined();
  });

  it("of a request that could not be read names none, and can only be that it failed", () => {
    const verdict: Verdict = { verdict: "failed", code: "INVALID_OPTION" };
    expect(decodeVerdict(write, encodeVerdict(undefined, verdict))).toEqual(verdict);
    for (const other of ["applied", "read", "rolled-back", "unconfirmed"] as const) {
      expect(decodeVerdict(write, encodeVerdict(undefined, { verdict: other }))).toBeUndefined();
    }
    const ofAnother = encodeVerdict({ ...write, fence: fence({ token: 8 }) }, verdict);
    expect(decodeVerdict(write, ofAnother)).toBeUndefined();
  });

  it("is cut where a lineage would make it too long for a header", () => {
    const refusal = { code: "FOREIGN_LINEAGE", lineage: "\u00e9".repeat(1_024) } as const;
    const read = { verdict: "refused", refusal: { ...refusal, lineage: `${"\u00e9".repeat(200)}\u2026` } };
    expect(decodeVerdict(write, encodeVerdict(write, { verdict: "refused", refusal }))).toEqual(read);
  });

  it("carries every owner and lineage that there may be; of a lineage that does not fit, the beginning", () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
    const unit = fc.constantFrom("a", "\u00e9", "\u{1f5dd}");
    const long = fc.string({ unit, minLength: 600, maxLength: 860 });
    fc.assert(
      fc.property(
        name,
        fc.oneof(name, long),
        fc.integer({ min: 1, max: 2 ** 52 }),
        (owner, lineage, watermark) => {
          fc.pre(Buffer.byteLength(owner) <= 200 && Buffer.byteLength(lineage) <= 2_048);
          const stale: Verdict = { verdict: "refused", refusal: { code: "STALE", watermark, owner } };
          expect(decodeVerdict(write, encodeVerdict(write, stale))).toEqual(stale);
          const line = encodeVerdict(write, {
            verdict: "refused",
            refusal: { code: "FOREIGN_LINEAGE", lineage },
          });
          expect(line).toMatch(/^[ -~]{1,4096}$/);
          const found = decodeVerdict(write, line);
          if (found?.verdict !== "refused" || found.refusal.code !== "FOREIGN_LINEAGE")
            throw new Error("unread");
          const { lineage: read } = found.refusal;
          expect(read === lineage || (read.endsWith("…") && lineage.startsWith(read.slice(0, -1)))).toBe(
            true,
          );
        },
      ),
    );
  });

  it("is unread with a field out of its range, longer than 4 096 characters, or where there is none; and never throws", () => {
    const claimed = { verdict: "claimed", numbering: "n", seq: 0, advisory: false };
    const refused = (refusal: unknown) => ({ verdict: "refused", refusal });
    const bad: readonly Readonly<Record<string, unknown>>[] = [
      ...[0, 2, "1", null, undefined].map((v) => ({ v })),
      ...["", "done", 7, null, undefined].map((verdict) => ({ verdict })),
      ...[0, "7", null].map((token) => ({ token })),
      ...["", null, undefined].map((opId) => ({ opId })),
      ...["", 7, undefined].map((numbering) => ({ ...claimed, numbering })),
      ...[-1, 0.5, "0", undefined].map((seq) => ({ ...claimed, seq })),
      ...[0, "no", undefined].map((advisory) => ({ ...claimed, advisory })),
      { verdict: "duplicate", bySeq: true },
      { verdict: "duplicate", kept: true },
      ...["OTHER", "STALE", undefined].map((code) => ({ verdict: "failed", code })),
      ...[undefined, null, [], "STALE", {}, { code: "OTHER" }].map(refused),
      ...[0, 2 ** 52 + 1, "8"].map((watermark) => refused({ code: "STALE", watermark, owner: "b" })),
      ...["", "x".repeat(201), 7].map((owner) => refused({ code: "CONFLICT", watermark: 8, owner })),
      ...["", "x".repeat(2_049), 7].map((lineage) => refused({ code: "FOREIGN_LINEAGE", lineage })),
      ...[-1, 1.5, "2"].map((expected) => refused({ code: "SEQUENCE_GAP", expected })),
    ];
    for (const change of bad)
      expect([change, decodeVerdict(write, changed(change))]).toEqual([change, undefined]);
    for (const line of [null, "", "null", "[]", "{}", applied.slice(0, -1), `${applied},${applied}`]) {
      expect(decodeVerdict(write, line)).toBeUndefined();
    }
    expect(decodeVerdict(write, applied.padEnd(4_096))).toEqual({ verdict: "applied" });
    expect(decodeVerdict(write, applied.padEnd(4_097))).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => void decodeVerdict(write, text)));
  });
});
