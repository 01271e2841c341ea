/** What a consumer says back to a leader: frozen in format 1, bounded, and never half read. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeReply,
  isDirect,
  type Reply,
  readReply,
  termRefusal,
} from "../../../../src/fence/queue/rabbitmq/reply.js";
import { fixturesIn } from "../../../support/fixtures.js";

interface Fixture {
  readonly what: string;
  readonly text: string;
  readonly reply: Reply;
}

const fixtures = fixturesIn<Fixture>(new URL("../../fixtures/rabbitmq-reply-v1.json", import.meta.url));

describe("the reply of format 1", () => {
  for (const { what, text, reply } of fixtures) {
    it(`about ${what} is read and written as it was in the first release`, () => {
      expect(readReply(Buffer.from(text))).toEqual(reply);
      expect(encodeReply(reply).toString()).toBe(text);
    });
  }

  it("is unread with a field out of its range, too long, or about one message only; and never throws", () => {
    const claimed = { v: 1, kind: "claimed", numbering: "n", seq: 0 };
    const refused = (refusal: unknown) => ({ v: 1, kind: "refused", refusal });
    const bad: readonly unknown[] = [
      null,
      [],
      {},
      ...[0, 2, "1", undefined].map((v) => ({ ...claimed, v })),
      ...["", "applied", undefined].map((kind) => ({ ...claimed, kind })),
      ...["", 7, "x".repeat(2_049), undefined].map((numbering) => ({ ...claimed, numbering })),
      ...[-1, 0.5, "0", undefined].map((seq) => ({ ...claimed, seq })),
      ...[undefined, null, "STALE", {}, { code: "OTHER" }, { code: "STALE" }].map(refused),
      refused({ code: "SEQUENCE_REUSED" }),
      refused({ code: "SEQUENCE_GAP", expected: 2 }),
      refused({ code: "ATTEMPT_TOO_OLD" }),
    ];
    for (const value of bad) {
      const text = JSON.stringify(value);
      expect([text, readReply(Buffer.from(text))]).toEqual([text, undefined]);
    }
    const whole = JSON.stringify(claimed);
    expect(readReply(Buffer.from(whole.padEnd(16_384)))).toBeDefined();
    expect(readReply(Buffer.from(whole.padEnd(16_385)))).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readReply(Buffer.from(bytes))));
  });
});

describe("a refusal", () => {
  it("is of the whole term where every message of it would be refused", () => {
    const stale = { code: "STALE", watermark: 8, owner: "b" } as const;
    expect(termRefusal(stale)).toBe(stale);
    expect(termRefusal({ code: "CLAIM_MISSING" })).toEqual({ code: "CLAIM_MISSING" });
    for (const code of ["SEQUENCE_REUSED", "ATTEMPT_TOO_OLD"] as const)
      expect(termRefusal({ code })).toBeUndefined();
  });
});

describe("a way back", () => {
  it("is the one that the broker has made for the publisher's channel", () => {
    expect(isDirect("amq.rabbitmq.reply-to.g1h2")).toBe(true);
    for (const other of ["amq.rabbitmq.reply-to", "orders", "", undefined, 7])
      expect(isDirect(other)).toBe(false);
  });
});
