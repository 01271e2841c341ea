/** The options of a consumer, and their one resolution. */

import { callable, count, knownOnly, oneOf, text } from "../../../base/options.js";
import type { Refusal } from "../../guard.js";
import type { Sent } from "../../remote/sent.js";
import type { RabbitmqMessage } from "./client.js";

/** A message that is not applied. */
export interface RabbitmqRefused {
  /**
   * The guard's refusal; or `UNFENCED` (it shows no fence), `UNREADABLE` (what it shows is none), `NEWER` (of a later
   * format), `OTHER_RESOURCE`, or `HANDLER_FAILED` where that is told to `dead-letter`.
   */
  readonly reason:
    | Refusal["code"]
    | "UNFENCED"
    | "UNREADABLE"
    | "NEWER"
    | "OTHER_RESOURCE"
    | "HANDLER_FAILED";
  readonly message: RabbitmqMessage;
  /** What it shows, where that can be read. */
  readonly sent?: Sent;
  /** With the guard's own particulars. */
  readonly refusal?: Refusal;
  /** What the handler threw. */
  readonly cause?: unknown;
}

export interface RabbitmqConsumerOptions {
  /** The name of the queue. 1 to 255 bytes. */
  readonly queue: string;
  /**
   * Told of each message that is not applied, before it goes to the queue's dead-letter exchange, or nowhere where it has
   * none. Waited for; what it throws ends the consumer, and the message goes back to the queue. Required, since nothing
   * else tells of it. One that came again (`message.fields.redelivered`) may have been applied the first time.
   */
  readonly onRefused: (refused: RabbitmqRefused) => unknown;
  /**
   * What becomes of a message whose handler throws. `stop`: the consumer ends, and the message and all behind it go back to
   * the queue. `dead-letter`: it is refused as `HANDLER_FAILED`, and the next one is handled. Default `stop`: what comes
   * after it may rest on it. A database that fails always ends the consumer.
   */
  readonly whenHandlerFails?: "stop" | "dead-letter";
  /** Messages that the broker sends ahead of their turn, 1 to 32. Default 16. Not more, for `concurrency`'s reason. */
  readonly prefetch?: number;
}

export type ResolvedRabbitmqConsumerOptions = Required<RabbitmqConsumerOptions>;

const names: readonly (keyof RabbitmqConsumerOptions)[] = [
  "queue",
  "onRefused",
  "whenHandlerFails",
  "prefetch",
];

export function resolveRabbitmqConsumerOptions(
  options: RabbitmqConsumerOptions,
): ResolvedRabbitmqConsumerOptions {
  knownOnly(options, names);
  const { whenHandlerFails = "stop" } = options;
  oneOf("whenHandlerFails", whenHandlerFails, ["stop", "dead-letter"]);
  return {
    queue: text("queue", options.queue, 255),
    onRefused: callable("onRefused", options.onRefused),
    whenHandlerFails,
    prefetch: count("prefetch", options.prefetch ?? 16, 1, 32),
  };
}
