/** An election, work, and a platform that asks the process to end. */
import { createElection, type Fence } from "tenure";
import { memoryStore } from "tenure/memory";

const election = createElection({ name: "invoices", store: memoryStore() });
setTimeout(() => process.exit(1), 15_000).unref();
setTimeout(() => process.kill(process.pid, "SIGTERM"), 200).unref();

async function sendNextInvoice(fence: Fence, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (fence.token === 0) process.exit(1);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
