/** What the PostgreSQL guard makes of transactions that go wrong, and of many at once. */

import { expect, it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { transactionSuite } from "../sql/transactions.js";
import { run } from "./scene.js";
import { postgresScope } from "./scope.js";
import { clients, describeStand, shareLock } from "./stand.js";

describeStand("transactions under the PostgreSQL guard", (server) => {
  transactionSuite({
    ...server,
    ends: [
      ["ROLLBACK", []],
      ["ROLLBACK; BEGIN", []],
      ["COMMIT", ["mine"]],
    ],
    sleep: "SELECT pg_sleep(30)",
    overran: { code: "57014" },
    isolations: ["read committed", "repeatable read", "serializable"],
    shareLock,
  });
});

describeWithServer("postgres", "what PostgreSQL itself says to a guarded transaction", () => {
  const { inScene } = postgresScope();

  for (const name of clients) {
    it(`when the body has caught the error of a statement, nothing is committed and it is not answered as done (${name})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(name)).claim(fence());
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "half");
          await rejection(run(tx, "SELECT 1 / 0", []));
          return "done";
        });
        expect(await rejection(write)).toMatchObject({ code: "GUARD_FAILED" });
        expect(await scene.content()).toEqual([]);
        await handle.transaction(async (tx) => scene.put(tx, "next"));
        expect(await scene.content()).toEqual(["next"]);
      });
    });

    it(`when the term has less left than timeoutMs, the server is told the lesser (${name})`, async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.client(name), { timeoutMs: 60_000 });
        const shown = async (remainingMs: number) => {
          const handle = await guard.claim({ fence: fence(), remainingMs: () => remainingMs });
          return handle.transaction(async (tx) => {
            const text = `SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')
              || ' ' || current_setting('idle_in_transaction_session_timeout') AS shown`;
            return (await run(tx, text, []))[0]?.["shown"];
          });
        };
        expect(await shown(3_500)).toBe("3500ms 3500ms 3500ms");
        expect(await shown(0)).toBe("1s 1s 1s");
        expect(await shown(600_000)).toBe("1min 1min 1min");
      });
    });
  }
});
