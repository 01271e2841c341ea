/** What becomes of one message: a claim, a write, or nothing that this consumer applies. */

import { isThenable } from "../../../base/thenable.js";
import { createError, type TenureError } from "../../../errors/index.js";
import type { Refusal } from "../../guard.js";
import type { Receiver } from "../../remote/receiver.js";
import type { Sent, SentClaim, SentWrite } from "../../remote/sent.js";
import type { RabbitmqChannel, RabbitmqMessage } from "./client.js";
import type { RabbitmqRefused, ResolvedRabbitmqConsumerOptions } from "./consumer-options.js";
import type { Decided } from "./consuming.js";
import { shownBy } from "./message.js";
import { encodeReply, isDirect, type Reply, termRefusal } from "./reply.js";

/** A write as it was published, after its guard has allowed it. */
export interface RabbitmqDelivery {
  readonly message: RabbitmqMessage;
  /** Under which fence, and as which operation. */
  readonly sent: SentWrite;
}

/** Works through `transaction` alone, and synchronously where that is one of SQLite. What it returns is not kept. */
export type RabbitmqHandler<T> = (transaction: T, delivery: RabbitmqDelivery) => unknown;

type Unread = Exclude<RabbitmqRefused["reason"], Refusal["code"]>;
const unread: Readonly<Record<"none" | "newer" | "unreadable", Unread>> = {
  none: "UNFENCED",
  newer: "NEWER",
  unreadable: "UNREADABLE",
};

export class Deciding<T> {
  readonly #channel: RabbitmqChannel;
  readonly #receiver: Receiver<T>;
  readonly #options: ResolvedRabbitmqConsumerOptions;
  readonly #handler: RabbitmqHandler<T>;

  constructor(
    channel: RabbitmqChannel,
    receiver: Receiver<T>,
    options: ResolvedRabbitmqConsumerOptions,
    handler: RabbitmqHandler<T>,
  ) {
    this.#channel = channel;
    this.#receiver = receiver;
    this.#options = options;
    this.#handler = handler;
  }

  /** Rejects where nothing is decided: the database fails, or the handler does. */
  async decide(message: RabbitmqMessage): Promise<Decided> {
    const sent = shownBy(message);
    if (typeof sent === "string") return this.#refuse({ reason: unread[sent], message });
    if (sent.resource !== this.#receiver.resource) {
      return this.#refuse({ reason: "OTHER_RESOURCE", message, sent });
    }
    if (sent.kind === "claim") return this.#claim(message, sent);
    return sent.kind === "write"
      ? this.#write(message, sent)
      : this.#refuse({ reason: "UNREADABLE", message, sent });
  }

  async #claim(message: RabbitmqMessage, sent: SentClaim): Promise<Decided> {
    const answer = await this.#receiver.claim(sent);
    if (answer.kind === "refused") return this.#refused(message, sent, answer.refusal);
    this.#reply(message, answer);
    return "done";
  }

  async #write(message: RabbitmqMessage, sent: SentWrite): Promise<Decided> {
    const handling = new Handling(this.#handler, { message, sent });
    try {
      const answer = await this.#receiver.write<undefined>(sent, (client) => handling.run(client));
      if (answer.kind === "refused") return await this.#refused(message, sent, answer.refusal);
      if (answer.kind === "unconfirmed") throw this.#unconfirmed(sent, answer.cause);
      return "done";
    } catch (cause) {
      if (!handling.threw(cause) || this.#options.whenHandlerFails === "stop") throw cause;
      return this.#refuse({ reason: "HANDLER_FAILED", message, sent, cause });
    }
  }

  /** The message goes back, and what was applied is known when it comes again. */
  #unconfirmed({ resource, seq, opId }: SentWrite, cause: unknown): TenureError {
    const message = `number ${seq} of "${resource}" may have been applied`;
    return createError("GUARD_UNCONFIRMED", message, { cause, fields: { attempt: { resource, seq, opId } } });
  }

  async #refused(message: RabbitmqMessage, sent: Sent, refusal: Refusal): Promise<Decided> {
    const ofTerm = termRefusal(refusal);
    if (ofTerm !== undefined) this.#reply(message, { kind: "refused", refusal: ofTerm });
    return this.#refuse({ reason: refusal.code, message, sent, refusal });
  }

  async #refuse(refused: RabbitmqRefused): Promise<Decided> {
    await this.#options.onRefused(refused);
    return "refused";
  }

  /** Best effort: who no longer listens is not told. Nobody but RabbitMQ's direct replies is written to. */
  #reply({ properties }: RabbitmqMessage, reply: Reply): void {
    const { replyTo, correlationId } = properties;
    if (!isDirect(replyTo) || typeof correlationId !== "string") return;
    this.#channel.publish("", replyTo, encodeReply(reply), { correlationId });
  }
}

/** One call of the handler, which may be repeated when its transaction is. */
class Handling<T> {
  readonly #handler: RabbitmqHandler<T>;
  readonly #delivery: RabbitmqDelivery;
  #thrown: { readonly cause: unknown } | undefined;

  constructor(handler: RabbitmqHandler<T>, delivery: RabbitmqDelivery) {
    this.#handler = handler;
    this.#delivery = delivery;
  }

  /** Answers nothing, so that no result is kept; a promise only where the handler does. */
  run(client: T): undefined | Promise<undefined> {
    this.#thrown = undefined;
    try {
      const result = this.#handler(client, this.#delivery);
      if (!isThenable(result)) return undefined;
      const handled = Promise.resolve(result).then(
        () => undefined,
        (cause: unknown) => this.#throw(cause),
      );
      // A guard that takes no promises refuses this one, and waits for nothing.
      handled.catch(() => {});
      return handled;
    } catch (cause) {
      return this.#throw(cause);
    }
  }

  threw(cause: unknown): boolean {
    return this.#thrown !== undefined && this.#thrown.cause === cause;
  }

  #throw(cause: unknown): never {
    this.#thrown = { cause };
    throw cause;
  }
}
