/** A guarded resource on a Redis server: where it is, and under which keys it is fenced. */

import { optionError } from "../../base/options.js";
import { resourceId } from "../keys.js";
import type { ResolvedRedisOptions } from "./options.js";
import type { Server } from "./server.js";

export interface RedisResource {
  readonly server: Server;
  readonly options: ResolvedRedisOptions;
}

/** Of the row, of the operations that are remembered, and of their order: what each script is given first. */
export type RowKeys = readonly [row: string, operations: string, order: string];

/** What all keys begin with that fence something. */
function fencePrefix({ prefix }: ResolvedRedisOptions): string {
  return `${prefix}:fence:`;
}

/** Throws INVALID_OPTION: what fences a resource is not for its writes. */
export function checkKey(options: ResolvedRedisOptions, key: unknown): void {
  const own = fencePrefix(options);
  if (typeof key !== "string" || key === "") throw optionError("key", key, "a non-empty string");
  if (key.startsWith(own)) throw optionError("key", key, `one that does not begin with "${own}"`);
}

export function keysOf(options: ResolvedRedisOptions, id: string): RowKeys {
  const ownPrefix = fencePrefix(options);
  const operations = `${ownPrefix}${resourceId(options.resource)}:operations`;
  return [`${ownPrefix}${id}`, operations, `${operations}:order`];
}
