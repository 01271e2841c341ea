// The consumer: each message is decided by the guard of its own database, in the transaction that makes a parcel of it.
import process from "node:process";
import { postgresGuard } from "tenure/fence/postgres";
import { openBroker } from "./broker.mjs";
import { enter } from "./member.mjs";
import { guardTables } from "./tables.mjs";

const { pool, say, leave, signal, settings } = await enter("consumer");
const guard = postgresGuard(pool, {
  resource: "parcels",
  tables: guardTables("shipping"),
  create: true,
  // A new leader sends again what its predecessor had sent and not marked, one batch at most.
  rememberOperations: 1_000,
});
const broker = await openBroker(settings.amqp);
const consumer = await broker.consume(
  guard,
  async (tx, { message, sent }) => {
    const body = /** @type {unknown} */ (JSON.parse(message.content.toString()));
    const { customer, n } = /** @type {{ readonly customer: string, readonly n: number }} */ (body);
    const text = "INSERT INTO shipping.parcel (message, customer, n) VALUES ($1, $2, $3)";
    await tx.query(text, [sent.opId.slice("message-".length), customer, n]);
  },
  async ({ reason, sent }) => {
    const named = sent?.kind === "write" ? sent.opId : (sent?.kind ?? "none");
    await pool.query("INSERT INTO shipping.refused VALUES ($1, $2)", [reason, named]);
  },
);
say({ said: "consumes" });
signal.addEventListener("abort", () => void consumer.stop());
const end = await consumer.ended;
if (end.kind === "failed") {
  console.error("the consumer failed:", end.cause);
  process.exitCode = 1;
}
await broker.close();
await leave();
