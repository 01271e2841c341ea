/**
 * Removes a namespace from a server: the records of these keys, and the marker that vouches for them.
 *
 * For a namespace that was made for one purpose and is left by all, since whoever still
 * stands there loses what it holds.
 */

import { placeOf } from "./keys.js";
import { sendOnce } from "./one-command.js";

export interface LeftPlace {
  readonly prefix?: string;
  /** Of the port, all of one namespace. */
  readonly keys: readonly string[];
  readonly timeoutMs: number;
}

/** Rejects with what the store itself would say. */
export async function removeNamespace(url: string, place: LeftPlace): Promise<void> {
  const { prefix = "tenure", keys, timeoutMs } = place;
  const places = keys.map((key) => placeOf(prefix, key));
  const names = new Set(places.flatMap(({ key, marker }) => [key, marker]));
  await sendOnce(url, timeoutMs, ["DEL", ...names]);
}
