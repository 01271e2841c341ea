/** A directory that goes away with the process, and work that ends the example with its third invoice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fence } from "tenure";

const folder = mkdtempSync(join(tmpdir(), "tenure-docs-"));
process.chdir(folder);
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
setTimeout(() => process.exit(1), 15_000).unref();

let sent = 0;

async function sendNextInvoice(fence: Fence): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  sent += 1;
  if (sent === 3) process.exit(fence.token > 0 ? 0 : 1);
}
