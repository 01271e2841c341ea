// A leader that stops between what it read of guarded keys and the effect of its write: `frozen-keys.mjs URL`.
// Tells when it is about to stop, and what became of the write once somebody let it go on, as lines of JSON.
import process from "node:process";
import { Redis } from "ioredis";
import { redisGuard } from "../../dist/fence/redis/index.js";

const [url = ""] = process.argv.slice(2);
const token = 7;

/** @param {object} what */
const tell = (what) => void process.stdout.write(`${JSON.stringify(what)}\n`);

const client = new Redis(url);
const guard = redisGuard(client, { resource: "account" });
const handle = await guard.claim({
  ...{ v: /** @type {const} */ (1), namespace: "default", election: "invoices", lineage: "default/lease" },
  ...{ token, owner: "stopped" },
});
const code = await handle
  .transaction(async (tx) => {
    const balance = Number(await tx.get("balance"));
    tell({ token, balance });
    process.kill(process.pid, "SIGSTOP");
    tx.set("balance", String(balance + 1));
  })
  .then(
    () => "written",
    (cause) => /** @type {{ code: string }} */ (cause).code,
  );
tell({ code });
client.disconnect();
