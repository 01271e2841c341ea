/**
 * A queue and its consumers as one resource: a write is over when a consumer has said to the broker what became of it.
 *
 * The leader hears of a confirmed message nothing more, and a consumer of one that it has applied before acknowledges it
 * and calls nobody. So what the consumers say to the broker is listened to, on channels that are made for them.
 */

import { inTime } from "../../../base/in-time.js";
import { freshId } from "../../../base/random.js";
import { realClock } from "../../../base/real-clock.js";
import { isThenable } from "../../../base/thenable.js";
import { createError, TenureError } from "../../../errors/index.js";
import type { Fence } from "../../fence.js";
import type { ProbedLedger } from "../../probed.js";
import {
  type RabbitmqChannel,
  type RabbitmqConsumer,
  type RabbitmqConsumerConnection,
  rabbitmqGuard,
  type RabbitmqHandle,
  type RabbitmqLeaderConnection,
  type RabbitmqMessage,
  type RabbitmqRefused,
} from "../../queue/index.js";
import { refusalError } from "../../refusals.js";
import type { WriteOptions } from "../../writer.js";
import type { ProbedGuard } from "../stand.js";
import type { ResolvedVerifyRabbitmqOptions } from "./options.js";

export interface ProbedQueueSite<T> extends ResolvedVerifyRabbitmqOptions<T> {
  readonly connection: RabbitmqLeaderConnection & RabbitmqConsumerConnection;
  readonly ledger: ProbedLedger<T>;
}

interface ProbedHandle {
  transaction(body: Body, options: WriteOptions): Promise<unknown>;
}

type Body = () => string | Promise<string>;

type Verdict =
  /** `result`: of the body; undefined where it was not called, since the message is known. */
  | { readonly kind: "acknowledged"; readonly result: string | undefined }
  | { readonly kind: "refused"; readonly refused: RabbitmqRefused };

interface Sent {
  readonly body: Body;
  readonly settle: (verdict: Verdict) => void;
  readonly fail: (cause: unknown) => void;
  /** Of the body, when it was called last. */
  result: string | undefined;
  /** Who has called it. */
  by: number | undefined;
}

/** Names a message to whoever waits for its verdict. */
const probeHeader = "tenure-probe";
const consumerCount = 2;
/** What an answer takes where nothing stands still. */
const answerMs = 10_000;

export class ProbedQueue<T> {
  readonly guard: ProbedGuard<ProbedHandle>;
  readonly #site: ProbedQueueSite<T>;
  readonly #limitMs: number;
  readonly #sent = new Map<string, Sent>();
  readonly #consumers: RabbitmqConsumer[] = [];
  #running = 0;
  #resolveGone: (cause: unknown) => void = () => {};
  /** Resolves with why, when no consumer is left. */
  readonly #gone: Promise<unknown>;

  private constructor(site: ProbedQueueSite<T>) {
    this.#site = site;
    this.#limitMs = site.patienceMs + answerMs;
    this.#gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.guard = this.#createGuard();
  }

  /** Rejects with GUARD_FAILED. */
  static async open<T>(site: ProbedQueueSite<T>): Promise<ProbedQueue<T>> {
    const opened = new ProbedQueue(site);
    try {
      for (let number = 0; number < consumerCount; number += 1) await opened.#consume(number);
    } catch (cause) {
      await opened.close();
      throw TenureError.is(cause) ? cause : failed(`queue "${site.queue}" is not consumed`, cause);
    }
    return opened;
  }

