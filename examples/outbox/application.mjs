// The application: each purchase and the message about it are written in one transaction, so that there is none without
// the other. It knows no broker.
import { setTimeout as sleep } from "node:timers/promises";
import { enter } from "./member.mjs";

const customers = ["ada", "ben", "cleo", "dora"];
/** Purchases come in bursts, so that a relay is often in the middle of a batch. */
const burst = 10;
const pauseMs = 1_000;

const { pool, say, leave, signal } = await enter("application");
for (let n = 1; !signal.aborted; n += 1) {
  for (const customer of customers) await purchase(customer, n);
  say({ said: "wrote", count: customers.length });
  if (n % burst === 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
}
await leave();

/**
 * @param {string} customer
 * @param {number} n
 */
async function purchase(customer, n) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("INSERT INTO shop.purchase VALUES ($1, $2)", [customer, n]);
    const body = JSON.stringify({ customer, n });
    await client.query("INSERT INTO shop.message (customer, body) VALUES ($1, $2)", [customer, body]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}
