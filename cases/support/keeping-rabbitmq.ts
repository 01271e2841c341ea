/** Values of a case behind queues of a broker: one consumer for each of them applies what leaders publish. */

import type { ChannelModel } from "amqplib";
import { rabbitmqConsumer, rabbitmqGuard, type RabbitmqMessage } from "../../src/fence/queue/index.js";
import { memoryGuard, type ValueTransaction } from "../../src/fence/memory/index.js";
import { refusalError } from "../../src/fence/refusals.js";
import type { Refusal } from "../../src/fence/guard.js";
import { type Keeping, type KeptGuard, Unanswered } from "./keeping.js";
import { rabbitmq } from "./rabbitmq.js";

/** One message: what it does, which does not go over the wire, and what became of it. */
interface Sent {
  readonly body: (tx: ValueTransaction<unknown>) => unknown;
  readonly settle: (refusal: Refusal | undefined) => void;
  result: unknown;
}

let queues = 0;

export async function inRabbitmq(): Promise<Keeping> {
  const server = await rabbitmq.start();
  const connection = await server.connect();
  const unanswered = new Unanswered();
  const opening: Promise<void>[] = [];
  return {
    values(resource, initial) {
      const { guard, consuming } = valueBehind(connection, unanswered, resource, initial);
      opening.push(consuming);
      return guard;
    },
    idle: async () => unanswered.idle(),
    async close() {
      await Promise.all(opening);
      await connection.close();
    },
  };
}

function valueBehind<V>(
  connection: ChannelModel,
  unanswered: Unanswered,
  resource: string,
  initial: V,
): { readonly guard: KeptGuard<V>; readonly consuming: Promise<void> } {
  const kept = memoryGuard<V>({ resource, initial });
  const queue = `case-${process.pid}-${(queues += 1)}`;
  const sent: Sent[] = [];
  const sentIn = ({ content }: RabbitmqMessage) => sent[Number(content.toString() || NaN)];
  const consuming = (async () => {
    const channel = await connection.createChannel();
    await channel.assertQueue(queue, { durable: true, autoDelete: true });
    await channel.close();
    await rabbitmqConsumer(
      {
        createChannel: async () =>
          listening(await connection.createChannel(), (it) => sentIn(it)?.settle(undefined)),
      },
      kept,
      { queue, onRefused: ({ message, refusal }) => sentIn(message)?.settle(refusal) },
      async (tx, { message }) => {
        const one = sentIn(message);
        if (one !== undefined) one.result = await one.body(tx);
      },
    );
  })();
  const guard: KeptGuard<V> = {
    kind: "rabbitmq",
    resource,
    operator: kept.operator,
    inspect: async () => kept.inspect(),
    async claim(...claiming) {
      // Each leader has one of its own, as in a process of its own: what consumers say reaches the latest claim of one.
      const leader = rabbitmqGuard(connection, { resource, routingKey: queue });
      const handle = await unanswered.until(consuming.then(async () => leader.claim(...claiming)));
      const write = async (body: Sent["body"], options: object) => {
        const verdict = new Promise<Refusal | undefined>((settle) =>
          sent.push({ body, settle, result: undefined }),
        );
        const index = sent.length - 1;
        await handle.publish(String(index), options);
        const refusal = await verdict;
        if (refusal === undefined) return sent[index]?.result;
        if (/^(?:SEQUENCE|ATTEMPT)_/.test(refusal.code)) throw refusalError(resource, handle.fence, refusal);
        // The consumer tells the leader of the whole term, and from then on nothing more is published.
        for (;;) await handle.publish("");
      };
      return {
        resource,
        fence: handle.fence,
        read: async () => (await kept.inspect()).value,
        transaction: async <R>(body: (tx: ValueTransaction<V>) => R | Promise<R>, options = {}) =>
          unanswered.until(write(body as Sent["body"], options)) as Promise<R>,
      };
    },
  };
  return { guard, consuming };
}

/** The consumer acknowledges what it has applied, when that is done. */
function listening<C extends Awaited<ReturnType<ChannelModel["createChannel"]>>>(
  channel: C,
  acknowledged: (message: RabbitmqMessage) => void,
): C {
  const acknowledge = channel.ack.bind(channel);
  return Object.assign(channel, {
    ack(message: Parameters<typeof acknowledge>[0]) {
      acknowledge(message);
      acknowledged(message);
    },
  });
}
