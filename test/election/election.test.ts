/** What users hold in their hands: campaigns, events, observers, and the end of all of them. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { LeaderView } from "../../src/election/events.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { scripted } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

function one(node = "a", options = {}) {
  const world = createVirtualWorld();
  const store = memoryStore();
  return { world, store, ...createCandidate(world, node, { store, ...options }) };
}

describe("campaigns", () => {
  it("when one is under way, another on the same object is refused, and allowed again after its end", async () => {
    const { world, election } = one();
    const leading = election.campaign();
    await expect(election.run(async () => {})).rejects.toMatchObject({ code: "CAMPAIGN_IN_PROGRESS" });
    await expect(election.tryCampaign()).rejects.toMatchObject({ code: "CAMPAIGN_IN_PROGRESS" });
    await world.advance(10);
    await (await leading).resign();
    const again = election.tryCampaign();
    await world.advance(10);
    expect((await again).kind).toBe("elected");
  });

  it("when a campaign never led and is stopped, there is no lost event and its promise settles", async () => {
    const { world, store, election } = one();
    void election.campaign();
    await world.advance(10);
    const other = createCandidate(world, "b", { store });
    const waiting = expect(other.election.campaign()).rejects.toMatchObject({ code: "ELECTION_STOPPED" });
    await world.advance(1_000);
    await other.election.stop();
    await waiting;
    await election.leadership?.resign();
    await world.advance(60_000);
    expect(other.events).toEqual([]);
  });

  it("when the signal aborts before election, campaign and runOnce reject with its reason and run resolves", async () => {
    const { world, store, election } = one();
    void election.campaign();
    await world.advance(10);
    const abort = new AbortController();
    const { signal } = abort;
    const [b, c, d] = ["b", "c", "d"].map((node) => createCandidate(world, node, { store }).election);
    const results = Promise.allSettled([
      b?.campaign({ signal }),
      c?.runOnce(async () => 1, { signal }),
      d?.run(async () => {}, { signal }),
    ]);
    await world.advance(1_000);
    abort.abort("changed my mind");
    await world.advance(1);
    expect(await results).toEqual([
      { status: "rejected", reason: "changed my mind" },
      { status: "rejected", reason: "changed my mind" },
      { status: "fulfilled", value: undefined },
    ]);
  });

  it("when runOnce's work returns after its term ended, its result still arrives; when it throws for that, LEADERSHIP_LOST", async () => {
    for (const late of ["returns", "throws"] as const) {
      const world = createVirtualWorld();
      const store = scripted(memoryStore(), world.createClock());
      const { election } = createCandidate(world, "a", { store });
      const once = election.runOnce(async (leadership) => {
        await leadership.ended;
        if (late === "throws") leadership.check();
        return "result";
      });
      const settled = Promise.allSettled([once]);
      await world.advance(10);
      store.fate = () => "hang";
      await world.advance(30_000);
      const [outcome] = await settled;
      expect(outcome).toMatchObject(
        late === "returns"
          ? { status: "fulfilled", value: "result" }
          : { status: "rejected", reason: { code: "LEADERSHIP_LOST" } },
      );
    }
  });

  it("when work reports failures of its own and of its loss, only its own are failures", async () => {
    const world = createVirtualWorld();
    const store = scripted(memoryStore(), world.createClock());
    const { election, events } = createCandidate(world, "a", { store });
    const failures = [
      () => Promise.reject(new DOMException("sleep", "AbortError")),
      () => Promise.reject(new Error("mine")),
    ];
    void election.run(async (leadership) => {
      const failure = failures.shift();
      await leadership.ended;
      await failure?.();
    });
    for (let round = 0; round < 2; round += 1) {
      await until(world, () => election.leadership !== undefined, 60_000);
      store.fate = () => "hang";
      await world.advance(11_000);
      store.fate = () => "normal";
    }
    await world.advance(30_000);
    expect(events.filter((event) => event === "workFailed")).toHaveLength(1);
  });

  it("when used with await using, leaving the block resigns", async () => {
    const { world, election, events } = one();
    const leading = election.campaign();
    await world.advance(10);
    await (async () => {
      await using leadership = await leading;
      leadership.check();
    })();
    expect(events.slice(1)).toEqual(["lost resigned", "released released"]);
  });

  it("when names are equal and namespaces are not, they are two elections", async () => {
    const { world, store, election } = one();
    void election.campaign();
    const other = createCandidate(world, "b", { store, namespace: "tenant-2" });
    void other.election.campaign();
    await world.advance(10);
    expect(election.leadership?.fence).toMatchObject({ namespace: "default", lineage: "default/lease" });
    expect(other.election.leadership?.fence).toMatchObject({
      namespace: "tenant-2",
      lineage: "tenant-2/lease",
    });
  });

  it("when two processes elect through one store, a released lease is taken within 200 ms", async () => {
    const { world, store, election } = one();
    const leading = election.campaign();
    await world.advance(10);
    const next = createCandidate(world, "b", { store });
    void next.election.campaign();
    await world.advance(7_000);
    await (await leading).resign();
    await world.advance(200);
    expect(next.events).toHaveLength(1);
  });
});

describe("events", () => {
  it("when listeners throw, reject or never settle, the term and the other listeners are unaffected", async () => {
    const errors: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (_: object, message: string) => errors.push(message),
    };
    const { world, election, events } = one("a", { logger });
    election.on("elected", () => {
      throw new Error("bad listener");
    });
    election.on("elected", () => Promise.reject(new Error("bad promise")));
    election.on("elected", () => new Promise(() => {}));
    const leading = election.campaign();
    await world.advance(20_000);
    expect((await leading).isCurrent).toBe(true);
    expect(events).toHaveLength(1);
    expect(errors).toHaveLength(2);
  });

  it("when history, logger or eligible fail, leadership does not", async () => {
    const { world, election } = one("a", {
      history: () => {
        throw new Error("disk full");
      },
      eligible: (() => {
        let calls = 0;
        return () => {
          calls += 1;
          if (calls === 1) throw new Error("not yet");
          return true;
        };
      })(),
    });
    const leading = election.campaign();
    await world.advance(5_000);
    expect((await leading).isCurrent).toBe(true);
  });

  it("when a term passes, history has its lines before its deadline counts, and in order", async () => {
    const { world, election, history } = one();
    const leading = election.campaign();
    await world.advance(6_000);
    await (await leading).resign();
    const lines = history.map(
      (line) => JSON.parse(line) as { event: string; v: number; until?: string; at: string },
    );
    expect(lines.map(({ event }) => event)).toEqual(["elected", "extended", "extended", "lost", "released"]);
    for (const line of lines) expect(line.v).toBe(1);
    const beliefs = lines.filter(({ until: end }) => end !== undefined);
    expect(beliefs.every(({ until: end, at }) => Number(end) > Number(at))).toBe(true);
  });
});

describe("observers", () => {
  it("when leaders come and go, views follow, newest wins, and current answers at any time", async () => {
    const { world, store, election } = one("a", { metadata: { url: "http://a" } });
    const watching = createCandidate(world, "w", { store }).election;
    const observer = watching.observe();
    expect(observer.current).toEqual({ kind: "unknown", sinceMs: 0 });
    await world.advance(100);
    expect(observer.current).toEqual({ kind: "vacant" });
    const leading = election.campaign();
    await world.advance(5_000);
    expect(observer.current).toMatchObject({
      kind: "held",
      node: "a",
      metadata: { url: "http://a" },
      self: false,
    });
    const views: LeaderView[] = [];
    const reading = (async () => {
      for await (const view of observer) views.push(view);
    })();
    await world.advance(10);
    await (await leading).resign();
    await world.advance(500);
    expect(observer.current).toEqual({ kind: "vacant" });
    await watching.stop();
    await reading;
    expect(views.map(({ kind }) => kind)).toEqual(["held", "vacant"]);
  });

  it("when the holder dies, the view turns unknown after its ttl and tells for how long", async () => {
    const { world, store, election, clock } = one();
    void election.campaign();
    await world.advance(10);
    const observer = createCandidate(world, "w", { store }).election.observe();
    await world.advance(10_000);
    clock.freeze();
    await world.advance(15_000 + 2_600);
    expect(observer.current.kind).toBe("unknown");
    const before = observer.current;
    await world.advance(1_000);
    const after = observer.current;
    if (before.kind !== "unknown" || after.kind !== "unknown") throw new Error("not unknown");
    expect(after.sinceMs - before.sinceMs).toBeCloseTo(1_000);
  });

  it("when a for-await loop is left, the observer ends; when its signal aborts, too", async () => {
    const { world, election } = one();
    const observer = election.observe();
    await world.advance(10);
    for await (const view of observer) if (view.kind === "vacant") break;
    const abort = new AbortController();
    const other = election.observe({ signal: abort.signal });
    const reading = (async () => {
      for await (const _ of other);
    })();
    await world.advance(10);
    abort.abort();
    await reading;
    expect(election.status.state).toBe("idle");
  });
});

describe("stop", () => {
  it("when called twice, or on an idle election, it resolves and nothing can be started any more", async () => {
    const { election } = one();
    await Promise.all([election.stop(), election.stop()]);
    await expect(election.campaign()).rejects.toMatchObject({ code: "ELECTION_STOPPED" });
    expect(() => election.observe()).toThrow(expect.objectContaining({ code: "ELECTION_STOPPED" }));
    await expect(election.transfer()).rejects.toMatchObject({ code: "ELECTION_STOPPED" });
    expect(election.status.state).toBe("stopped");
  });

  it("when a leader from campaign() is stopped, its lease is kept until it resigns, at most drainMs", async () => {
    const { world, election, events } = one();
    const leading = election.campaign();
    await world.advance(10);
    const leadership = await leading;
    const stopping = election.stop({ drainMs: 5_000 });
    expect(leadership.isCurrent).toBe(false);
    await world.advance(1_000);
    await leadership.resign();
    await stopping;
    expect(events.slice(1)).toEqual(["lost stopped", "released released"]);
  });

  it("when stopped, not one timer is left and no listener stays on the caller's signal", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const candidate = createCandidate(world, "a", { store });
    let timers = 0;
    const setTimer = candidate.clock.setTimer.bind(candidate.clock);
    candidate.clock.setTimer = (delayMs, callback) => {
      timers += 1;
      let open = true;
      const done = () => {
        if (open) timers -= 1;
        open = false;
      };
      const timer = setTimer(delayMs, () => {
        done();
        callback();
      });
      return {
        cancel() {
          done();
          timer.cancel();
        },
      };
    };
    const abort = new AbortController();
    const listeners = new Set<unknown>();
    const { signal } = abort;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    for (let round = 0; round < 3; round += 1) {
      const once = candidate.election.runOnce(async (leadership) => leadership.ensure(9_000, { signal }), {
        signal,
      });
      await world.advance(3_000);
      await once;
    }
    const stopping = candidate.election.stop();
    await world.advance(10);
    await stopping;
    expect(timers).toBe(0);
    expect(listeners.size).toBe(0);
  });
});
