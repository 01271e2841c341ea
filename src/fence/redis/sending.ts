/** Runs of scripts in the name of a term: what each of them is told, and what their answers have in common. */

import type { Argument } from "../../redis/connection.js";
import type { Attempt, Claimant, Fence } from "../fence.js";
import { limitOf } from "../limit.js";
import type { Writer } from "../writer.js";
import { refusalOf } from "./replies.js";
import type { RedisResource, RowKeys } from "./resource.js";
import { readScript, type Script } from "./script.js";
import { guardFailed, type Ran, type Reply } from "./server.js";

/** Whose name it is. */
export interface Term {
  readonly claimant: Claimant;
  readonly fence: Fence;
  readonly keys: RowKeys;
}

export interface Reading {
  readonly site: RedisResource;
  readonly term: Term;
  readonly writer: Writer;
  readonly attempt?: Attempt;
}

export interface Sending extends Reading {
  readonly attempt: Attempt;
}

/** What every script is told of the term. */
export function said({
  lineage,
  token,
  owner,
}: Pick<Fence, "lineage" | "token" | "owner">): readonly [string, string, string] {
  return [lineage, String(token), owner];
}

/** A numbered run: every script that writes is told the same of its attempt. */
export async function send(
  { site: { server, options }, term, attempt }: Sending,
  script: Script,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<Ran> {
  const { order, rememberOperations } = options;
  const numbered = [String(attempt.seq), attempt.opId, order, String(rememberOperations)];
  const all = [...said(term.fence), ...numbered, ...args];
  return server.run(script, [...term.keys, ...keys], all, limitOf(options, term.claimant));
}

/** The values of `keys`, all of one moment, which `stamp` names. Throws the refusal, or GUARD_FAILED. */
export async function lookAt(
  { site: { server, options }, term, writer, attempt }: Reading,
  keys: readonly string[],
): Promise<{ readonly stamp: string; readonly values: Reply }> {
  const limitMs = limitOf(options, term.claimant);
  const ran = await server.run(readScript, [...term.keys, ...keys], said(term.fence), limitMs);
  if (ran.kind !== "answered") throw guardFailed(options.resource, ran.cause);
  const refusal = refusalOf(ran.reply);
  if (refusal !== undefined) throw writer.refuse(refusal, attempt);
  const [, stamp, ...values] = ran.reply;
  return { stamp: stamp ?? "", values };
}
