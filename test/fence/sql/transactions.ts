/** What a guard on a database server makes of transactions that go wrong, and of many at once: one suite. */

import { expect, it } from "vitest";
import type { Isolation } from "../../../src/fence/sql/dialect.js";
import type { SqlHandle } from "../../../src/fence/sql/guard.js";
import { claimUntil, rejection } from "../claims.js";
import { fence } from "../scene.js";
import type { Server, Stand } from "./stand.js";

export interface Transacting<T> extends Server<T> {
  /** Ways for a body to end its transaction, and what of it stands then. */
  readonly ends: readonly (readonly [statement: string, kept: readonly string[]])[];
  /** Runs for much longer than any limit here, and what its client says when it is ended. */
  readonly sleep: string;
  readonly overran: object;
  readonly isolations: readonly Isolation[];
  /** What a stranger can hold that a claim must wait for, and a write need not. */
  shareLock(stand: Stand<T>): string;
}

/** Declares the suite inside of a `describe`. */
export function transactionSuite<T>(transacting: Transacting<T>): void {
  for (const client of transacting.clients) {
    endings(transacting, client);
    crowds(transacting, client);
    resent(transacting, client);
    overtaken(transacting, client);
  }
}

/** A term with half a second for each transaction. */
async function inTerm<T>(
  { inStand }: Server<T>,
  client: string,
  work: (stand: Stand<T>, handle: SqlHandle<T>) => Promise<void>,
): Promise<void> {
  await inStand(async (stand) => work(stand, await stand.guard({ timeoutMs: 500 }, client).claim(fence())));
}

/** Resolves when the session is over; its client may not have heard of it. */
async function gone<T>(stand: Stand<T>, session: number): Promise<void> {
  while (await stand.isOpen(session));
}

function endings<T>(transacting: Transacting<T>, client: string): void {
  it(`when the body ends the transaction by itself, the write is not answered as applied (${client})`, async () => {
    await inTerm(transacting, client, async (stand, handle) => {
      for (const [end, kept] of transacting.ends) {
        const write = handle.transaction(async (tx) => {
          await stand.put(tx, "mine");
          await stand.run(tx, end);
        });
        expect(await rejection(write), end).toMatchObject({ code: "GUARD_FAILED" });
        expect(await stand.content(), end).toEqual(kept);
      }
    });
  });

  it(`when the body does nothing for longer than timeoutMs, its session is ended and nothing is applied (${client})`, async () => {
    await inTerm(transacting, client, async (stand, handle) => {
      const write = handle.transaction(async (tx) => {
        const session = await stand.session(tx);
        await stand.put(tx, "slow");
        await gone(stand, session);
        // On a session that is over: refused, and on no other session either.
        await stand.put(tx, "late");
      });
      await rejection(write);
      expect(await stand.content()).toEqual([]);
      await handle.transaction(async (tx) => stand.put(tx, "next"));
      expect(await stand.content()).toEqual(["next"]);
    });
  });

  it(`when one statement runs for longer than timeoutMs, it is ended and nothing is applied (${client})`, async () => {
    await inTerm(transacting, client, async (stand, handle) => {
      const write = handle.transaction(async (tx) => {
        await stand.put(tx, "slow");
        await stand.run(tx, transacting.sleep);
        await stand.put(tx, "late");
      });
      expect(await rejection(write)).toMatchObject(transacting.overran);
      expect(await stand.content()).toEqual([]);
    });
  });

  it(`when the session is killed under the body, the attempt is not applied and can be written again (${client})`, async () => {
    await inTerm(transacting, client, async (stand, handle) => {
      const write = handle.transaction(
        async (tx) => {
          await stand.put(tx, "killed");
          await stand.kill(await stand.session(tx));
          await stand.put(tx, "late");
        },
        { opId: "one" },
      );
      await rejection(write);
      await handle.transaction(async (tx) => stand.put(tx, "again"), { opId: "one" });
      expect(await stand.content()).toEqual(["again"]);
    });
  });
}

