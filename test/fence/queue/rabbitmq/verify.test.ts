/** Probes of a queue: sound consumers pass, and those with a check removed are found out by the probe that shows it. */
import type { ChannelModel } from "amqplib";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fileGuard } from "../../../../src/fence/file/index.js";
import { memoryGuard, type ValueTransaction } from "../../../../src/fence/memory/index.js";
import { rabbitmqConsumer, type RabbitmqConsumerConnection } from "../../../../src/fence/queue/index.js";
import {
  type FenceVerification,
  type ProbedLedger,
  verifyRabbitmqFence,
  type VerifyRabbitmqOptions,
} from "../../../../src/fence/verify/index.js";
import { type RabbitmqServer, startRabbitmq } from "../../../servers/rabbitmq.js";
import { describeWithServer } from "../../../servers/with-server.js";
import { postgresScope } from "../../postgres/scope.js";
import { type Broken, broken, wrongIn } from "../../remote/broken.js";

type Value = ValueTransaction<null>;
type Consume<T> = NonNullable<VerifyRabbitmqOptions<T>["consume"]>;

const inMemory = (resource: string) => memoryGuard({ resource, initial: null });

/** Handles what shows no fence as if it were none of its business. */
const takesUnfenced: Consume<Value> = async (connection, guard, options, handler) => {
  const lax: RabbitmqConsumerConnection = {
    async createChannel() {
      const channel = await connection.createChannel();
      const consume = channel.consume.bind(channel);
      return Object.assign(channel, {
        consume: async (...[queue, onMessage, settings]: Parameters<typeof consume>) =>
          consume(
            queue,
            (message) => {
              if (message === null || message.properties.headers?.["tenure-fence"] !== undefined) {
                return onMessage(message);
              }
              handler({ value: null }, { message, sent: undefined as never });
              channel.ack(message);
            },
            settings,
          ),
      });
    },
  };
  return rabbitmqConsumer(lax, guard, options, handler);
};

describeWithServer("rabbitmq", "probes of a queue on RabbitMQ", () => {
  const queue = "tenure-fence-verify";
  let server: RabbitmqServer;
  let connection: ChannelModel;
  beforeAll(async () => {
    server = await startRabbitmq();
    connection = await server.connect();
  }, 120_000);
  afterAll(async () => {
    await connection.close();
    await server.stop();
  });
  beforeEach(async () => declare());
  afterEach(async () => {
    const channel = await connection.createChannel();
    const { messageCount } = await channel.deleteQueue(queue);
    await channel.close();
    expect(messageCount).toBe(0);
  });

  async function declare(settings: object = {}): Promise<void> {
    const channel = await connection.createChannel();
    await channel.deleteQueue(queue);
    await channel.assertQueue(queue, { durable: true, ...settings });
    await channel.close();
  }

  async function verify<T>(
    open: (resource: string) => ProbedLedger<T>,
    consume: Consume<T> = rabbitmqConsumer,
  ): Promise<FenceVerification> {
    return verifyRabbitmqFence(connection, open, { queue, consume, patienceMs: 300 });
  }

  /** A leader hears nothing of a message that is dropped as one that was applied before. */
  function shownHere(shown: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const isDropped = Object.keys(shown).join() === "reused-number";
    return isDropped ? { "reused-number": "failed" } : shown;
  }

  /** `rabbitmqConsumer`, over a guard with something wrong. */
  function over<T>(wrong: Broken, outside: T): Consume<T> {
    return async (connected, guard, ...more) =>
      rabbitmqConsumer(connected, { ...guard, ...wrong(guard, outside) }, ...more);
  }

  test("a sound consumer over a guard in memory passes all twelve, and no row is left", async () => {
    const ledger = inMemory("tenure-fence-verify");
    const found = await verify(() => ledger);
    expect(wrongIn(found)).toEqual({});
    expect(found).toMatchObject({ kind: "rabbitmq", sound: true, left: [] });
    expect(Object.fromEntries(found.probes.map(({ id, found: what }) => [id, what]))).toEqual({
      "leader-writes": "applied",
      "lower-claim": "STALE",
      "equal-claim": "CONFLICT",
      "foreign-claim": "FOREIGN_LINEAGE",
      "lower-write": "STALE",
      "equal-write": "CONFLICT",
      "unclaimed-write": "CLAIM_MISSING",
      "unfenced-write": "UNFENCED",
      "duplicate-write": "ATTEMPT_APPLIED",
      "reused-number": "SEQUENCE_REUSED",
      "reordered-write": "each was applied once",
      "delayed-write": "STALE",
    });
    expect((await ledger.inspect()).rows).toEqual([]);
  });

  test("with a single active consumer, the claim waits in the queue", async () => {
    await declare({ arguments: { "x-single-active-consumer": true } });
    const found = await verify(inMemory);
    expect(wrongIn(found)).toEqual({});
    expect(found.probes.at(-1)?.found).toBe("the claim waited");
  });

  test.each(broken)("a consumer in memory that %s is found out", async (_, wrong, shown) => {
    const found = await verify(inMemory, over(wrong, { value: null }));
    expect(found.sound).toBe(false);
    expect(wrongIn(found)).toMatchObject(shownHere(shown));
  });

  test("a consumer that takes what shows no fence is found out, by that probe alone", async () => {
    const found = await verify(inMemory, takesUnfenced);
    expect(found.sound).toBe(false);
    expect(wrongIn(found)).toEqual({ "unfenced-write": "accepted" });
  });

  describeWithServer("postgres", "over a guard of PostgreSQL", () => {
    const scope = postgresScope();

    test("a sound consumer passes all twelve, and leaves no row", async () => {
      await scope.inScene(async (scene) => {
        const found = await verify((resource) => scene.guard(scene.pool(), { resource }));
        expect(wrongIn(found)).toEqual({});
        expect(found.probes.at(-1)?.found).toBe("the claim waited");
        const { rows } = await scene.admin.query(`SELECT * FROM ${scene.tables.fence}`);
        expect(rows).toEqual([]);
      });
    });

    test.each(broken.filter(([what]) => /^(?:claims|checks)/.test(what)))(
      "a consumer that %s is found out",
      async (_, wrong, shown) => {
        await scope.inScene(async (scene) => {
          const pool = scene.pool();
          const outside = pool as unknown as pg.PoolClient;
          const found = await verify((resource) => scene.guard(pool, { resource }), over(wrong, outside));
          expect(found.sound).toBe(false);
          expect(wrongIn(found)).toMatchObject(shownHere(shown));
        });
      },
    );
  });

  describe("is no finding but an error", () => {
    test("when there is no such queue, when the guard cannot decide, and when it cannot be reached", async () => {
      const missing = verifyRabbitmqFence(connection, inMemory, { queue: "nowhere" });
      await expect(missing).rejects.toMatchObject({
        code: "GUARD_FAILED",
        message: expect.stringMatching("no queue 'nowhere'") as string,
      });
      const closed = (resource: string) => fileGuard("/dev/null/none", { resource, initial: null });
      await expect(verify(closed)).rejects.toMatchObject({ code: "GUARD_FAILED" });
      await declare();
    });

    test("when an option is none", async () => {
      const options = { queue, patience: 1 } as never;
      await expect(verifyRabbitmqFence(connection, inMemory, options)).rejects.toThrow("unknown option");
      const short = verifyRabbitmqFence(connection, inMemory, { queue, patienceMs: 1 });
      await expect(short).rejects.toThrow("patienceMs must be");
    });
  });
});
