/** A queue of its own on a running broker, the guard that decides what comes out of it, and who publishes and consumes. */

import type { Channel, ChannelModel, ConfirmChannel } from "amqplib";
import { memoryGuard, type ValueGuard } from "../../../../src/fence/memory/index.js";
import {
  type RabbitmqConsumer,
  type RabbitmqConsumerConnection,
  rabbitmqConsumer,
  type RabbitmqConsumerOptions,
  type RabbitmqDelivery,
  rabbitmqGuard,
  type RabbitmqGuardOptions,
  type RabbitmqLeaderConnection,
  type RabbitmqRefused,
} from "../../../../src/fence/queue/index.js";
import type { RabbitmqServer } from "../../../servers/rabbitmq.js";

let queues = 0;

export interface Told {
  readonly reason: RabbitmqRefused["reason"];
  readonly text: string;
}

export interface SceneOptions {
  /** How the queue is declared, besides being durable. */
  readonly queue?: object;
  /** Of the ledger. Default 100. */
  readonly rememberOperations?: number;
}

export class Scene {
  readonly queue = `queue-${process.pid}-${(queues += 1)}`;
  /** What the handlers below write to: the texts that took effect, in order. */
  readonly ledger: ValueGuard<string[]>;
  /** In the order in which they were told. */
  readonly refused: Told[] = [];
  readonly connection: ChannelModel;
  readonly #server: RabbitmqServer;
  readonly #connections: ChannelModel[] = [];
  #onChange: (() => void)[] = [];

  private constructor(server: RabbitmqServer, connection: ChannelModel, rememberOperations: number) {
    this.#server = server;
    this.connection = connection;
    this.ledger = memoryGuard<string[]>({ resource: "ledger", initial: [], rememberOperations });
  }

  static async open(
    server: RabbitmqServer,
    { queue = {}, rememberOperations = 100 }: SceneOptions = {},
  ): Promise<Scene> {
    const scene = new Scene(server, await server.connect(), rememberOperations);
    const channel = await scene.connection.createChannel();
    await channel.assertQueue(scene.queue, { durable: true, ...queue });
    await channel.close();
    return scene;
  }

  async connect(port?: number): Promise<ChannelModel> {
    const connection = await this.#server.connect(port);
    this.#connections.push(connection);
    return connection;
  }

  async confirmChannel(connection = this.connection): Promise<ConfirmChannel> {
    return quiet(await connection.createConfirmChannel());
  }

  async channel(connection = this.connection): Promise<Channel> {
    return quiet(await connection.createChannel());
  }

  /** What a leader publishes by. */
  guard(options: Partial<RabbitmqGuardOptions> = {}, connection: RabbitmqLeaderConnection = this.connection) {
    return rabbitmqGuard(connection, { resource: "ledger", routingKey: this.queue, ...options });
  }

  readonly onRefused = ({ reason, message }: RabbitmqRefused): void => {
    this.refused.push({ reason, text: message.content.toString() });
    this.changed();
  };

  /** Consumes into the ledger. `before` is waited for inside of the transaction, before anything is done. */
  async consume(
    options: Partial<RabbitmqConsumerOptions> = {},
    connection: RabbitmqConsumerConnection = this.connection,
    before: (delivery: RabbitmqDelivery) => unknown = () => {},
  ): Promise<RabbitmqConsumer> {
    const { queue, onRefused } = this;
    return rabbitmqConsumer(
      connection,
      this.ledger,
      { queue, onRefused, ...options },
      async (tx, delivery) => {
        await before(delivery);
        tx.value.push(delivery.message.content.toString());
        setImmediate(() => this.changed());
      },
    );
  }

  async content(): Promise<readonly string[]> {
    return (await this.ledger.inspect()).value;
  }

  /** Messages that lie in the queue, those that a consumer has and has not acknowledged left out. */
  async waiting(): Promise<number> {
    const channel = await this.connection.createChannel();
    const { messageCount } = await channel.checkQueue(this.queue);
    await channel.close();
    return messageCount;
  }

  /** Resolves when `look` is true; looks again whenever something took effect or was refused, and now and then. */
  async until(look: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await look())) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 20);
        this.#onChange.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  changed(): void {
    for (const call of this.#onChange.splice(0)) call();
  }

  async close(): Promise<void> {
    for (const connection of [...this.#connections, this.connection]) {
      await connection.close().catch(() => {});
    }
  }
}

/** A channel whose fault a test makes must not end the process. */
function quiet<C extends Channel>(channel: C): C {
  channel.on("error", () => {});
  return channel;
}
