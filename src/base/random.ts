/**
 * Chance as an argument.
 *
 * Node keeps a cache of random bytes for `randomUUID`, which a cloned process image
 * would share with its twin, so it is switched off. Non-promise: the generator behind
 * it lives in user space too, so two images restored from one snapshot may draw the
 * same ids until it reseeds. Then nothing tells the twins apart but the resource.
 */

import { randomUUID } from "node:crypto";

export interface Chance {
  /** A fresh id that nobody else has: 122 random bits. */
  id(): string;
  /** A number in [0, 1), for jitter only. */
  fraction(): number;
}

export function freshId(): string {
  // Node joins a UUID from twenty pieces and keeps them all; a thousand elections would keep megabytes of them.
  return Buffer.from(randomUUID({ disableEntropyCache: true }), "latin1").toString("latin1");
}

export const realChance: Chance = { id: freshId, fraction: () => Math.random() };
