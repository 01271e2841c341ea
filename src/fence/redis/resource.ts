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

type Prefixed = Pick<ResolvedRedisOptions, "prefix">;

/** What all keys begin with that fence something. */
function fencePrefix({ prefix }: Prefixed): string {
  return `${prefix}:fence:`;
}

/** Elsewhere than what leaders write, so that a right to that is none to this. */
function actsPrefix({ prefix }: Prefixed): string {
  return `${prefix}:fence-acts:`;
}

/** Throws INVALID_OPTION: what fences a resource is not for its writes. */
export function checkKey(options: ResolvedRedisOptions, key: unknown): void {
  if (typeof key !== "string" || key === "") throw optionError("key", key, "a non-empty string");
  for (const own of [fencePrefix(options), actsPrefix(options)])
    if (key.startsWith(own)) throw optionError("key", key, `one that does not begin with "${own}"`);
}

export function keysOf(options: ResolvedRedisOptions, id: string): RowKeys {
  const operations = `${fencePrefix(options)}${resourceId(options.resource)}:operations`;
  return [rowKey(options, id), operations, `${operations}:order`];
}

export function rowKey(options: Prefixed, id: string): string {
  return `${fencePrefix(options)}${id}`;
}

/** Of the set that names the rows of one resource. */
export function rowsKey(options: ResolvedRedisOptions): string {
  return `${fencePrefix(options)}${resourceId(options.resource)}:rows`;
}

/** Of the set that names all resources that were ever claimed. */
export function resourcesKey(options: Prefixed): string {
  return `${fencePrefix(options)}resources`;
}

/** Of the list of what operators did to one resource, the latest first. */
export function actsKey(options: ResolvedRedisOptions): string {
  return `${actsPrefix(options)}${resourceId(options.resource)}`;
}
