/** The check of the MySQL guard as one statement, in transactions that somebody else opens. */

import { expect, it } from "vitest";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { failed, statementSuite } from "../sql/statement.js";
import { describeStand } from "./stand.js";

/** Owners, and what an error has room for of them. */
const long: readonly (readonly [string, string])[] = [
  ["o".repeat(45), "o".repeat(45)],
  ["o".repeat(46), `${"o".repeat(45)}…`],
  ["\n".repeat(30), "\n".repeat(30)],
  ["\u{1f5dd}".repeat(50), `${"\u{1f5dd}".repeat(7)}…`],
  ["\\".repeat(200), `${"\\".repeat(15)}…`],
];

describeStand("the statement of the MySQL guard", (server) => {
  const ending = { endOfFailed: "ROLLBACK" } as const;
  statementSuite({
    ...server,
    ...ending,
    refusedBy8: /TENURE_REFUSED: 8 by b/,
    quoting: (words) => ({ text: "SELECT IS_FREE_LOCK(RPAD(?, 250, ' '))", values: [words] }),
  });

  it("when a claim waits for it, the claim says that it cannot tell whom it waits for", async () => {
    await server.inStand(async (stand) => {
      const handle = await stand.guard().claim(fence());
      const { tx, send, end } = await stand.byHand();
      await send(handle.statement().inline);
      await stand.put(tx, "orm");
      const successor = fence({ token: 8, owner: "b" });
      const guard = stand.guard({ claimLockTimeoutMs: 100, evictStale: true });
      expect(await rejection(guard.claim(successor))).toMatchObject({ code: "CLAIM_BLOCKED", blockers: [] });
      await end("COMMIT");
      await guard.claim(successor);
      expect(await stand.content()).toEqual(["orm"]);
    });
  });

  it("when an error is too short for whom it is about, the name is cut, and all else is said", async () => {
    await server.inStand(async (stand) => {
      const guard = stand.guard();
      const refusalOf = async (handle: Awaited<ReturnType<typeof guard.claim>>) =>
        handle.refusalOf(await failed(ending, stand, async ({ send }) => send(handle.statement().inline)));
      for (const [index, [name, said]] of long.entries()) {
        const handle = await guard.claim(fence({ election: `election-${index}` }));
        await guard.claim(fence({ election: `election-${index}`, token: 2 ** 52, owner: name }));
        expect(await refusalOf(handle)).toMatchObject({ code: "STALE", watermark: 2 ** 52, owner: said });
        const election = `foreign-${index}`;
        const foreign = await guard.claim(fence({ election }));
        const from = { lineage: "default/lease", watermark: 7 };
        await guard.operator.adopt({ election, from, lineage: name, by: "kim", reason: "a test" });
        expect(await refusalOf(foreign)).toMatchObject({ code: "FOREIGN_LINEAGE", lineage: said });
      }
    });
  });
});
