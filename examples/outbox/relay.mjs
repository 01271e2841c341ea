// The relay: whoever leads puts what the application has written into the queue, in order, and marks it as sent. It may be
// killed or stand still anywhere in between.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createElection, TenureError } from "tenure";
import { fences } from "tenure/fence";
import { postgresGuard } from "tenure/fence/postgres";
import { fileStore } from "tenure/file";
import { openBroker } from "./broker.mjs";
import { enter } from "./member.mjs";
import { guardTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/postgres").PostgresHandle<import("pg").PoolClient>} Outbox */
/** @typedef {import("tenure/fence/queue").RabbitmqHandle} Parcels */

const batch = 20;
const pollMs = 20;

const { pool, say, leave, signal, settings } = await enter("relay");
const broker = await openBroker(settings.amqp);
const parcels = broker.guard("parcels");
const outbox = postgresGuard(pool, { resource: "outbox", tables: guardTables("shop"), create: true });
const election = createElection({
  name: "outbox",
  store: fileStore(settings.folder),
  ttlMs: settings.ttlMs,
  node: `relay-${process.pid}`,
});

await election.run(
  fences({ outbox }, async ({ outbox }, leadership) => {
    // After the outbox, not beside it: from here on no predecessor can mark a message as sent, so whatever is marked lies
    // in the queue before this claim, and is not refused.
    const queue = await parcels.claim(leadership);
    say({ said: "leads", token: leadership.token });
    while (leadership.isCurrent) {
      const relayed = await relay(outbox, queue);
      if (relayed === 0) await sleep(pollMs, undefined, { signal: leadership.signal });
    }
  }),
  { signal },
);
await election.stop();
await broker.close();
await leave();

/**
 * @param {Outbox} outbox
 * @param {Parcels} queue
 */
async function relay(outbox, queue) {
  const messages = await outbox.read(async (tx) => {
    const text = "SELECT id, body FROM shop.message WHERE sent_at IS NULL ORDER BY id LIMIT $1";
    const { rows } = await tx.query(text, [batch]);
    return /** @type {{ readonly id: string, readonly body: string }[]} */ (rows);
  });
  if (messages.length === 0) return 0;
  for (const { id, body } of messages) {
    // One after the other: what comes behind a message that failed must not overtake it.
    await publish(queue, body, `message-${id}`);
    say({ said: "published" });
  }
  await outbox.transaction(async (tx) => {
    const ids = messages.map(({ id }) => id);
    await tx.query("UPDATE shop.message SET sent_at = now() WHERE id = ANY($1)", [ids]);
  });
  return messages.length;
}

/**
 * Named by what it is, so that the consumer knows it when a successor sends it again.
 *
 * @param {Parcels} queue
 * @param {string} body
 * @param {string} opId
 */
async function publish(queue, body, opId) {
  try {
    await queue.publish(body, { opId });
  } catch (error) {
    if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
    // Nobody knows whether it is in the queue. Put there twice, it leads to one parcel all the same.
    await queue.publish(body, { attempt: error.attempt });
  }
}
