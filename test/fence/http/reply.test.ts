/** Replies of handlers: what may be one, what is kept of it, and that the second answer is the first one's. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  answer,
  checkReply,
  type HttpReply,
  keep,
  kept,
  refusedAnswer,
} from "../../../src/fence/http/reply.js";
import type { Refusal } from "../../../src/fence/guard.js";
import type { Sent } from "../../../src/fence/remote/sent.js";
import { fence } from "../scene.js";

const sent: Sent = { kind: "write", resource: "ledger", fence: fence(), seq: 3, opId: "invoice-17" };

/** Through the guard of the service and back, as JSON. */
function again(reply: HttpReply | undefined): unknown {
  const result = keep(checkReply(reply));
  return kept(result === undefined ? undefined : JSON.parse(JSON.stringify(result)));
}

describe("what a handler answers", () => {
  it("is 204 without a body, and 200 with one", () => {
    const bare = { status: 204, headers: {}, json: undefined };
    for (const reply of [undefined, {}, { body: undefined }]) expect(checkReply(reply)).toEqual(bare);
    for (const body of [null, 0, "", false, [], { n: 1 }]) {
      expect(checkReply({ body })).toEqual({ status: 200, headers: {}, json: JSON.stringify(body) });
    }
  });

  it("is kept by its body alone, as a leader within the service would have kept it, where it has nothing else", () => {
    expect(keep(checkReply(undefined))).toBeUndefined();
    expect(keep(checkReply({ body: { n: 1 } }))).toEqual({ n: 1 });
    expect(keep(checkReply({ body: null }))).toBeNull();
    for (const reply of [
      { status: 201 },
      { status: 200 },
      { status: 205 },
      { status: 201, body: 1 },
      { headers: { location: "/1" } },
      { headers: { location: "/1" }, body: 1 },
      // It looks like what is kept of others.
      { body: { $reply: { status: 500 } } },
    ]) {
      expect(keep(checkReply(reply)), JSON.stringify(reply)).toHaveProperty("$reply");
    }
  });

  it("is the same when the request comes again", () => {
    const reply = fc.record(
      {
        status: fc.constantFrom(200, 201, 202, 204, 205, 304, 404, 500, 599),
        headers: fc.dictionary(fc.constantFrom("location", "etag", "x-a"), fc.constantFrom("", "a b", "1")),
        body: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ $reply: {} })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(reply, (one) => {
        fc.pre(one.body === undefined || ![204, 205, 304].includes(one.status ?? 200));
        expect(again(one)).toEqual(checkReply(one));
      }),
    );
    expect(again(undefined)).toEqual(checkReply(undefined));
  });

  it.each([
    [null, /reply must be an object, or undefined/],
    [[], /reply must be an object/],
    ["done", /reply must be an object/],
    [{ code: 200 }, /unknown option "code"/],
    [{ status: 199 }, /reply\.status must be a whole number from 200 to 599/],
    [{ status: 600 }, /reply\.status must be/],
    [{ status: 204, body: 1 }, /reply\.body must be undefined with status 204/],
    [{ status: 205, body: 1 }, /reply\.body must be undefined with status 205/],
    [{ status: 304, body: null }, /reply\.body must be undefined with status 304/],
    [{ body: () => {} }, /reply\.body must be a JSON value/],
    [{ headers: { "a b": "1" } }, /reply\.headers must be names of HTTP headers/],
    [{ headers: { "Tenure-Verdict": "1" } }, /names of HTTP headers, without tenure-verdict/],
    [{ headers: { "Cache-Control": "public" } }, /without tenure-verdict, cache-control/],
    [{ headers: { a: "1\r\nb: 2" } }, /reply\.headers\.a must be a text of printable ASCII/],
    [{ headers: { a: 1 } }, /reply\.headers\.a must be a text/],
  ])("is refused before it is kept: %j", (reply, message) => {
    expect(() => checkReply(reply as HttpReply)).toThrowError(message);
  });

  it("has its headers in lower case, each once", () => {
    expect(checkReply({ headers: { Location: "/1", ETag: '"1"' } }).headers).toEqual({
      location: "/1",
      etag: '"1"',
    });
  });
});

describe("what goes over the wire", () => {
  it("says what it is, and that no cache may keep it", () => {
    const verdict = { verdict: "applied" } as const;
    const { headers, status, body } = answer(sent, checkReply({ body: 1 }), verdict);
    expect({ status, body }).toEqual({ status: 200, body: "1" });
    expect(headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
    expect(answer(sent, checkReply(undefined), verdict).headers).not.toHaveProperty("content-type");
    const own = { headers: { "content-type": "application/hal+json" }, body: 1 };
    expect(answer(sent, checkReply(own), verdict).headers["content-type"]).toBe("application/hal+json");
  });

  it("is a 412 where the fence was refused, and a 409 where only the number was", () => {
    const refusals: readonly (readonly [Refusal, number])[] = [
      [{ code: "STALE", watermark: 8, owner: "b" }, 412],
      [{ code: "CONFLICT", watermark: 7, owner: "b" }, 412],
      [{ code: "FOREIGN_LINEAGE", lineage: "other" }, 412],
      [{ code: "CLAIM_MISSING" }, 412],
      [{ code: "SEQUENCE_GAP", expected: 2 }, 409],
      [{ code: "SEQUENCE_REUSED" }, 409],
      [{ code: "ATTEMPT_TOO_OLD" }, 409],
    ];
    for (const [refusal, expected] of refusals) {
      const { status, headers, body } = refusedAnswer(sent, refusal);
      expect(status).toBe(expected);
      expect(headers["content-type"]).toBe("application/problem+json");
      expect(JSON.parse(body ?? "")).toMatchObject({ status, ...refusal });
    }
  });
});
