/** What a consumer says back: that a claim was applied, or that this term is refused. JSON, best effort, foreign input. */

import type { Refusal } from "../../guard.js";
import type { Granted } from "../../remote/receiver.js";
import { readRefusal } from "../../remote/refusal.js";
import { isCount, isObject, isText, parse } from "../../row.js";

/** Refusals of a whole term. What is wrong with one message only is told where it was consumed. */
export type TermRefusal =
  | Extract<Refusal, { readonly code: "STALE" | "CONFLICT" | "FOREIGN_LINEAGE" }>
  | { readonly code: "CLAIM_MISSING" };

export type Reply = Granted | { readonly kind: "refused"; readonly refusal: TermRefusal };

/** RabbitMQ's own way back to whoever has published on a channel; gone with it. */
export const directReply = "amq.rabbitmq.reply-to";

/** What RabbitMQ makes of it on the way to the consumer. */
export function isDirect(replyTo: unknown): replyTo is string {
  return typeof replyTo === "string" && replyTo.startsWith(`${directReply}.`);
}

const longestReplyBytes = 16_384;

export function encodeReply(reply: Reply): Buffer {
  return Buffer.from(JSON.stringify({ v: 1, ...reply }));
}

/** Never throws: undefined is what this version cannot read. */
export function readReply(content: Buffer): Reply | undefined {
  if (content.length > longestReplyBytes) return undefined;
  const value = parse(content.toString());
  if (!isObject(value) || value["v"] !== 1) return undefined;
  const { kind, numbering, seq } = value;
  if (kind === "claimed") {
    return isText(numbering, 2_048) && isCount(seq) ? { kind, numbering, seq } : undefined;
  }
  const found = kind === "refused" ? readRefusal(value["refusal"]) : undefined;
  const refusal = found && termRefusal(found);
  return refusal && { kind: "refused", refusal };
}

/** Undefined for a refusal of one message. */
export function termRefusal(refusal: Refusal): TermRefusal | undefined {
  switch (refusal.code) {
    case "STALE":
    case "CONFLICT":
    case "FOREIGN_LINEAGE":
      return refusal;
    case "CLAIM_MISSING":
      return { code: refusal.code };
    default:
      return undefined;
  }
}
