/** Claims that wait for a database server: who is named, who is ended, and who is not. One suite. */

import { expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { holding, type Server, type Stand, type StandOptions } from "./stand.js";

export interface Blocking<T> extends Server<T> {
  /** What a stranger can hold that a claim must wait for. */
  shareLock(stand: Stand<T>): string;
  /** A claim by hand that waits a moment for the lock, beside writes with `options`, and how it fails then. */
  readonly byHand: {
    readonly options?: StandOptions;
    text(stand: Stand<T>): string;
    readonly refused: object;
  };
}

const successor = fence({ token: 8, owner: "b" });

/** Declares the suite inside of a `describe`. */
export function blockedSuite<T>(blocking: Blocking<T>): void {
  named(blocking);
  ended(blocking);
}

function named<T>({ inStand, shareLock, byHand }: Blocking<T>): void {
  it("when a predecessor's transaction holds it, the error names session, token and since when", async () => {
    await inStand(async (stand) => {
      const { session, end } = await holding(stand);
      const waiting = stand.guard({ claimLockTimeoutMs: 100 });
      const error = await rejection(waiting.claim(successor));
      if (!TenureError.is(error, "CLAIM_BLOCKED")) throw error;
      expect(error).toMatchObject({ outcome: "definite", retry: "later" });
      expect(error.blockers).toMatchObject([{ session, token: 7 }]);
      const ageMs = Date.now() - Date.parse(error.blockers[0]?.since ?? "");
      expect(ageMs).toBeGreaterThanOrEqual(100);
      expect(ageMs).toBeLessThan(30_000);
      expect(String(error)).toContain(`session ${session} under token 7 since `);
      expect(await end()).toBe("committed");
      await waiting.claim(successor);
    });
  });

  it("when somebody who takes no part holds it, nobody is named and nobody is ended", async () => {
    await inStand(async (stand) => {
      const writer = await stand.guard().claim(fence());
      // Its session is over, whatever stands of it.
      await writer.transaction(async (tx) => stand.put(tx, "done"));
      const stranger = await stand.open(shareLock(stand));
      const guard = stand.guard({ claimLockTimeoutMs: 100, evictStale: true });
      expect(await rejection(guard.claim(successor))).toMatchObject({ code: "CLAIM_BLOCKED", blockers: [] });
      await stranger.commit();
      await guard.claim(successor);
    });
  });

  it("when somebody who takes no part claims by hand, the claim waits for the write", async () => {
    await inStand(async (stand) => {
      const { end } = await holding(stand, byHand.options);
      expect(await rejection(stand.open(byHand.text(stand)))).toMatchObject(byHand.refused);
      expect(await end()).toBe("committed");
      await (await stand.open(byHand.text(stand))).commit();
    });
  });
}

function ended<T>({ inStand }: Blocking<T>): void {
  it("when stale sessions are ended, those of other elections, resources and higher tokens go on", async () => {
    await inStand(async (stand) => {
      const others = [
        await holding(stand, {}, { fence: fence({ election: "reports", token: 3 }) }),
        await holding(stand, {}, { fence: fence({ namespace: "other", token: 3 }) }),
        await holding(stand, { resource: "other" }, { fence: fence({ token: 3 }) }),
      ];
      const stale = await holding(stand);
      const handle = await stand.guard({ claimLockTimeoutMs: 100, evictStale: true }).claim(successor);
      expect(await stale.end()).toBe("failed");
      for (const other of others) expect(await other.end()).toBe("committed");
      // Its own transactions, and those of whoever is above it, are no predecessor's.
      const higher = await holding(stand, {}, { fence: fence({ token: 9, owner: "c" }) });
      const late = await rejection(handle.transaction(async () => {}));
      expect(late).toMatchObject({ code: "STALE" });
      expect(await higher.end()).toBe("committed");
    });
  });

  it("when the claim is refused, or repeated, it waits for nobody", async () => {
    await inStand(async (stand) => {
      const { end } = await holding(stand);
      const guard = stand.guard({ claimLockTimeoutMs: 100 });
      expect(await rejection(guard.claim(fence({ token: 6 })))).toMatchObject({ code: "STALE" });
      expect(await rejection(guard.claim(fence({ owner: "twin" })))).toMatchObject({ code: "CONFLICT" });
      await guard.claim(fence());
      expect(await end()).toBe("committed");
    });
  });
}
