/** What a consumer makes of messages of several leaders, in whatever order and however often they come. */
import type { ChannelModel, ConsumeMessage } from "amqplib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryGuard } from "../../../../src/fence/memory/index.js";
import {
  rabbitmqConsumer,
  type RabbitmqConsumerConnection,
  type RabbitmqMessage,
} from "../../../../src/fence/queue/index.js";
import { encodeSent } from "../../../../src/fence/remote/sent.js";
import { type RabbitmqServer, startRabbitmq } from "../../../servers/rabbitmq.js";
import { describeWithServer } from "../../../servers/with-server.js";
import { fence } from "../../scene.js";
import { Scene } from "./scene.js";

/** All ways to deal the two into one line, each in its own order. */
function interleavings<T>(one: readonly T[], other: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = one;
  const [second, ...others] = other;
  if (first === undefined || second === undefined) return [[...one, ...other]];
  return [
    ...interleavings(rest, other).map((line) => [first, ...line]),
    ...interleavings(one, others).map((line) => [second, ...line]),
  ];
}

/** What its consumers acknowledge is not heard: as if the process ended after the commit. */
function mute(connection: ChannelModel): RabbitmqConsumerConnection {
  return {
    createChannel: async () =>
      new Proxy(await connection.createChannel(), {
        get(target, name) {
          if (name === "ack" || name === "nack") return () => {};
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      }),
  };
}

/** Its consumers acknowledge each message twice, which the broker answers by closing the channel. */
function acknowledgingTwice(connection: ChannelModel): RabbitmqConsumerConnection {
  return {
    async createChannel() {
      const channel = await connection.createChannel();
      const acknowledge = channel.ack.bind(channel);
      return Object.assign(channel, {
        ack: (message: RabbitmqMessage) => {
          acknowledge(message as ConsumeMessage);
          acknowledge(message as ConsumeMessage);
        },
      });
    },
  };
}

describeWithServer("rabbitmq", "a consumer on RabbitMQ", () => {
  let server: RabbitmqServer;
  let scene: Scene;
  beforeAll(async () => {
    server = await startRabbitmq();
  }, 120_000);
  afterAll(async () => server.stop());
  beforeEach(async () => {
    scene = await Scene.open(server);
  });
  afterEach(async () => scene.close());

  /** The former leader and its successor, whose claims are among what they publish. */
  async function leaders(target = scene) {
    const guard = target.guard({ claim: "queued" });
    return { guard, former: fence(), successor: fence({ token: 8, owner: "b" }) };
  }

  async function settled(count: number): Promise<void> {
    await scene.until(async () => (await scene.content()).length + scene.refused.length >= count);
  }

  test("in every interleaving of two leaders, nothing of the former takes effect after the successor's claim", async () => {
    const guard = scene.guard({ claim: "queued" });
    const lines = interleavings(["claim a", "a1", "a2", "a3"], ["claim b", "b1"]);
    expect(lines).toHaveLength(15);
    const expected: { applied: string[]; refused: string[] } = { applied: [], refused: [] };
    for (const [index, line] of lines.entries()) {
      const election = `election-${index}`;
      // A claim comes before the first message of its own leader, so each is made when its turn comes.
      const fences = { a: fence({ election }), b: fence({ election, token: 8, owner: "b" }) };
      const handles: Partial<Record<"a" | "b", Awaited<ReturnType<typeof guard.claim>>>> = {};
      let isOver = false;
      for (const step of line) {
        const who = step.includes("b") ? "b" : "a";
        if (step.startsWith("claim")) {
          handles[who] = await guard.claim(fences[who]);
          if (who === "a" && isOver) expected.refused.push("");
          isOver ||= who === "b";
          continue;
        }
        await handles[who]?.publish(`${index}: ${step}`);
        const isLate = who === "a" && isOver;
        (isLate ? expected.refused : expected.applied).push(`${index}: ${step}`);
      }
    }
    await scene.consume();
    await settled(expected.applied.length + expected.refused.length);
    expect(await scene.content()).toEqual(expected.applied);
    expect(scene.refused.map(({ text }) => text)).toEqual(expected.refused);
    expect(new Set(scene.refused.map(({ reason }) => reason))).toEqual(new Set(["STALE"]));
  });

  test("a message that comes again after its acknowledgement was lost takes effect once", async () => {
    const { guard, former } = await leaders();
    const handle = await guard.claim(former);
    for (const text of ["one", "two", "three"]) await handle.publish(text);
    const connection = await scene.connect();
    const first = await scene.consume({}, mute(connection));
    await scene.until(async () => (await scene.content()).length === 3);
    await connection.close();
    expect(await first.ended).toMatchObject({ kind: "failed" });
    await scene.consume();
    await handle.publish("four");
    await scene.until(async () => (await scene.content()).includes("four"));
    expect(await scene.content()).toEqual(["one", "two", "three", "four"]);
    expect(scene.refused).toEqual([]);
  });

  test("a message that comes again under the successor takes no effect, and is told", async () => {
    const { guard, former, successor } = await leaders();
    const handle = await guard.claim(former);
    await handle.publish("one");
    await guard.claim(successor);
    const connection = await scene.connect();
    await scene.consume({}, mute(connection));
    await scene.until(async () => (await scene.ledger.inspect()).rows[0]?.row.watermark === 8);
    await connection.close();
    await scene.consume();
    await settled(2);
    expect(await scene.content()).toEqual(["one"]);
    expect(scene.refused.map(({ reason }) => reason)).toEqual(["STALE", "STALE"]);
  });

  test("several consumers of one queue: each message takes effect once, and late ones not at all", async () => {
    const { guard, former, successor } = await leaders();
    const handle = await guard.claim(former);
    const early = Array.from({ length: 20 }, (_, index) => `a${index}`);
    const consumers = [];
    for (let count = 0; count < 3; count += 1) consumers.push(await scene.consume({ prefetch: 5 }));
    await scene.until(async () => (await scene.ledger.inspect()).rows.length === 1);
    await Promise.all(early.map((text) => handle.publish(text)));
    await scene.until(async () => (await scene.content()).length === 20);
    const next = await scene.guard().claim(successor);
    await handle.publish("late").catch(() => {});
    await next.publish("b");
    await settled(22);
    expect([...(await scene.content())].toSorted()).toEqual([...early, "b"].toSorted());
    expect(scene.refused).toEqual([{ reason: "STALE", text: "late" }]);
    for (const consumer of consumers) await consumer.stop();
  });

  test("with a single active consumer, order is kept over a failure in the middle", async () => {
    await scene.close();
    scene = await Scene.open(server, {
      queue: { arguments: { "x-single-active-consumer": true } },
    });
    const { guard, former } = await leaders();
    const handle = await guard.claim(former);
    const texts = Array.from({ length: 30 }, (_, index) => `a${index}`);
    for (const text of texts) await handle.publish(text);
    const failing = await scene.consume({}, undefined, ({ message }) => {
      if (message.content.toString() === "a10") throw new Error("not now");
    });
    await scene.consume();
    expect(await failing.ended).toMatchObject({ kind: "failed", cause: { message: "not now" } });
    await scene.until(async () => (await scene.content()).length === 30);
    expect(await scene.content()).toEqual(texts);
  });

  test("a handler that fails may have its message set aside, and the next is handled", async () => {
    const dead = `${scene.queue}-dead`;
    const channel = await scene.channel();
    await channel.assertQueue(dead);
    await channel.deleteQueue(scene.queue);
    await channel.assertQueue(scene.queue, { deadLetterExchange: "", deadLetterRoutingKey: dead });
    const { guard, former } = await leaders();
    const handle = await guard.claim(former);
    for (const text of ["one", "bad", "two"]) await handle.publish(text);
    await scene.consume({ whenHandlerFails: "dead-letter" }, undefined, ({ message }) => {
      if (message.content.toString() === "bad") throw new Error("cannot be done");
    });
    await settled(3);
    expect(await scene.content()).toEqual(["one", "two"]);
    expect(scene.refused).toEqual([{ reason: "HANDLER_FAILED", text: "bad" }]);
    let got = await channel.get(dead);
    while (got === false) got = await channel.get(dead);
    expect(got.content.toString()).toBe("bad");
  });

  test("what shows no fence, none that can be read, or that of another resource is told and takes no effect", async () => {
    const channel = await scene.confirmChannel();
    const elsewhere = encodeSent({ kind: "write", resource: "other", fence: fence(), seq: 1, opId: "op" });
    const here = { resource: "ledger", fence: fence() };
    const shown = {
      none: {},
      number: { "tenure-fence": 7 },
      text: { "tenure-fence": "{}" },
      newer: { "tenure-fence": '{"v":2}' },
      elsewhere: { "tenure-fence": elsewhere },
      read: { "tenure-fence": encodeSent({ kind: "read", ...here }) },
      unclaimed: { "tenure-fence": encodeSent({ kind: "write", ...here, seq: 1, opId: "op" }) },
    };
    for (const [text, headers] of Object.entries(shown)) {
      channel.sendToQueue(scene.queue, Buffer.from(text), { headers });
    }
    await scene.consume();
    await settled(7);
    expect(scene.refused).toEqual([
      { reason: "UNFENCED", text: "none" },
      { reason: "UNREADABLE", text: "number" },
      { reason: "UNREADABLE", text: "text" },
      { reason: "NEWER", text: "newer" },
      { reason: "OTHER_RESOURCE", text: "elsewhere" },
      { reason: "UNREADABLE", text: "read" },
      { reason: "CLAIM_MISSING", text: "unclaimed" },
    ]);
    expect(await scene.content()).toEqual([]);
  });

  test("when the resource has forgotten the claim, the leader is told, and claims again", async () => {
    const forgetful = memoryGuard<string[]>({ resource: "ledger", initial: [] });
    const consumer = await scene.consume();
    const guard = scene.guard();
    const handle = await guard.claim(fence());
    await consumer.stop();
    const texts: string[] = [];
    const onRefused = scene.onRefused;
    await rabbitmqConsumer(
      scene.connection,
      forgetful,
      { queue: scene.queue, onRefused },
      (tx, { message }) => {
        tx.value.push(message.content.toString());
        texts.push(message.content.toString());
      },
    );
    await handle.publish("lost");
    await scene.until(() => scene.refused.length === 1);
    let refusal: unknown;
    // The consumer's word is under way.
    await scene.until(async () => {
      refusal = await handle.publish("never").catch((cause: unknown) => cause);
      return refusal !== undefined;
    });
    expect(refusal).toMatchObject({ code: "CLAIM_MISSING" });
    await (await guard.claim(fence())).publish("again");
    await scene.until(() => texts.length === 1);
    expect(texts).toEqual(["again"]);
    expect(scene.refused.every(({ reason }) => reason === "CLAIM_MISSING")).toBe(true);
  });

  describe("ends", () => {
    test("when it is stopped: what was not handled goes back to the queue, in its place", async () => {
      const { guard, former } = await leaders();
      const handle = await guard.claim(former);
      for (const text of ["one", "two", "three"]) await handle.publish(text);
      let stopping: Promise<void> | undefined;
      const consumer = await scene.consume({}, undefined, () => {
        stopping ??= consumer.stop();
      });
      expect(await consumer.ended).toEqual({ kind: "stopped" });
      await stopping;
      expect(await scene.content()).toEqual(["one"]);
      expect(await scene.waiting()).toBe(2);
      await scene.consume();
      await settled(3);
      expect(await scene.content()).toEqual(["one", "two", "three"]);
    });

    test("when what it tells of refusals fails: the message is still there", async () => {
      const channel = await scene.confirmChannel();
      channel.sendToQueue(scene.queue, Buffer.from("unfenced"));
      const cause = new Error("nobody listens");
      const consumer = await scene.consume({ onRefused: async () => Promise.reject(cause) });
      expect(await consumer.ended).toEqual({ kind: "failed", cause });
      expect(await scene.waiting()).toBe(1);
    });

    test("when the broker closes its channel: the connection goes on, and its end says why", async () => {
      const none = scene.consume({ queue: "nowhere" });
      await expect(none).rejects.toThrow("no queue 'nowhere'");
      const wrong = await scene.consume({}, acknowledgingTwice(scene.connection));
      await (await scene.guard({ claim: "queued" }).claim(fence())).publish("one");
      expect(await wrong.ended).toMatchObject({
        kind: "failed",
        cause: { message: expect.stringMatching("unknown delivery tag") as string },
      });
      // A round trip: what the broker would object to is in front of it.
      expect(await scene.waiting()).toBeGreaterThanOrEqual(0);
    });

    test("when the queue is deleted, the channel is closed, or the database fails", async () => {
      const deleted = await scene.consume();
      const channel = await scene.channel();
      await channel.deleteQueue(scene.queue);
      expect(await deleted.ended).toMatchObject({
        kind: "failed",
        cause: { message: expect.stringMatching("its queue is gone") as string },
      });
      await channel.assertQueue(scene.queue);
      const own = await scene.connect();
      const closed = await scene.consume({}, own);
      await own.close();
      expect(await closed.ended).toMatchObject({
        kind: "failed",
        cause: { message: "the channel was closed" },
      });
      const guard = scene.guard({ claim: "queued" });
      await guard.claim(fence());
      const failure = new Error("no database");
      const broken = { ...scene.ledger, claim: async () => Promise.reject(failure) };
      const options = { queue: scene.queue, onRefused: scene.onRefused };
      const failed = await rabbitmqConsumer(scene.connection, broken, options, () => {});
      expect(await failed.ended).toEqual({ kind: "failed", cause: failure });
      expect(await scene.waiting()).toBe(1);
    });
  });
});
