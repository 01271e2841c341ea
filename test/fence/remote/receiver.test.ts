/** Messages of leaders elsewhere, decided by the guard of a service: the same on every one that has transactions. */

import { describe, expect, it } from "vitest";
import type { Fence } from "../../../src/fence/fence.js";
import { memoryGuard } from "../../../src/fence/memory/index.js";
import { createReceiver, type Receiver } from "../../../src/fence/remote/receiver.js";
import type { SentWrite } from "../../../src/fence/remote/sent.js";
import { describeWithServer } from "../../servers/with-server.js";
import { rejection } from "../claims.js";
import { postgresScope } from "../postgres/scope.js";
import { fence } from "../scene.js";
import { SqliteScene } from "../sqlite/scene.js";

/** A service with a ledger. */
interface Service<T> {
  /** As it holds its guard after it was started anew. */
  receiver(): Receiver<T>;
  /** Some have done it when they return. */
  put(client: T, value: string): void | Promise<void>;
  content(): Promise<readonly string[]>;
}

/** The body of a write that puts `value`, and then does what a handler does. */
function putting<T, R>({ put }: Service<T>, value: string, then: () => R): (client: T) => R | Promise<R> {
  return (client) => {
    const done = put(client, value);
    return done instanceof Promise ? done.then(then) : then();
  };
}

const nothing = () => {};

type WithService = (work: <T>(service: Service<T>) => Promise<void>) => Promise<void>;

const next = fence({ token: 8, owner: "b" });

function claim(by: Fence = fence()) {
  return { kind: "claim", resource: "ledger", fence: by } as const;
}

function write(seq: number, change: Partial<SentWrite> = {}): SentWrite {
  return { kind: "write", resource: "ledger", fence: fence(), seq, opId: `op-${seq}`, ...change };
}

function declareClaims(inService: WithService): void {
  it("a claim is granted, names the numbers and the highest one, and comes twice without effect", async () => {
    await inService(async (service) => {
      const { receiver } = service;
      const first = await receiver().claim(claim());
      if (first.kind === "refused") throw new Error(first.refusal.code);
      expect(first.numbering).toMatch(/^\w+\/./);
      expect(first.seq).toBe(0);
      await receiver().write(write(1), putting(service, "1", nothing));
      await receiver().write(write(3), putting(service, "3", nothing));
      expect(await receiver().claim(claim())).toEqual({ ...first, seq: 3 });
    });
  });

  it("after a successor's claim writes, reads and claims below it are refused, also by a service that was started anew", async () => {
    await inService(async (service) => {
      const { receiver, content } = service;
      await receiver().claim(claim());
      await receiver().claim(claim(next));
      const stale = { kind: "refused", refusal: { code: "STALE", watermark: 8, owner: "b" } };
      expect(await receiver().write(write(1), putting(service, "late", nothing))).toEqual(stale);
      expect(await receiver().read({ kind: "read", resource: "ledger", fence: fence() }, () => 1)).toEqual(
        stale,
      );
      expect(await receiver().claim(claim())).toEqual(stale);
      const twin = fence({ token: 8, owner: "c" });
      const conflict = { kind: "refused", refusal: { code: "CONFLICT", watermark: 8, owner: "b" } };
      expect(await receiver().claim(claim(twin))).toEqual(conflict);
      expect(await receiver().write(write(1, { fence: twin }), () => {})).toEqual(conflict);
      const foreign = { kind: "refused", refusal: { code: "FOREIGN_LINEAGE", lineage: "default/lease" } };
      expect(await receiver().claim(claim(fence({ token: 9, lineage: "default/raft" })))).toEqual(foreign);
      expect(await receiver().read({ kind: "read", resource: "ledger", fence: next }, () => "seen")).toEqual({
        kind: "read",
        result: "seen",
      });
      expect(await content()).toEqual([]);
    });
  });
}

