/** What may be handed in: a connection of amqplib, by what it can do. No client is imported here. */

import { optionError } from "../../../base/options.js";

/** A message as it arrives. */
export interface RabbitmqMessage {
  readonly content: Buffer;
  readonly fields: { readonly redelivered: boolean };
  readonly properties: {
    readonly headers: Readonly<Record<string, unknown>> | undefined;
    readonly messageId: unknown;
    readonly correlationId: unknown;
    readonly replyTo: unknown;
  };
}

export interface RabbitmqPublishing {
  readonly mandatory?: boolean;
  readonly persistent?: boolean;
  readonly messageId?: string;
  readonly correlationId?: string;
  readonly replyTo?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** A message that no queue took. */
export type RabbitmqReturned = RabbitmqMessage & { readonly fields: { readonly replyText?: string } };

/** What is asked of a `Channel`. */
export interface RabbitmqChannel {
  prefetch(count: number): Promise<unknown>;
  consume(
    queue: string,
    onMessage: (message: RabbitmqMessage | null) => void,
    options?: { readonly noAck?: boolean },
  ): Promise<unknown>;
  ack(message: RabbitmqMessage): void;
  nack(message: RabbitmqMessage, allUpTo: boolean, requeue: boolean): void;
  publish(exchange: string, routingKey: string, content: Buffer, options?: RabbitmqPublishing): boolean;
  close(): Promise<void>;
  on(event: "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What is asked of a `ConfirmChannel`. */
export interface RabbitmqConfirmChannel {
  consume(
    queue: string,
    onMessage: (message: RabbitmqMessage | null) => void,
    options?: { readonly noAck?: boolean },
  ): Promise<unknown>;
  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    options?: RabbitmqPublishing,
    confirmed?: (error: unknown) => void,
  ): boolean;
  on(event: "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "return", listener: (message: RabbitmqReturned) => void): unknown;
}

/** What a leader publishes over. One that recovers, as `connect(url, { recovery: true })` makes it, outlives the broker. */
export interface RabbitmqLeaderConnection {
  createConfirmChannel(): Promise<RabbitmqConfirmChannel>;
}

/** What a consumer takes messages from. */
export interface RabbitmqConsumerConnection {
  createChannel(): Promise<RabbitmqChannel>;
}

/** Throws INVALID_OPTION. */
export function checkConnection(connection: object, method: "createChannel" | "createConfirmChannel"): void {
  const isConnection = typeof connection === "object" && connection !== null && method in connection;
  if (!isConnection) throw optionError("connection", connection, `a connection of amqplib, with ${method}()`);
}
