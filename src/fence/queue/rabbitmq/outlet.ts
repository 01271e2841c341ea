/**
 * What a guard sends over its connection, and what comes back about it: confirmations, returns, and what consumers say.
 *
 * It has a channel of its own, which is made when it is first needed and again when it was closed, and ends with the
 * connection. Sends nothing twice.
 */

import type { Clock } from "../../../base/clock.js";
import { inTime } from "../../../base/in-time.js";
import { freshId } from "../../../base/random.js";
import type {
  RabbitmqConfirmChannel,
  RabbitmqLeaderConnection,
  RabbitmqMessage,
  RabbitmqPublishing,
  RabbitmqReturned,
} from "./client.js";
import { directReply, readReply, type Reply } from "./reply.js";

interface Outgoing {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly publishing: RabbitmqPublishing;
  /** Whose message it is: replies to it are told to the listener of this id. */
  readonly sender: string;
}

type Sent =
  | { readonly kind: "confirmed" }
  /** Nothing was sent, or it led to no queue. */
  | { readonly kind: "unsent"; readonly cause: unknown }
  /** No answer, or one that does not say what became of it. */
  | { readonly kind: "lost"; readonly cause: unknown };

interface Listener {
  readonly sender: string;
  hear(reply: Reply): void;
}

interface Line {
  readonly channel: RabbitmqConfirmChannel;
  /** Why the channel was closed, where the broker has said so. */
  failure: unknown;
}

export class Outlet {
  readonly #connection: RabbitmqLeaderConnection;
  readonly #clock: Clock;
  /** Under way, by id; with the reason of those that came back. */
  readonly #underWay = new Map<string, string | undefined>();
  readonly #listeners = new Map<string, Listener>();
  #line: Promise<Line> | undefined;

  constructor(connection: RabbitmqLeaderConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** A later listener for the same election takes the place of the one before it. */
  listen(election: string, listener: Listener): void {
    this.#listeners.set(election, listener);
  }

  async send(limitMs: number, outgoing: Outgoing): Promise<Sent> {
    const opening = this.#open();
    try {
      const line = await inTime(this.#clock, limitMs, opening);
      if (line === "silent") return unsent(new Error(`no channel within ${limitMs} ms`));
      return await this.#publish(line, limitMs, outgoing);
    } catch (cause) {
      // The client refused before it sent anything: the connection is gone, or a header is none.
      return unsent(cause);
    }
  }

  async #publish(line: Line, limitMs: number, outgoing: Outgoing): Promise<Sent> {
    const { exchange, routingKey, content, publishing, sender } = outgoing;
    const messageId = freshId();
    const ours = {
      messageId,
      mandatory: true,
      persistent: true,
      replyTo: directReply,
      correlationId: sender,
    };
    this.#underWay.set(messageId, undefined);
    try {
      const confirming = new Promise<unknown>((resolve) => {
        line.channel.publish(exchange, routingKey, content, { ...publishing, ...ours }, resolve);
      });
      const error = await inTime(this.#clock, limitMs, confirming);
      if (error === "silent") return lost(new Error(`no answer of the broker within ${limitMs} ms`));
      // A message that leads nowhere comes back, and is confirmed then.
      const returned = this.#underWay.get(messageId);
      if (returned !== undefined) return unsent(new Error(`the message came back: ${returned}`));
      return error === null || error === undefined ? { kind: "confirmed" } : lost(line.failure ?? error);
    } finally {
      this.#underWay.delete(messageId);
    }
  }

  async #open(): Promise<Line> {
    this.#line ??= this.#connect();
    const opening = this.#line;
    try {
      return await opening;
    } catch (cause) {
      if (this.#line === opening) this.#line = undefined;
      throw cause;
    }
  }

  async #connect(): Promise<Line> {
    const channel = await this.#connection.createConfirmChannel();
    const line: Line = { channel, failure: undefined };
    channel.on("error", (cause: unknown) => {
      line.failure = cause;
    });
    channel.on("close", () => {
      this.#line = undefined;
    });
    channel.on("return", (message: RabbitmqReturned) => this.#returned(message));
    await channel.consume(directReply, (message) => this.#hear(message), { noAck: true });
    return line;
  }

  #returned({ properties: { messageId }, fields }: RabbitmqReturned): void {
    if (typeof messageId !== "string" || !this.#underWay.has(messageId)) return;
    this.#underWay.set(messageId, fields.replyText ?? "no reason was given");
  }

  #hear(message: RabbitmqMessage | null): void {
    const reply = message === null ? undefined : readReply(message.content);
    if (message === null || reply === undefined) return;
    for (const listener of this.#listeners.values()) {
      if (listener.sender === message.properties.correlationId) listener.hear(reply);
    }
  }
}

function unsent(cause: unknown): Sent {
  return { kind: "unsent", cause };
}

function lost(cause: unknown): Sent {
  return { kind: "lost", cause };
}
