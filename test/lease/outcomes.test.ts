/** Rules 1 and 4: what each answer of the store means to a holder. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { createError } from "../../src/errors/index.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { type Fate, plainCall, rewrite, scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

const key = "default/job";

async function leader() {
  const world = createVirtualWorld();
  const inner = memoryStore();
  const store = scripted(inner, world.createClock());
  const candidate = createCandidate(world, "leader", { store });
  const leading = candidate.election.campaign();
  await world.advance(1);
  const leadership = await leading;
  await world.advance(10_000);
  return { world, store, inner, candidate, leadership };
}

describe("a definite loss ends the term at the next renewal", () => {
  const foreign = { instance: "thief", writer: "thief", nonce: "n-thief" };
  const losses: [string, (record: LeaseRecord) => LeaseRecord, string][] = [
    ["another instance", (record) => ({ ...record, ...foreign }), "superseded"],
    [
      "another token",
      (record) => ({ ...record, token: record.token + 1, nonce: "x", writer: "op" }),
      "superseded",
    ],
    [
      "own record released",
      (record) => ({ ...record, state: "released", nonce: "x", writer: "op" }),
      "superseded",
    ],
    [
      "own record offered",
      (record) => ({ ...record, state: "offered", nonce: "x", writer: "op" }),
      "superseded",
    ],
    [
      "a nonce never sent",
      (record) => ({ ...record, seq: record.seq + 1, nonce: "clone" }),
      "duplicate-identity",
    ],
    [
      "a bid over the renewal of a clone",
      (record) => ({ ...record, seq: record.seq + 5, nonce: "bid", writer: "bidder" }),
      "duplicate-identity",
    ],
    [
      "an older seq",
      (record) => ({ ...record, seq: record.seq - 1, nonce: "old", writer: "op" }),
      "store-lost",
    ],
  ];

  it.each(losses)("when the store shows %s", async (_, change, reason) => {
    const { world, inner, candidate, leadership } = await leader();
    await rewrite(inner, change);
    await world.advance(2_501);
    expect(leadership.isCurrent).toBe(false);
    expect(candidate.events.at(-1)).toBe(`lost ${reason}`);
    const after = await stored(inner);
    await leadership.resign();
    await world.advance(5_000);
    // Not ours any more: nothing is written over it.
    expect(await stored(inner)).toEqual(after);
    expect(candidate.events.at(-1)).toBe("released left-to-expire");
  });

  it("when the record is absent", async () => {
    const { world, store, candidate, leadership } = await leader();
    store.fate = ({ kind }) =>
      kind === "write" ? { answer: { kind: "conflict", current: undefined } } : "normal";
    await world.advance(2_501);
    expect(leadership.isCurrent).toBe(false);
    expect(candidate.events.at(-1)).toBe("lost store-lost");
  });
});

describe("an unknown outcome costs nothing before the deadline", () => {
  it("when one renewal fails, for whatever reason, leading goes on and one pair of events tells of it", async () => {
    const causes = [
      new Error("ECONNRESET"),
      createError("STORE_DENIED", "no"),
      createError("STORE_CLOSED", "gone"),
    ];
    for (const cause of causes) {
      const { world, store, candidate, leadership } = await leader();
      let failed = false;
      store.fate = ({ kind }) => {
        if (kind === "write" && !failed) {
          failed = true;
          return { fail: cause };
        }
        return "normal";
      };
      await world.advance(60_000);
      expect(leadership.isCurrent).toBe(true);
      expect(candidate.events.slice(1)).toEqual(["uncertain", "confirmed"]);
    }
  });

  it("when every second request is reset for two minutes, the leader stays", async () => {
    const { world, store, leadership } = await leader();
    store.fate = ({ count }) => (count % 2 === 0 ? { fail: new Error("ECONNRESET") } : "normal");
    await world.advance(120_000);
    expect(leadership.isCurrent).toBe(true);
  });

  it("when a renewal arrives but its reply is lost, the next try finds its nonce and leading goes on", async () => {
    const { world, store, candidate, leadership } = await leader();
    let lost = false;
    store.fate = ({ kind }) => {
      if (kind === "write" && !lost) {
        lost = true;
        return "lose-reply";
      }
      return "normal";
    };
    await world.advance(30_000);
    expect(leadership.isCurrent).toBe(true);
    expect(candidate.events.slice(1)).toEqual(["uncertain", "confirmed"]);
  });

  it("when a write is delivered twice and the second answer counts, leading goes on", async () => {
    const { world, store, inner, leadership } = await leader();
    const write = store.write.bind(store);
    store.write = async (at, record, expected, call) => {
      await write(at, record, expected, call);
      return inner.write(at, record, expected, call);
    };
    await world.advance(60_000);
    expect(leadership.isCurrent).toBe(true);
  });

  it("when the record turns unreadable, the term lasts until its deadline and nothing is overwritten", async () => {
    const { world, store, candidate, leadership } = await leader();
    const garbage = { version: "g", epoch: "e", body: "unreadable" } as const;
    store.fate = ({ kind }) =>
      kind === "write" ? { answer: { kind: "conflict", current: garbage } } : "normal";
    await world.advance(7_000);
    expect(leadership.isCurrent).toBe(true);
    await world.advance(3_500);
    expect(candidate.events.at(-1)).toBe("lost deadline");
  });

  it("when the store never answers, each try has its own timeout and nothing is sent after the deadline", async () => {
    const { world, store, leadership } = await leader();
    store.fate = () => "hang";
    const before = store.writes.length;
    await world.advance(10_001);
    expect(leadership.isCurrent).toBe(false);
    const tries = store.writes.length - before;
    expect(tries).toBeGreaterThanOrEqual(2);
    await world.advance(60_000);
    expect(store.writes.length - before).toBe(tries);
    expect(new Set(store.writes.map(({ nonce }) => nonce)).size).toBe(store.writes.length);
  });
});

describe("acquiring", () => {
  it("when the reply to a take is lost, the next try adopts it with the first one's send time", async () => {
    const world = createVirtualWorld();
    const store = scripted(memoryStore(), world.createClock());
    store.fate = ({ kind, count }) => (kind === "write" && count === 1 ? "lose-reply" : "normal");
    const candidate = createCandidate(world, "a", { store });
    const leading = candidate.election.campaign();
    await world.advance(5_000);
    const leadership = await leading;
    const first = await stored(store);
    expect(candidate.events).toEqual([`elected ${first.token}`]);
    expect(leadership.isCurrent).toBe(true);
  });

  it("when a request was written over a take whose reply was lost, a write of its own confirms it", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    store.fate = ({ kind, count }) => (kind === "write" && count === 1 ? "lose-reply" : "normal");
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(500);
    const request = { id: "r", verb: "transfer", by: "op" } as const;
    await rewrite(inner, (record) => ({ ...record, writer: "op", nonce: "op-1", request }));
    await world.advance(3_000);
    expect(candidate.events).toHaveLength(1);
  });

  it("when that write of its own loses its reply as well, the next look finds it, and nobody is taken for a clone", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    const lost = new Set<boolean>();
    // The take, and the first write that carries the request.
    store.fate = ({ kind, count, record }) => {
      if (kind === "read") return count > 1 ? "hang" : "normal";
      const asked = record?.request !== undefined;
      return lost.size < lost.add(asked).size ? "lose-reply" : "normal";
    };
    const warned: unknown[] = [];
    const logger = { debug() {}, info() {}, warn: (fields: object) => warned.push(fields), error() {} };
    const candidate = createCandidate(world, "a", { store, logger });
    void candidate.election.campaign();
    await world.advance(500);
    const request = { id: "r", verb: "transfer", by: "op" } as const;
    await rewrite(inner, (record) => ({ ...record, writer: "op", nonce: "op-1", request }));
    await world.advance(9_000);
    expect(warned).toEqual([]);
    expect(candidate.election.leadership?.isCurrent).toBe(true);
  });

  it("when another process writes as this candidacy, the candidate stands again under a fresh instance", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    store.fate = ({ kind, count }) => (kind === "write" && count === 1 ? "lose-reply" : "normal");
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(500);
    const original = await stored(inner);
    await rewrite(inner, (record) => ({ ...record, seq: 9, nonce: "twin" }));
    await world.advance(3_000);
    expect(candidate.events).toEqual([]);
    await world.advance(16_000);
    const now = await stored(inner);
    expect(candidate.events).toEqual([`elected ${now.token}`]);
    expect(now.instance).not.toBe(original.instance);
  });

  it("when somebody wrote a bid over the renewal of a clone, its seq still shows that it was never sent", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    store.fate = ({ kind, count }) => (kind === "write" && count === 1 ? "lose-reply" : "normal");
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(500);
    await rewrite(inner, (record) => ({ ...record, seq: 9, nonce: "twin" }));
    await rewrite(inner, (record) => ({ ...record, writer: "bidder", nonce: "bid-1" }));
    await world.advance(12_000);
    expect(candidate.events).toEqual([]);
  });

  it("when a take is given up while unanswered, what arrives late cannot create a lease", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    store.fate = ({ kind, count }) =>
      kind === "write" && count === 1 ? { executeAfterMs: 30_000 } : "normal";
    const candidate = createCandidate(world, "a", { store });
    const abort = new AbortController();
    const leading = expect(candidate.election.campaign({ signal: abort.signal })).rejects.toBe("enough");
    await world.advance(100);
    abort.abort("enough");
    await world.advance(3_000);
    await leading;
    expect((await stored(inner)).state).toBe("released");
    await world.advance(40_000);
    expect((await stored(inner)).state).toBe("released");
    expect(candidate.events).toEqual([]);
  });

  it("when tries on two versions are given up, what takes their place carries no token below the record's", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const rival = createCandidate(world, "rival", { store: inner });
    const first = await rival.election.tryCampaign({ immediate: true });
    if (first.kind !== "elected") throw new Error("nobody else is there");
    void first.leadership.resign();
    await world.advance(100);
    const store = scripted(inner, world.createClock());
    store.fate = ({ kind }) => (kind === "write" ? "hang" : "normal");
    const candidate = createCandidate(world, "a", { store });
    const abort = new AbortController();
    const leading = expect(candidate.election.campaign({ signal: abort.signal })).rejects.toBe("enough");
    await world.advance(500);
    // Somebody far ahead leads meanwhile and is done; the next try, on that version, is not answered either.
    await rewrite(inner, (record) => ({ ...record, token: record.token + 1_000_000, seq: 9, nonce: "next" }));
    await world.advance(10_000);
    const { token } = await stored(inner);
    store.fate = () => "normal";
    abort.abort("enough");
    await world.advance(5_000);
    await leading;
    const left = await stored(inner);
    expect(left.instance).toBe(store.writes.at(-1)?.instance);
    expect(left.token).toBeGreaterThan(token);
  });

  it("when an old take comes into force in a store that forgot, below a token seen since, it is given back", async () => {
    const world = createVirtualWorld();
    let inner = memoryStore();
    const through: Store = {
      ...inner,
      read: async (of, call) => inner.read(of, call),
      write: async (of, record, expected, call) => inner.write(of, record, expected, call),
      watch: () => {},
    };
    const store = scripted(through, world.createClock());
    store.fate = ({ kind, count }) =>
      kind === "write" && count === 1 ? { executeAfterMs: 5_000 } : "normal";
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(100);
    const rival = createCandidate(world, "rival", { store: through });
    rival.clock.jump("wall", 1_000_000);
    void rival.election.campaign();
    await world.advance(4_000);
    const { token } = await stored(inner);
    inner = memoryStore();
    await world.advance(40_000);
    expect(rival.events[0]).toBe(`elected ${token}`);
    const later = candidate.events.filter((event) => event.startsWith("elected"));
    expect(later).not.toEqual([]);
    for (const event of later) expect(Number(event.slice(8))).toBeGreaterThan(token);
  });

  it("when an old renewal is acknowledged after a later one went unanswered, the later one is still its own", async () => {
    const { world, store, inner, candidate, leadership } = await leader();
    const renewals: Fate[] = [{ replyAfterMs: 4_900 }, "normal", "lose-reply", { replyAfterMs: 1_500 }];
    const start = store.writes.length;
    store.fate = ({ kind }) =>
      (kind === "write" ? renewals[store.writes.length - start - 1] : undefined) ?? "normal";
    // The first is carried out, then somebody asks; so the second conflicts, and the third is sent on what was asked.
    await until(world, () => store.writes.length === start + 1, 3_000);
    const request = { id: "r", verb: "transfer", by: "somebody" } as const;
    await rewrite(inner, (record) => ({ ...record, request, writer: "somebody", nonce: "asked" }));
    // The third is carried out and not answered, and the answer to the first comes before that to the fourth.
    await until(world, () => store.writes.length === start + 4, 9_000);
    await world.advance(10_000);
    expect(leadership.isCurrent).toBe(true);
    expect(candidate.events).not.toContain("lost duplicate-identity");
  });

  it("when a late look shows a take that another has followed since, nobody is taken for a clone", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    const notices: string[] = [];
    const warn = (_: object, message: string) => notices.push(message);
    const logger = { debug() {}, info() {}, error() {}, warn };
    const clock = world.createClock();
    const pause = async (ms: number) => new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
    // The take is delivered twice and answered with the second outcome; a look at the first one is late.
    store.fate = ({ kind, count }) => (kind === "read" && count > 1 ? { replyAfterMs: 1_900 } : "normal");
    const write = store.write.bind(store);
    store.write = async (of, record, expected, call) => {
      store.write = write;
      await write(of, record, expected, call);
      await pause(1_000);
      return inner.write(of, record, expected, call);
    };
    const candidate = createCandidate(world, "a", { store, logger });
    void candidate.election.campaign();
    await world.advance(500);
    const b = { instance: "b", writer: "b", nonce: "b-1", seq: 1 };
    await rewrite(inner, (record) => ({ ...record, ...b, token: record.token + 1 }));
    await world.advance(10_000);
    expect(store.reads).toBeGreaterThan(1);
    expect(notices.filter((message) => message.includes("another process writes"))).toEqual([]);
  });

  it("when two candidates of one node stand, their instances differ and one leads", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const twins = ["x", "y"].map((seed) => createCandidate(world, seed, { store, node: "same-host" }));
    for (const twin of twins) void twin.election.campaign();
    await world.advance(60_000);
    expect(twins.flatMap(({ events }) => events)).toHaveLength(1);
    expect((await inspect(store)).node).toBe("same-host");
  });
});

async function inspect(store: ReturnType<typeof memoryStore>): Promise<LeaseRecord> {
  const current = await store.read(key, plainCall);
  if (typeof current?.body !== "object") throw new Error("no record");
  return current.body;
}
