/** Record v1 and rule 13. The fixture stays readable in every later release. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { decodeRecord, encodeRecord, type LeaseRecord, largestToken } from "../../src/lease/record.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { rewrite, scripted, stored } from "../support/scripted-store.js";
import { createCandidate } from "../support/virtual.js";

const fixture = readFileSync(new URL("./fixtures/record-v1.json", import.meta.url), "utf8");

function valid(): LeaseRecord {
  const record = decodeRecord(fixture);
  if (typeof record === "string") throw new Error(`the fixture is ${record}`);
  return record;
}

const withField = (field: string, value: unknown) =>
  JSON.stringify({ ...JSON.parse(fixture), [field]: value });

describe("record v1", () => {
  it("when read and written again, the fixture comes back field by field", () => {
    expect(JSON.parse(encodeRecord(valid()))).toEqual(JSON.parse(fixture));
    expect(valid().unknown).toEqual({ laterField: { kept: true } });
  });

  it("when a field breaks its limits, the record is unreadable and never an exception", () => {
    const broken: [string, unknown][] = [
      ["instance", ""],
      ["instance", "x".repeat(201)],
      ["writer", 7],
      ["nonce", null],
      ["token", 0],
      ["token", largestToken + 2],
      ["token", 1.5],
      ["token", "1"],
      ["seq", -1],
      ["ttlMs", 0],
      ["state", "leading"],
      ["expiry", "never"],
      ["metadata", { a: 1 }],
      ["request", { id: "x", verb: "explode", by: "y" }],
      ["bid", []],
      ["v", 0],
      ["v", "1"],
    ];
    for (const [field, value] of broken)
      expect(decodeRecord(withField(field, value)), field).toBe("unreadable");
    for (const text of ["", "null", "[]", "{", "7", '"x"', "\u0000"])
      expect(decodeRecord(text)).toBe("unreadable");
    expect(decodeRecord(withField("laterField", "x".repeat(17_000)))).toBe("unreadable");
  });

  it("when fed anything, the decoder never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeRecord(text)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void decodeRecord(JSON.stringify(value))));
  });

  it("when a later format keeps the header, it reads as a record; when it does not, it is newer", () => {
    expect(decodeRecord(withField("v", 2))).toMatchObject({ v: 2, token: 1_795_900_000_123 });
    const changed = JSON.stringify({ ...JSON.parse(withField("v", 2)), expiry: "quorum", metadata: 5 });
    expect(decodeRecord(changed)).toMatchObject({ v: 2, expiry: "observed", metadata: {} });
    expect(decodeRecord(JSON.stringify({ v: 2, lease: {} }))).toBe("newer");
  });

  it("when too large, encoding says by how much", () => {
    const large = { ...valid(), metadata: { a: "x".repeat(17_000) } };
    expect(() => encodeRecord(large)).toThrow(/RECORD_TOO_LARGE.*16384/);
  });
});

describe("a record in the store", () => {
  it("when it is newer and its header is unchanged for its ttl, it is taken over; its unknown fields are dropped", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    await store.write("default/job", { ...valid(), v: 2, state: "held" }, undefined, call());
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(14_999);
    expect(candidate.events).toEqual([]);
    await world.advance(150);
    expect(candidate.events).toHaveLength(1);
    const record = await stored(store);
    expect(record.v).toBe(1);
    expect(record.unknown).toBeUndefined();
    expect(record.token).toBeGreaterThan(valid().token);
  });

  it.each(["unreadable", "newer"] as const)(
    "when it is %s, it is never overwritten and a single try says so",
    async (body) => {
      const world = createVirtualWorld();
      const store = scripted(memoryStore(), world.createClock());
      store.fate = ({ kind }) =>
        kind === "read" ? { answer: { version: "1", epoch: "e", body } } : "normal";
      const candidate = createCandidate(world, "a", { store });
      const trying = candidate.election.tryCampaign();
      const code = body === "newer" ? "RECORD_NEWER" : "RECORD_UNREADABLE";
      const refused = expect(trying).rejects.toMatchObject({ code });
      await world.advance(120_000);
      await refused;
      void candidate.election.campaign();
      await world.advance(120_000);
      expect(store.writes).toEqual([]);
      expect(candidate.election.status.leader.kind).toBe("unknown");
    },
  );

  it("when its ttl is above what the store allows, it counts as unreadable", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    await store.write("default/job", { ...valid(), state: "held", ttlMs: 15_001 }, undefined, call());
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(60_000);
    expect(candidate.events).toEqual([]);
  });

  it("when others added fields that this release does not know, renewals keep them", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(100);
    await rewrite(store, (record) => ({ ...record, writer: "later", nonce: "l", unknown: { hint: [1, 2] } }));
    await world.advance(10_000);
    expect((await stored(store)).unknown).toEqual({ hint: [1, 2] });
    expect(candidate.events).toHaveLength(1);
  });
});

describe("tokens (rule 6)", () => {
  it("when taken over, the token exceeds the old one even if this node's clock is years behind", async () => {
    const world = createVirtualWorld(1_000);
    const store = memoryStore();
    await store.write("default/job", { ...valid(), state: "released" }, undefined, call());
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(100);
    expect((await stored(store)).token).toBe(valid().token + 1);
  });

  it("when the last token leaves no room below 2^52, the campaign is refused and nothing is written", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    await store.write(
      "default/job",
      { ...valid(), state: "released", token: largestToken },
      undefined,
      call(),
    );
    const candidate = createCandidate(world, "a", { store });
    const refused = expect(candidate.election.campaign()).rejects.toMatchObject({ code: "TOKEN_EXHAUSTED" });
    await world.advance(100);
    await refused;
    expect((await stored(store)).token).toBe(largestToken);
  });
});

function call() {
  return {
    signal: new AbortController().signal,
    timeoutMs: 1_000,
    absence: "waited",
    takeover: "observed",
  } as const;
}
