/** What the harness does to a real RabbitMQ: its process, its data, and what is left of it. */
import { readFileSync } from "node:fs";
import type { Channel, ConfirmChannel } from "amqplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { type RabbitmqServer, startRabbitmq } from "./rabbitmq.js";
import { describeWithServer } from "./with-server.js";

function epmds(): readonly number[] {
  return listProcesses()
    .filter(({ command }) => /\/epmd\b/.test(command))
    .map(({ pid }) => pid);
}

/** Local ends of listening and of open connections. */
function addresses(kind: string): readonly string[] {
  const lines = readFileSync(`/proc/net/${kind}`, "utf8").split("\n").slice(1);
  return lines.map((line) => line.trim().split(/\s+/)[1] ?? "");
}

describeWithServer("rabbitmq", "a RabbitMQ of the harness", () => {
  let server: RabbitmqServer;
  let others: readonly number[];
  beforeAll(async () => {
    others = epmds();
    server = await startRabbitmq();
  }, 120_000);
  afterAll(async () => server.stop());

  /** What is in the queue now, taken out. */
  async function taken(channel: Channel, queue: string): Promise<string | undefined> {
    const got = await channel.get(queue, { noAck: true });
    return got === false ? undefined : got.content.toString();
  }

  async function publish(channel: ConfirmChannel, queue: string, text: string): Promise<void> {
    channel.sendToQueue(queue, Buffer.from(text), { persistent: true });
    await channel.waitForConfirms();
  }

  test("when it is started, it is one process and no epmd, and listens on the loopback interface", () => {
    const own = listProcesses().filter(({ pid }) => pid === server.pid);
    expect(own[0]?.command).toMatch("beam.smp");
    expect(epmds()).toEqual(others);
    const hex = server.port.toString(16).toUpperCase().padStart(4, "0");
    const listening = ["tcp", "tcp6"]
      .flatMap((kind) => addresses(kind))
      .filter((one) => one.endsWith(`:${hex}`));
    expect(new Set(listening)).toEqual(new Set([`0100007F:${hex}`]));
  });

  test("when it is killed and restarted, what it confirmed of a durable queue is there", {
    timeout: 120_000,
  }, async () => {
    const before = await server.connect();
    const channel = await before.createConfirmChannel();
    await channel.assertQueue("kept", { durable: true });
    await publish(channel, "kept", "confirmed");
    const { pid } = server;
    const closed = new Promise((resolve) => before.once("close", resolve));
    await server.restart();
    await closed;
    expect(server.pid).not.toBe(pid);
    expect(listProcesses().some((listed) => listed.pid === pid)).toBe(false);
    const after = await server.connect();
    expect(await taken(await after.createChannel(), "kept")).toBe("confirmed");
    await after.close();
  });

  test("when it is frozen, it answers nobody until it thaws", async () => {
    const connection = await server.connect();
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue("frozen");
    await server.freeze();
    let isConfirmed = false;
    const publishing = publish(channel, "frozen", "waits").then(() => {
      isConfirmed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isConfirmed).toBe(false);
    server.thaw();
    await publishing;
    await connection.close();
  });

  test("when the proxy drops a confirmation, the message is there all the same", async () => {
    const proxy = await server.proxy();
    const connection = await server.connect(proxy.port);
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue("unconfirmed");
    const drop = proxy.drop("to-client", { matching: "no answer" });
    const publishing = publish(channel, "unconfirmed", "no answer");
    const direct = await server.connect();
    const reading = await direct.createChannel();
    let text: string | undefined;
    while (text === undefined) text = await taken(reading, "unconfirmed");
    expect(text).toBe("no answer");
    await drop.end();
    await expect(publishing).rejects.toThrow("channel closed");
    await direct.close();
    await proxy.close();
  });
});
