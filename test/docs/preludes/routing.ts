/** A leader with an address; the example ends once a follower has routed to it. */
import { createElection } from "tenure";
import { memoryStore } from "tenure/memory";

const store = memoryStore();
const leader = createElection({ name: "invoices", store, metadata: { url: "http://127.0.0.1:3000" } });
const election = createElection({ name: "invoices", store });
const leadership = await leader.campaign();
setTimeout(() => process.exit(1), 15_000).unref();
setTimeout(async () => {
  if (urlOfLeader() !== "http://127.0.0.1:3000") process.exit(1);
  await leadership.resign();
  await Promise.all([leader.stop(), election.stop()]);
}, 500);