  async close(): Promise<void> {
    for (const consumer of this.#consumers) await consumer.stop();
  }

  #createGuard(): ProbedGuard<ProbedHandle> {
    const { connection, ledger, queue } = this.#site;
    const { resource } = ledger;
    const timeoutMs = Math.min(this.#limitMs, 600_000);
    const leader = rabbitmqGuard(connection, { resource, routingKey: queue, timeoutMs });
    return {
      kind: leader.kind,
      resource,
      inspect: async () => ledger.inspect(),
      operator: ledger.operator,
      claim: async (...claim) => {
        const handle = await this.#whileConsumed(leader.claim(...claim));
        return { transaction: async (body, options) => this.#write(handle, body, options) };
      },
      unfenced: async (result) => this.#sendUnfenced(result),
    };
  }

  async #consume(number: number): Promise<void> {
    const { connection, ledger, queue, consume } = this.#site;
    const listening: RabbitmqConsumerConnection = {
      createChannel: async () => this.#listen(await connection.createChannel()),
    };
    const onRefused = (refused: RabbitmqRefused) => {
      this.#settle(refused.message, () => ({ kind: "refused", refused }));
    };
    const options = { queue, onRefused, prefetch: 1 };
    const consumer = await consume(listening, ledger, options, (_, { message }) =>
      this.#handle(number, message),
    );
    this.#consumers.push(consumer);
    this.#running += 1;
    void consumer.ended.then((end) => this.#ended(number, end.kind === "failed" ? end.cause : undefined));
  }

  /** The channel is that consumer's own. */
  #listen(channel: RabbitmqChannel): RabbitmqChannel {
    const acknowledge = channel.ack.bind(channel);
    return Object.assign(channel, {
      ack: (message: RabbitmqMessage) => {
        acknowledge(message);
        this.#settle(message, ({ result }) => ({ kind: "acknowledged", result }));
      },
    });
  }

  /** Answers a promise only where the body does. */
  #handle(number: number, message: RabbitmqMessage): undefined | Promise<void> {
    const sent = this.#sent.get(nameOf(message));
    // Given back by a consumer that has failed, and nobody waits for it any more.
    if (sent === undefined) return undefined;
    sent.by = number;
    const result = sent.body();
    if (isThenable(result)) return Promise.resolve(result).then((value) => void (sent.result = value));
    sent.result = result;
    return undefined;
  }

  #settle(message: RabbitmqMessage, verdictOn: (sent: Sent) => Verdict): void {
    const sent = this.#sent.get(nameOf(message));
    if (sent !== undefined) sent.settle(verdictOn(sent));
  }

  #ended(number: number, cause: unknown): void {
    this.#running -= 1;
    for (const sent of this.#sent.values()) if (sent.by === number) sent.fail(cause);
    if (this.#running === 0) this.#resolveGone(cause);
  }

  async #write(handle: RabbitmqHandle, body: Body, options: WriteOptions): Promise<unknown> {
    const { resource, fence } = handle;
    const verdict = await this.#send(body, async (headers) => handle.publish("", { ...options, headers }));
    if (verdict.kind === "refused") throw refusedBy(resource, fence, verdict.refused);
    if (verdict.result !== undefined) return verdict.result;
    throw createError("ATTEMPT_APPLIED", `"${resource}" was written to before by this operation`);
  }

  async #sendUnfenced(result: string): Promise<"applied" | { readonly refused: string }> {
    const { connection, queue } = this.#site;
    const channel = await connection.createChannel();
    // What closes it closes the consumers' too, or else no verdict comes.
    channel.on("error", () => {});
    const verdict = await this.#send(
      () => result,
      async (headers) => void channel.publish("", queue, Buffer.alloc(0), { headers, persistent: true }),
    );
    await channel.close();
    return verdict.kind === "refused" ? { refused: verdict.refused.reason } : "applied";
  }

  /** Rejects with what `publish` does, with why a consumer has failed, and where none says anything in time. */
  async #send(
    body: Body,
    publish: (headers: Readonly<Record<string, string>>) => Promise<void>,
  ): Promise<Verdict> {
    const name = freshId();
    const judged = new Promise<Verdict>((resolve, reject) => {
      this.#sent.set(name, { body, settle: resolve, fail: reject, result: undefined, by: undefined });
    });
    // It may fail before the broker has confirmed, when nobody listens yet.
    judged.catch(() => {});
    try {
      const published = publish({ [probeHeader]: name }).then(async () => judged);
      const verdict = await inTime(realClock, this.#limitMs, this.#whileConsumed(published));
      if (verdict !== "silent") return verdict;
      throw new Error(`no consumer has said within ${this.#limitMs} ms what became of the message`);
    } finally {
      this.#sent.delete(name);
    }
  }

  async #whileConsumed<R>(promise: Promise<R>): Promise<R> {
    const gone = this.#gone.then((cause): never => {
      throw TenureError.is(cause) ? cause : failed("no consumer is left", cause);
    });
    return Promise.race([promise, gone]);
  }
}

function nameOf({ properties: { headers } }: RabbitmqMessage): string {
  const name = headers?.[probeHeader];
  return typeof name === "string" ? name : "";
}

function refusedBy(resource: string, fence: Fence, { reason, refusal, cause }: RabbitmqRefused): TenureError {
  if (refusal !== undefined) return refusalError(resource, fence, refusal);
  return failed(`"${resource}" refuses a message of its leader: ${reason}`, cause);
}

function failed(message: string, cause: unknown): TenureError {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return createError("GUARD_FAILED", message + why, { cause });
}
