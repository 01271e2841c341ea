/** What a namespace was made with, for those who have to follow it. Makes nothing on the server. */

import { markerKey } from "./keys.js";
import { sendOnce } from "./one-command.js";

export interface MarkedPlace {
  readonly prefix?: string;
  /** Encoded, as it is the first part of a key of the port. */
  readonly namespace: string;
  readonly timeoutMs: number;
}

/** Undefined where nobody has stood yet. Rejects with what the store itself would say. */
export async function readMaxTtlMs(url: string, place: MarkedPlace): Promise<number | undefined> {
  const { prefix = "tenure", namespace, timeoutMs } = place;
  const marker = await sendOnce(url, timeoutMs, ["GET", markerKey(prefix, namespace)]);
  const [, maxTtlMs] = /"maxTtlMs":(\d+)/.exec(typeof marker === "string" ? marker : "") ?? [];
  return maxTtlMs === undefined ? undefined : Number(maxTtlMs);
}
