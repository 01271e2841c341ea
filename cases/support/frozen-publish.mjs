// A leader that stops between its check and its publish: `frozen-publish.mjs URL STREAM SUBJECT`.
// Tells when it is about to stop, and what became of the publish once somebody let it go on, as lines of JSON.
import process from "node:process";
import { connect, headers } from "@nats-io/transport-node";
import { jetstreamGuard } from "../../dist/fence/queue/index.js";

const [servers = "", stream = "", subject = ""] = process.argv.slice(2);
const token = 7;

/** @param {object} what */
const tell = (what) => void process.stdout.write(`${JSON.stringify(what)}\n`);

const connection = await connect({ servers });
const guard = jetstreamGuard({ connection, headers }, { stream, subject });
const handle = await guard.claim({
  ...{ v: /** @type {const} */ (1), namespace: "default", election: "invoices", lineage: "default/lease" },
  ...{ token, owner: "stopped" },
});
await handle.publish("before");
const payload = () => {
  tell({ token });
  process.kill(process.pid, "SIGSTOP");
  return "late";
};
const code = await handle.publish(payload).then(
  () => "published",
  (cause) => /** @type {{ code: string }} */ (cause).code,
);
tell({ code });
await connection.close();
