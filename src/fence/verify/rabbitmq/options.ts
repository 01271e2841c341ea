/** The options of probing a queue, and their one resolution. */

import { callable, duration, knownOnly, text } from "../../../base/options.js";
import {
  type RabbitmqConsumer,
  rabbitmqConsumer,
  type RabbitmqConsumerConnection,
  type RabbitmqConsumerOptions,
  type RabbitmqHandler,
} from "../../queue/index.js";
import type { ReceivingGuard } from "../../receiving.js";

export interface VerifyRabbitmqOptions<T> {
  /**
   * A queue that is there, holds nothing and is for this alone, declared as those that it stands for. What is refused goes
   * to its dead-letter exchange, where it has one. 1 to 255 bytes.
   */
  readonly queue: string;
  /**
   * How your service consumes, where it does so by a function of its own around `rabbitmqConsumer`. It has to consume over
   * the connection that it is handed. Default `rabbitmqConsumer`.
   */
  readonly consume?: (
    connection: RabbitmqConsumerConnection,
    guard: ReceivingGuard<unknown, T>,
    options: RabbitmqConsumerOptions,
    handler: RabbitmqHandler<T>,
  ) => Promise<RabbitmqConsumer>;
  /**
   * How long a claim may take while a write under a lower token stands still, ms, 10 to 600 000. Default 1 000: less than
   * guards of databases let a claim wait, since a consumer whose claim is CLAIM_BLOCKED ends.
   */
  readonly patienceMs?: number;
}

export type ResolvedVerifyRabbitmqOptions<T> = Required<VerifyRabbitmqOptions<T>>;

export function resolveVerifyRabbitmqOptions<T>(
  options: VerifyRabbitmqOptions<T>,
): ResolvedVerifyRabbitmqOptions<T> {
  knownOnly(options, ["queue", "consume", "patienceMs"]);
  return {
    queue: text("queue", options.queue, 255),
    consume: callable("consume", options.consume ?? rabbitmqConsumer),
    patienceMs: duration("patienceMs", options.patienceMs ?? 1_000, 10, 600_000),
  };
}