function crowds<T>({ inStand }: Transacting<T>, client: string): void {
  it(`when 16 writers of one term write at once, they share the lock and none waits for another's end (${client})`, async () => {
    await inStand(async (stand) => {
      const handle = await stand.guard({}, client).claim(fence());
      let inside = 0;
      let allInside = () => {};
      const together = new Promise<void>((resolve) => (allInside = resolve));
      const writes = Array.from({ length: 16 }, async (_, index) =>
        handle.transaction(async (tx) => {
          await stand.put(tx, String(index));
          inside += 1;
          if (inside === 16) allInside();
          await together;
        }),
      );
      await Promise.all(writes);
      expect(await stand.content()).toHaveLength(16);
    });
  });

  it(`when writers never pause, a claim is not passed by later ones (${client})`, async () => {
    await inStand(async (stand) => {
      const handle = await stand.guard({}, client).claim(fence());
      let applied = 0;
      let underWay = () => {};
      const steady = new Promise<void>((resolve) => (underWay = resolve));
      const writers = Array.from({ length: 16 }, async () => {
        for (;;) {
          await handle.transaction(async (tx) => stand.put(tx, "old"));
          applied += 1;
          if (applied === 50) underWay();
        }
      });
      const refusals = Promise.all(writers.map(rejection));
      await steady;
      const successor = await stand.guard().claim(fence({ token: 8, owner: "b" }));
      const before = await stand.content();
      await successor.transaction(async (tx) => stand.put(tx, "new"));
      for (const error of await refusals) expect(error).toMatchObject({ code: "STALE", watermark: 8 });
      expect(await stand.content()).toEqual([...before, "new"]);
    });
  });
}

/** Writes of one operation whose body stands still until they may go on, and which counts how often it is called. */
class Standstill<T> {
  bodies = 0;
  goOn = (): void => {};
  readonly #stand: Stand<T>;
  readonly #held = new Promise<void>((resolve) => (this.goOn = resolve));

  constructor(stand: Stand<T>) {
    this.#stand = stand;
  }

  async send(handle: SqlHandle<T>, opId: string, inside: () => void = () => {}): Promise<string> {
    return handle.transaction(
      async (tx) => {
        this.bodies += 1;
        await this.#stand.put(tx, "once");
        inside();
        await this.#held;
        return "done";
      },
      { opId },
    );
  }

  /** The first send stands in its body, and a second one waits for it; then both go on, and are answered alike. */
  async expectOnce(first: SqlHandle<T>, second: SqlHandle<T>, opId: string): Promise<void> {
    let one: Promise<string> = Promise.resolve("");
    await new Promise<void>((inside) => {
      one = this.send(first, opId, inside);
    });
    const again = this.send(second, opId);
    await this.#stand.waiting(1);
    this.goOn();
    expect([await one, await again, this.bodies]).toEqual(["done", "done", 1]);
    expect(await this.#stand.content()).toEqual(["once"]);
  }
}

function resent<T>({ inStand }: Transacting<T>, client: string): void {
  it(`when an attempt is sent again while its first send is under way, it waits for it and is answered (${client})`, async () => {
    await inStand(async (stand) => {
      const guard = stand.guard({}, client);
      // Bare fences: both handles number the write by themselves, and both as number 1.
      const [first, second] = [await guard.claim(fence()), await guard.claim(fence())];
      await new Standstill(stand).expectOnce(first, second, "one");
    });
  });

  it(`when an operation comes again under another number while its first send is under way, it waits for it and is answered (${client})`, async () => {
    await inStand(async (stand) => {
      const handle = await stand.guard({}, client).claim(fence());
      // As a fresh name of number 1: the second send is number 2.
      await new Standstill(stand).expectOnce(handle, handle, "1.one");
    });
  });
}

function overtaken<T>({ inStand, isolations, shareLock }: Transacting<T>, client: string): void {
  it.each(isolations)(
    `when a claim comes between the lock's request and its grant, the write is STALE under %s (${client})`,
    async (isolation) => {
      await inStand(async (stand) => {
        const old = await stand.guard({ isolation }, client).claim(fence());
        // The successor's claim stands on a lock that somebody else holds; the write queues behind it.
        const stranger = await stand.open(shareLock(stand));
        const claiming = claimUntil(stand.guard(), fence({ token: 8, owner: "b" }));
        await stand.waiting(1);
        const write = rejection(old.transaction(async (tx) => stand.put(tx, "stale")));
        await stand.waiting(2);
        await stranger.commit();
        await claiming;
        expect(await write).toMatchObject({ code: "STALE", watermark: 8 });
        expect(await stand.content()).toEqual([]);
      });
    },
  );
}
