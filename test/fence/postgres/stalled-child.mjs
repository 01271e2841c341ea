/**
 * A transaction of postgres.js that stands still behind the guard's statement: `stalled-child.mjs URL STATEMENT`. Goes on
 * when somebody says so. By then its session is gone, and with it, mostly, this process.
 */

import { once } from "node:events";
import postgres from "postgres";

const [url = "", statement = ""] = process.argv.slice(2);
const sql = postgres(url, { onnotice: () => {} });

/** @param {string} kind */
const tell = (kind) => void process.stdout.write(`${JSON.stringify({ kind })}\n`);

try {
  await sql.begin(async (tx) => {
    await tx.unsafe(statement);
    tell("inside");
    await once(process.stdin, "data");
    await tx.unsafe("UPDATE invoice SET sent_at = now() WHERE id = '1'");
  });
  tell("committed");
} catch {
  tell("refused");
}
process.exit(0);
