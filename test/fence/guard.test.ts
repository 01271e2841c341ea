/** The protocol of guards as a function: every answer that a row can give. */

import { describe, expect, it } from "vitest";
import { applied, decideClaim, decideWrite, refuseUse } from "../../src/fence/guard.js";
import type { GuardRow } from "../../src/fence/row.js";
import { attempt, claimed, fence, row, write } from "./scene.js";

describe("a claim", () => {
  it("when nobody has claimed, raises the watermark from nothing and starts the numbers", () => {
    expect(claimed(undefined, fence({ token: 7 }))).toEqual({
      v: 1,
      lineage: "default/lease",
      watermark: 7,
      owner: "a",
      seq: 0,
      window: [],
      last: null,
    });
  });

  it("when the token is lower than the watermark, is stale and says by what", () => {
    const decision = decideClaim(row({ watermark: 9, owner: "b" }), fence({ token: 8 }));
    expect(decision).toEqual({ kind: "refused", refusal: { code: "STALE", watermark: 9, owner: "b" } });
  });

  it("when the token is the watermark of another owner, is a conflict", () => {
    const decision = decideClaim(row({ watermark: 9, owner: "b" }), fence({ token: 9, owner: "a" }));
    expect(decision).toEqual({ kind: "refused", refusal: { code: "CONFLICT", watermark: 9, owner: "b" } });
  });

  it("when the same owner claims again, nothing changes, least of all the numbers", () => {
    const standing = write(row({ watermark: 9, owner: "a" }), 1);
    expect(claimed(standing, fence({ token: 9, owner: "a" }))).toBe(standing);
  });

  it("when the token is higher, the numbers start anew for the new owner", () => {
    const standing = write(row({ watermark: 9, owner: "b" }), 1);
    const next = claimed(standing, fence({ token: 10, owner: "a" }));
    expect(next).toMatchObject({ watermark: 10, owner: "a", seq: 0, window: [], last: null });
  });

  it("when the lineage is another one, is refused whatever the tokens are", () => {
    for (const token of [1, 9, 100]) {
      const decision = decideClaim(row({ watermark: 9, lineage: "default/raft" }), fence({ token }));
      expect(decision).toEqual({
        kind: "refused",
        refusal: { code: "FOREIGN_LINEAGE", lineage: "default/raft" },
      });
    }
  });
});

describe("the use of a claim", () => {
  it("when the row is gone or below the token, the claim is missing and nothing is claimed by the way", () => {
    expect(refuseUse(undefined, fence())).toEqual({ code: "CLAIM_MISSING" });
    expect(refuseUse(row({ watermark: 6 }), fence({ token: 7 }))).toEqual({ code: "CLAIM_MISSING" });
    expect(decideWrite(undefined, fence(), attempt(1), "any")).toEqual({
      kind: "refused",
      refusal: { code: "CLAIM_MISSING" },
    });
  });

  it("when somebody newer has claimed, reads and writes are stale", () => {
    expect(refuseUse(row({ watermark: 8 }), fence({ token: 7 }))).toMatchObject({ code: "STALE" });
  });
});

describe("a write", () => {
  it("when a good leader writes again and again under one token, each write is applied", () => {
    let standing = row();
    for (let seq = 1; seq <= 200; seq += 1) standing = write(standing, seq);
    expect(standing.seq).toBe(200);
    expect(standing.window.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 64 }, (_, index) => 137 + index),
    );
  });

  it("when it comes twice under one number, the second is answered with the first one's result", () => {
    const standing = write(row(), 1, "op-1", '"done"');
    expect(decideWrite(standing, fence(), attempt(1, "op-1"), "any")).toEqual({
      kind: "duplicate",
      bySeq: true,
      known: { opId: "op-1", returned: true, result: '"done"' },
    });
  });

  it("when a later write was applied meanwhile, the duplicate is known but its result is no longer kept", () => {
    const standing = write(write(row(), 1, "op-1", "1"), 2, "op-2", "2");
    expect(decideWrite(standing, fence(), attempt(1, "op-1"), "any")).toEqual({
      kind: "duplicate",
      bySeq: true,
      known: { opId: "op-1", returned: true },
    });
  });

  it("when another operation uses a number that was applied, it is told so and never given the other's result", () => {
    const standing = write(write(row(), 1, "op-1", "1"), 2, "op-2", "2");
    for (const seq of [1, 2]) {
      expect(decideWrite(standing, fence(), attempt(seq, "other"), "any")).toEqual({
        kind: "refused",
        refusal: { code: "SEQUENCE_REUSED" },
      });
    }
  });

  it("when an operation comes again under another number, it is not applied again", () => {
    const standing = write(row(), 1, "op-1");
    expect(decideWrite(standing, fence(), attempt(2, "op-1"), "any")).toMatchObject({
      kind: "duplicate",
      bySeq: false,
    });
  });

  it("when the resource remembers the operation from an earlier term, it is not applied again", () => {
    const known = { opId: "op-1", returned: true, result: "5" };
    expect(decideWrite(row(), fence(), attempt(1, "op-1"), "any", known)).toEqual({
      kind: "duplicate",
      bySeq: false,
      known,
    });
  });

  it("when writes arrive out of order, any order applies each once", () => {
    let standing = row();
    for (const seq of [3, 1, 2]) standing = write(standing, seq);
    expect(standing).toMatchObject({ seq: 3, last: { seq: 2 } });
    expect(standing.window.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it("when writes arrive in order, strict order applies each", () => {
    expect(decideWrite(row(), fence(), attempt(1), "strict")).toMatchObject({ kind: "apply" });
    expect(decideWrite(write(row(), 5), fence(), attempt(6), "strict")).toMatchObject({ kind: "apply" });
  });

  it("when writes arrive out of order, strict order refuses what comes early and what comes late", () => {
    expect(decideWrite(row(), fence(), attempt(2), "strict")).toEqual({
      kind: "refused",
      refusal: { code: "SEQUENCE_GAP", expected: 1 },
    });
    const standing = write(row(), 5);
    expect(decideWrite(standing, fence(), attempt(4), "strict")).toMatchObject({
      refusal: { code: "SEQUENCE_GAP", expected: 6 },
    });
  });

  it("when a number lies 64 behind, nobody knows any more, and it is not applied", () => {
    const standing = write(row(), 65);
    expect(decideWrite(standing, fence(), attempt(1), "any")).toEqual({
      kind: "refused",
      refusal: { code: "ATTEMPT_TOO_OLD" },
    });
    expect(decideWrite(standing, fence(), attempt(2), "any")).toMatchObject({ kind: "apply" });
  });

  it("when the token is the owner's but the owner another, is a conflict", () => {
    const standing: GuardRow = row({ watermark: 7, owner: "b" });
    expect(decideWrite(standing, fence({ token: 7, owner: "a" }), attempt(1), "any")).toMatchObject({
      refusal: { code: "CONFLICT" },
    });
  });

  it("when it is applied, nothing but numbers and the last write changes in the row", () => {
    const standing = row({ watermark: 7, owner: "a" });
    const next = applied(standing, attempt(1, "op-1"), undefined);
    expect(next).toEqual({
      ...standing,
      seq: 1,
      window: [{ seq: 1, opId: "op-1", returned: false }],
      last: { seq: 1, opId: "op-1" },
    });
  });
});
