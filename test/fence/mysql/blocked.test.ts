/** Claims that wait: who is named, who is ended, and who is not. */

import { blockedSuite } from "../sql/blocked.js";
import { describeStand, shareLock } from "./stand.js";

describeStand("a claim that waits for the MySQL guard's lock", (server) => {
  blockedSuite({
    ...server,
    shareLock,
    byHand: {
      // At "repeatable read" taking a number locks the row as well.
      options: { isolation: "read committed" },
      text: ({ tables }) => `SET innodb_lock_wait_timeout = 1; UPDATE ${tables.fence} SET watermark = 8`,
      refused: { errno: 1205 },
    },
  });
});
