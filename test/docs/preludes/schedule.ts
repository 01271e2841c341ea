/** An election, and a job whose runs are marked. */
import { createElection, type Fence } from "tenure";
import { memoryStore } from "tenure/memory";

const election = createElection({ name: "books", store: memoryStore() });
const started = new Map<string, number>();
setTimeout(() => process.exit(1), 15_000).unref();
process.once("exit", () => {
  if (started.size !== 1) process.exitCode = 1;
});

async function markStarted(day: string, fence: Fence): Promise<boolean> {
  if (started.has(day)) return false;
  started.set(day, fence.token);
  return true;
}

async function closeTheBooks(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
}
