/** The function under test. */
import type { Leadership } from "tenure";

async function sendInvoices(leadership: Leadership): Promise<void> {
  while (leadership.isCurrent) await new Promise((resolve) => setTimeout(resolve, 5));
}