function declareWrites(inService: WithService): void {
  it("a write is applied once, and answered with its result when it comes again, whoever holds the guard by then", async () => {
    await inService(async (service) => {
      const { receiver, content } = service;
      await receiver().claim(claim());
      const send = async (sent: SentWrite, value: string) =>
        receiver().write(
          sent,
          putting(service, value, () => ({ value })),
        );
      expect(await send(write(1), "one")).toEqual({ kind: "applied", result: { value: "one" } });
      const known = { opId: "op-1", returned: true, result: JSON.stringify({ value: "one" }) };
      expect(await send(write(1), "again")).toEqual({ kind: "duplicate", bySeq: true, known });
      expect(await send(write(2, { opId: "op-1" }), "again")).toEqual({
        kind: "duplicate",
        bySeq: false,
        known,
      });
      const reused = { kind: "refused", refusal: { code: "SEQUENCE_REUSED" } };
      expect(await send(write(1, { opId: "another" }), "other")).toEqual(reused);
      expect(await content()).toEqual(["one"]);
    });
  });

  it("a write claims nothing by the way: above the watermark, and before the first claim, it is CLAIM_MISSING", async () => {
    await inService(async (service) => {
      const { receiver, content } = service;
      const send = async (by: Fence) =>
        receiver().write(write(1, { fence: by }), putting(service, String(by.token), nothing));
      const missing = { kind: "refused", refusal: { code: "CLAIM_MISSING" } };
      await receiver().claim(claim(fence({ election: "another" })));
      expect(await send(fence())).toEqual(missing);
      await receiver().claim(claim());
      expect(await send(next)).toEqual(missing);
      expect((await send(fence())).kind).toBe("applied");
      expect(await content()).toEqual(["7"]);
    });
  });
}

function declareFailures(inService: WithService): void {
  it("what a body throws comes as it is, nothing of it is applied, and its number is free", async () => {
    await inService(async (service) => {
      const { receiver, content } = service;
      await receiver().claim(claim());
      const thrown = new Error("no");
      const fail = () => {
        throw thrown;
      };
      const failing = receiver().write(write(1), putting(service, "half", fail));
      expect(await rejection(failing)).toBe(thrown);
      expect((await receiver().write(write(1), putting(service, "whole", nothing))).kind).toBe("applied");
      const reading = receiver().read({ kind: "read", resource: "ledger", fence: fence() }, fail);
      expect(await rejection(reading)).toBe(thrown);
      expect(await content()).toEqual(["whole"]);
    });
  });

  it("a message to another resource, or with a bad number, touches nothing", async () => {
    await inService(async (service) => {
      const { receiver, content } = service;
      await receiver().claim(claim());
      for (const bad of [
        write(1, { resource: "another" }),
        write(0),
        write(1.5),
        write(1, { opId: "" }),
        write(1, { fence: fence({ token: 0 }) }),
      ]) {
        const sent = receiver().write(bad, putting(service, "bad", nothing));
        expect(await rejection(sent)).toMatchObject({ code: "INVALID_OPTION" });
      }
      expect(await rejection(receiver().claim({ ...claim(), resource: "another" }))).toMatchObject({
        code: "INVALID_OPTION",
      });
      expect(await content()).toEqual([]);
    });
  });

  it("a write whose signal was aborted before does not begin", async () => {
    await inService(async (service) => {
      const { receiver, content } = service;
      await receiver().claim(claim());
      const reason = new Error("no longer wanted");
      const signal = AbortSignal.abort(reason);
      const sent = receiver().write(write(1), putting(service, "1", nothing), { signal });
      expect(await rejection(sent)).toBe(reason);
      expect(await content()).toEqual([]);
    });
  });
}

function declare(inService: WithService): void {
  declareClaims(inService);
  declareWrites(inService);
  declareFailures(inService);
}

describe("a receiver on a value in memory", () => {
  declare(async (work) => {
    const guard = memoryGuard<readonly string[]>({ resource: "ledger", initial: [] });
    await work({
      receiver: () => createReceiver(guard),
      put(tx, value) {
        tx.value = [...tx.value, value];
      },
      content: async () => (await guard.inspect()).value,
    });
  });

  it("is refused where the guard decides no messages", () => {
    for (const guard of [undefined, {}, { claim() {} }])
      expect(() => createReceiver(guard as never)).toThrowError(
        /guard must be a guard that decides messages/,
      );
  });
});

describeWithServer(["node22"], "a receiver on a file of SQLite", () => {
  declare(async (work) => {
    const scene = new SqliteScene();
    try {
      await work({
        receiver: () => createReceiver(scene.guard(scene.admin)),
        put: (tx, value) => scene.put(tx, value),
        content: async () => scene.content(),
      });
    } finally {
      await scene.close();
    }
  });
});

describeWithServer("postgres", "a receiver on PostgreSQL", () => {
  const { inScene } = postgresScope();
  declare(async (work) =>
    inScene(async (scene) => {
      const pool = scene.pool();
      await work({
        receiver: () => createReceiver(scene.guard(pool)),
        put: async (tx, value) => scene.put(tx, value),
        content: async () => scene.content(),
      });
    }),
  );
});
