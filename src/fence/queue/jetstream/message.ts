/** For those who read a guarded queue: which messages are theirs, and who published them. */

import type { Fence } from "../../fence.js";
import { messageHeader, readTag } from "./headers.js";

/** A message of @nats-io/jetstream 3, as far as it is looked at. */
export interface NatsMessage {
  readonly headers?: { get(name: string): string } | undefined;
}

/** Who published a message, and as what. */
export interface FencedMessage {
  readonly fence: Fence;
  /** The number of the message within the term. */
  readonly seq: number;
  /** Names the operation: the same for whatever was sent for it, in whichever term. */
  readonly opId: string;
}

/** True for what a claim or an operator has put: it has no payload, and is for guards alone. Acknowledge it. */
export function isMarker(message: NatsMessage): boolean {
  return tagOf(message)?.kind === "marker";
}

/** Undefined for a marker, and for what was published past the guard. */
export function readFencedMessage(message: NatsMessage): FencedMessage | undefined {
  const tag = tagOf(message);
  if (tag?.kind !== "message") return undefined;
  const { fence, seq, opId } = tag;
  return { fence, seq, opId };
}

function tagOf({ headers }: NatsMessage): ReturnType<typeof readTag> {
  return readTag(headers?.get(messageHeader) ?? "");
}
