/** A claim: one run of the script, which raises the watermark before it answers. */

import { freshId } from "../../base/random.js";
import { createError } from "../../errors/index.js";
import type { Claimant, Fence } from "../fence.js";
import type { ClaimOptions } from "../guard.js";
import { rowId } from "../keys.js";
import { limitOf } from "../limit.js";
import { checkFence } from "../row.js";
import { refuseClaim, toClaimant } from "../writer.js";
import { type RedisFinding, findingsOf } from "./findings.js";
import { refusalOf } from "./replies.js";
import { keysOf, type RedisResource, resourcesKey, rowsKey } from "./resource.js";
import { claimScript } from "./script.js";
import { said, type Term } from "./sending.js";
import { guardFailed } from "./server.js";

export interface Claimed extends Term {
  /** The row's own name: numbers of another row are others. */
  readonly generation: string;
  /** The highest number applied under this claim. */
  readonly seq: number;
  readonly findings: readonly RedisFinding[];
}

export async function claimRedis(
  { server, options }: RedisResource,
  claimed: Claimant | Fence,
  { signal }: ClaimOptions,
): Promise<Claimed> {
  const claimant = toClaimant(claimed);
  const fence = checkFence(claimant.fence);
  const { resource } = options;
  signal?.throwIfAborted();
  const id = rowId(resource, fence);
  const keys = keysOf(options, id);
  const args = [...said(fence), freshId(), resource, fence.namespace, fence.election, id];
  const named = [rowsKey(options), resourcesKey(options)];
  const ran = await server.run(claimScript, [...keys, ...named], args, limitOf(options, claimant));
  if (ran.kind === "failed") throw guardFailed(resource, ran.cause);
  if (ran.kind === "lost") {
    const { cause } = ran;
    throw createError("CLAIM_UNCONFIRMED", `the claim of "${resource}" may have been made`, { cause });
  }
  const refusal = refusalOf(ran.reply);
  if (refusal !== undefined) throw refuseClaim(resource, claimant, refusal);
  const [, seq, generation, ...facts] = ran.reply;
  return {
    claimant,
    fence,
    keys,
    generation: generation ?? "",
    seq: Number(seq),
    findings: findingsOf(facts),
  };
}
