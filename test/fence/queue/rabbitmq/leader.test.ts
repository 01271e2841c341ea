/** What a leader does to a queue on RabbitMQ, and what it is told by the broker and by consumers. */
import { connect, type RecoveringChannelModel } from "amqplib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TenureError } from "../../../../src/errors/index.js";
import { createSequence } from "../../../../src/fence/sequence.js";
import { type RabbitmqServer, startRabbitmq } from "../../../servers/rabbitmq.js";
import { describeWithServer } from "../../../servers/with-server.js";
import { fence } from "../../scene.js";
import { Scene } from "./scene.js";

async function recovering(url: string): Promise<RecoveringChannelModel> {
  const connection = await connect(url, { recovery: { initialDelay: 20, maxDelay: 200 } });
  // Each of its losses is made by a test.
  connection.on("error", () => {});
  return connection;
}

async function reconnected(connection: RecoveringChannelModel): Promise<void> {
  await new Promise<void>((resolve) => connection.once("connect", () => resolve()));
}

describeWithServer("rabbitmq", "a leader over RabbitMQ", () => {
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

  describe("a claim", () => {
    test("is made when a consumer has applied it, and what is published then takes effect in its order", async () => {
      const guard = scene.guard();
      const claiming = guard.claim(fence());
      await scene.until(async () => (await scene.waiting()) === 1);
      expect((await scene.ledger.inspect()).rows).toEqual([]);
      await scene.consume();
      const handle = await claiming;
      expect((await scene.ledger.inspect()).rows[0]?.row).toMatchObject({ watermark: 7, owner: "a" });
      await Promise.all(["one", "two", "three"].map((text) => handle.publish(text)));
      await scene.until(async () => (await scene.content()).length === 3);
      expect(await scene.content()).toEqual(["one", "two", "three"]);
      expect(scene.refused).toEqual([]);
    });

    test("that only has to be queued is made when the broker has it", async () => {
      const guard = scene.guard({ claim: "queued" });
      const handle = await guard.claim(fence());
      await handle.publish("one");
      expect(await scene.waiting()).toBe(2);
      await scene.consume();
      await scene.until(async () => (await scene.content()).length === 1);
      expect(scene.refused).toEqual([]);
    });

    test("that nobody consumes is CLAIM_UNCONFIRMED, and can be repeated", async () => {
      const guard = scene.guard({ timeoutMs: 100 });
      await expect(guard.claim(fence())).rejects.toMatchObject({ code: "CLAIM_UNCONFIRMED" });
      await scene.consume();
      await scene.guard().claim(fence());
      expect(scene.refused).toEqual([]);
    });

    test("that is aborted rejects with the reason of the signal, and leaves no listener", async () => {
      const guard = scene.guard();
      const reason = new Error("no longer");
      const abort = new AbortController();
      const claiming = guard.claim(fence(), { signal: abort.signal });
      await scene.until(async () => (await scene.waiting()) === 1);
      abort.abort(reason);
      await expect(claiming).rejects.toBe(reason);
      await expect(guard.claim(fence(), { signal: abort.signal })).rejects.toBe(reason);
    });

    test("with a lower token is STALE, and the term is told of the higher one", async () => {
      await scene.consume();
      const guard = scene.guard();
      await guard.claim(fence({ token: 8, owner: "b" }));
      const told: number[] = [];
      const claimant = { fence: fence(), outpaced: (watermark: number) => void told.push(watermark) };
      await expect(guard.claim(claimant)).rejects.toMatchObject({ code: "STALE", watermark: 8, owner: "b" });
      expect(told).toEqual([8]);
      expect(scene.refused).toEqual([{ reason: "STALE", text: "" }]);
    });

    test("with the same token by another owner is CONFLICT, of another lineage FOREIGN_LINEAGE", async () => {
      await scene.consume();
      const guard = scene.guard();
      await guard.claim(fence());
      await expect(guard.claim(fence({ owner: "b" }))).rejects.toMatchObject({ code: "CONFLICT" });
      const foreign = fence({ token: 9, lineage: "default/raft" });
      await expect(guard.claim(foreign)).rejects.toMatchObject({
        code: "FOREIGN_LINEAGE",
        lineage: "default/lease",
      });
    });

    test("that leads to no queue is GUARD_FAILED, over a connection that is closed as well", async () => {
      const guard = scene.guard({ routingKey: "nowhere" });
      await expect(guard.claim(fence())).rejects.toMatchObject({
        code: "GUARD_FAILED",
        message: expect.stringMatching("NO_ROUTE") as string,
      });
      const connection = await scene.connect();
      const closed = scene.guard({}, connection);
      await connection.close();
      await expect(closed.claim(fence())).rejects.toMatchObject({ code: "GUARD_FAILED" });
    });

    test("that the broker answers by closing the channel may have been made, and says why; the next has another", async () => {
      const guard = scene.guard({ exchange: "none" });
      for (let count = 0; count < 2; count += 1) {
        await expect(guard.claim(fence())).rejects.toMatchObject({
          code: "CLAIM_UNCONFIRMED",
          cause: { message: expect.stringMatching("no exchange 'none'") as string },
        });
      }
    });

    test("repeated by whoever numbers by itself goes on after what was applied", async () => {
      await scene.consume();
      const guard = scene.guard();
      const first = await guard.claim(fence());
      await first.publish("one");
      const second = await guard.claim(fence());
      await second.publish("two");
      await scene.until(async () => (await scene.content()).length === 2);
      expect(scene.refused).toEqual([]);
    });
  });

  describe("a message", () => {
    test("of a term that a consumer has refused: the term is told, and publishes no more", async () => {
      await scene.consume();
      const told: number[] = [];
      const sequence = createSequence("any");
      const outpaced = (watermark: number) => void told.push(watermark);
      const former = await scene.guard().claim({
        fence: fence(),
        sequence: () => sequence,
        outpaced,
      });
      await scene.guard().claim(fence({ token: 8, owner: "b" }));
      await former.publish("late");
      await scene.until(() => told.length > 0);
      expect(scene.refused).toEqual([{ reason: "STALE", text: "late" }]);
      await expect(former.publish("later")).rejects.toMatchObject({ code: "STALE", watermark: 8 });
      expect(await scene.content()).toEqual([]);
    });

    test("whose confirmation is lost is unknown, and handed back it takes effect once", async () => {
      const proxy = await server.proxy();
      const connection = await recovering(proxy.url);
      await scene.consume();
      const handle = await scene.guard({ timeoutMs: 500 }, connection).claim(fence());
      const drop = proxy.drop("to-client", { matching: "once" });
      const error = await handle.publish("once", { opId: "op" }).catch((cause: unknown) => cause);
      if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
      expect(error.attempt).toMatchObject({ seq: 1, opId: "op" });
      const back = reconnected(connection);
      await drop.end();
      await back;
      await handle.publish("once", { attempt: error.attempt });
      await handle.publish("two");
      await scene.until(async () => (await scene.content()).includes("two"));
      expect(await scene.content()).toEqual(["once", "two"]);
      expect(scene.refused).toEqual([]);
      await connection.close();
      await proxy.close();
    });

    test("carries the application's headers, and none in the fence's place", async () => {
      const handle = await scene.guard({ claim: "queued" }).claim(fence());
      await handle.publish(new TextEncoder().encode("bytes"), {
        headers: { kind: "test" },
        contentType: "x/y",
      });
      await expect(handle.publish("", { headers: { "tenure-fence": "{}" } })).rejects.toThrow(
        "without the fence",
      );
      const channel = await scene.channel();
      await channel.get(scene.queue, { noAck: true });
      const got = await channel.get(scene.queue, { noAck: true });
      expect(got && got.properties).toMatchObject({
        contentType: "x/y",
        deliveryMode: 2,
        headers: { kind: "test" },
      });
      expect(got && got.content.toString()).toBe("bytes");
    });
  });

  test("when the broker is killed and comes back, what it had confirmed takes effect, once", {
    timeout: 120_000,
  }, async () => {
    const connection = await recovering(server.url);
    const handle = await scene.guard({ claim: "queued" }, connection).claim(fence());
    for (const text of ["one", "two"]) await handle.publish(text, { opId: text });
    const back = reconnected(connection);
    await server.restart();
    await back;
    await scene.consume({}, connection);
    for (const text of ["two", "three"]) await handle.publish(text, { opId: text });
    await scene.until(async () => (await scene.content()).includes("three"));
    expect(await scene.content()).toEqual(["one", "two", "three"]);
    await connection.close();
  });
});
