/** Claims that wait: who is named, who is ended, and who is not; and that a claim is on disk. */

import { expect, it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { blockedSuite } from "../sql/blocked.js";
import { postgresScope } from "./scope.js";
import { describeStand, shareLock } from "./stand.js";

describeStand("a claim that waits for the PostgreSQL guard's lock", (server) => {
  blockedSuite({
    ...server,
    shareLock,
    byHand: {
      text: ({ tables }) => `SET LOCAL lock_timeout = 100; UPDATE ${tables.fence} SET watermark = 8`,
      refused: { code: "55P03" },
    },
  });
});

describeWithServer("postgres", "a claim of the PostgreSQL guard", () => {
  const { inScene } = postgresScope();

  it("when commits of the database do not wait for the disk, a claim's does", async () => {
    await inScene(async (scene) => {
      const pool = scene.pool({ options: "-c synchronous_commit=off" });
      await scene.guard(pool).claim(fence());
      const share = await scene.durableShare(20, async (n) =>
        scene.guard(pool).claim(fence({ token: 100 + n })),
      );
      expect(share).toBeGreaterThan(0.75);
    });
  });
});
