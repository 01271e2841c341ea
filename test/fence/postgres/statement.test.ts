/** The check of the PostgreSQL guard as one statement, in transactions that somebody else opens. */

import { expect, it } from "vitest";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { statementSuite } from "../sql/statement.js";
import { describeStand } from "./stand.js";

describeStand("the statement of the PostgreSQL guard", (server) => {
  statementSuite({
    ...server,
    endOfFailed: "COMMIT",
    refusedBy8: /TENURE_REFUSED: claimed as .*"watermark":8,"owner":"b".*?\}/,
    quoting: (words) => ({ text: "SELECT CAST($1 AS text)::integer", values: [words] }),
  });

  it("when a claim waits for it, the claim names its token and can end its session", async () => {
    await server.inStand(async (stand) => {
      const handle = await stand.guard().claim(fence());
      const { tx, send, end } = await stand.byHand();
      await send(handle.statement().inline);
      await stand.put(tx, "orm");
      const successor = fence({ token: 8, owner: "b" });
      const patient = stand.guard({ claimLockTimeoutMs: 100 });
      expect(await rejection(patient.claim(successor))).toMatchObject({ blockers: [{ token: 7 }] });
      await stand.guard({ claimLockTimeoutMs: 100, evictStale: true }).claim(successor);
      await end("COMMIT");
      expect(await stand.content()).toEqual([]);
    });
  });
});
