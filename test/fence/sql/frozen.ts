/**
 * Leaders that are stopped inside a transaction: the server ends it, and the successor goes on. One suite.
 *
 * Real processes on a real server; needs the build. What is done to a process hangs on what it has told.
 */

import { expect, it } from "vitest";
import { claimUntil } from "../claims.js";
import { fence } from "../scene.js";
import type { Server } from "./stand.js";

const successor = fence({ token: 8, owner: "b" });

/** Declares the suite inside of a `describe`. */
export function frozenSuite<T>({ clients, inStand }: Server<T>): void {
  it.each(clients)(
    "when its term is over, the successor's claim goes through, and nothing of it is committed when it wakes up (%s)",
    async (client) => {
      await inStand(async (stand) => {
        // The tables are an operator's here.
        await stand.guard().claim(fence({ token: 1 }));
        const remainingMs = 1_500;
        const { child, goOn } = await stand.leader(client, 7, remainingMs);
        const stoppedAt = performance.now();
        child.process.kill("SIGSTOP");
        const { handle, blocked } = await claimUntil(stand.guard({ claimLockTimeoutMs: 300 }), successor);
        await handle.transaction(async (tx) => stand.put(tx, "successor"));
        const tookMs = performance.now() - stoppedAt;
        expect(blocked.length).toBeGreaterThan(0);
        expect(blocked[0]?.blockers).toMatchObject([{ token: 7 }]);
        expect(tookMs).toBeLessThan(remainingMs + 2_000);
        expect((await goOn()).kind).toBe("refused");
        expect(await stand.content()).toEqual(["successor"]);
      });
    },
  );

  it.each(clients)(
    "when stale sessions may be ended, the successor does not wait for the term (%s)",
    async (client) => {
      await inStand(async (stand) => {
        await stand.guard().claim(fence({ token: 1 }));
        const { child, goOn } = await stand.leader(client, 7, 600_000);
        child.process.kill("SIGSTOP");
        const handle = await stand.guard({ claimLockTimeoutMs: 200, evictStale: true }).claim(successor);
        await handle.transaction(async (tx) => stand.put(tx, "successor"));
        expect((await goOn()).kind).toBe("refused");
        expect(await stand.content()).toEqual(["successor"]);
      });
    },
  );
}
