/**
 * A holder as its own process: `frozen-child.mjs PACKAGE PORT TTL_MS COMMAND_TIMEOUT_MS`, where the last may be `none`.
 *
 * Takes the lease, and stamps the instant at which it is told that it holds no more, on the clock that all processes
 * share. What ends a process that does not listen for it, an unhandled rejection, counts as being told as well.
 */

import process from "node:process";
import { contenders } from "./contenders/all.mjs";

/**
 * @typedef {{ readonly said: "held" }
 *   | { readonly said: "told", readonly at: string, readonly confirmedAt: string, readonly how: string }
 *   | { readonly said: "silent", readonly confirmedAt: string }
 *   | { readonly said: "failed", readonly message: string }} FromHolder
 */

const [name = "", port = "", ttlMs = "", commandTimeout = ""] = process.argv.slice(2);

/** @param {FromHolder} message */
function tell(message) {
  process.send?.(message);
}

let confirmedAt = 0n;
let isHeld = false;
/** @type {FromHolder | undefined} */
let telling;

/** @param {string} how */
function told(how) {
  const at = process.hrtime.bigint();
  if (telling !== undefined) return;
  telling = { said: "told", at: String(at), confirmedAt: String(confirmedAt), how };
  tell(telling);
}

/** @param {unknown} cause */
function fail(cause) {
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  tell({ said: "failed", message });
}

process.on("unhandledRejection", (cause) => {
  if (isHeld) told("an unhandled rejection, which ends the process");
  else fail(cause);
});
// Asked when the wait is over.
process.on("message", () => {
  tell(telling ?? { said: "silent", confirmedAt: String(confirmedAt) });
});
// Whoever started it is gone.
process.on("disconnect", () => process.exit());

contenders[name]
  ?.hold({
    port: Number(port),
    ttlMs: Number(ttlMs),
    commandTimeoutMs: commandTimeout === "none" ? undefined : Number(commandTimeout),
    held() {
      isHeld = true;
      tell({ said: "held" });
    },
    confirmed(sentAt) {
      if (sentAt > confirmedAt) confirmedAt = sentAt;
    },
    told,
  })
  .catch((cause) => {
    if (!isHeld) fail(cause);
    else told("the call that holds it rejects");
  });
