/** What the harness does to a real nats-server: its process, its data, its network. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { connect, headers } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { Cutter } from "./framing.js";
import { nats, readPart } from "./nats-framing.js";
import { type NatsServer, startNats } from "./nats.js";
import { describeWithServer } from "./with-server.js";

describe("the framing of NATS", () => {
  const said = [
    "CONNECT {}\r\n",
    "PUB a 5\r\nh\r\nlo\r\n",
    "PUB a b 0\r\n\r\n",
    "HPUB a b 12 13\r\nNATS/1.0\r\n\r\nx\r\n",
    "PING\r\n",
  ];

  test.for([1, 2, 7, 1_000])("when a stream comes in pieces of %i bytes, it is cut alike", (size) => {
    const cutter = new Cutter((bytes) => {
      const part = readPart(bytes);
      return part && { length: part.length, message: bytes.toString("utf8", 0, part.length) };
    });
    const bytes = Buffer.from(said.join(""));
    const cuts: string[] = [];
    for (let at = 0; at < bytes.length; at += size) cuts.push(...cutter.take(bytes.subarray(at, at + size)));
    expect(cuts).toEqual(said);
  });

  test("what asks for an answer has one, and what the server says unasked is none", () => {
    const dialogue = nats.open();
    const asks = said.map((text) => dialogue.request(Buffer.from(text))?.isAnswered);
    expect(asks).toEqual([false, false, true, true, true]);
    const unasked = ["INFO {}\r\n", "PING\r\n", "+OK\r\n", "-ERR 'x'\r\n"];
    for (const text of unasked) expect(dialogue.reply(Buffer.from(text))?.ends).toBe(0);
    for (const text of ["MSG a 1 2\r\nhi\r\n", "HMSG a 1 12 12\r\nNATS/1.0\r\n\r\n\r\n", "PONG\r\n"])
      expect(dialogue.reply(Buffer.from(text))?.ends).toBe(1);
  });
});

describeWithServer("nats", "a NATS of the harness", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats();
    await server.addStream("LEDGER", ["ledger.>"]);
  });
  afterAll(async () => server.stop());

  test("when it is killed and started again, its stream goes on where it stood", async () => {
    const first = await server.publish("ledger.kept", "one");
    await server.restart();
    expect(await server.publish("ledger.kept", "two")).toBe(first + 1);
    const kept = await server.messages("LEDGER", "ledger.kept");
    expect(kept.map(({ data }) => data)).toEqual(["one", "two"]);
  });

  test("when it is started with an older copy, it has forgotten what came after", async () => {
    await server.publish("ledger.copied", "one");
    const copy = await server.snapshot();
    await server.publish("ledger.copied", "two");
    await server.restart(copy);
    expect((await server.messages("LEDGER", "ledger.copied")).map(({ data }) => data)).toEqual(["one"]);
  });

  test("when it is frozen, it answers once it is thawed", async () => {
    await server.freeze();
    const publishing = server.publish("ledger.frozen", "one");
    const quiet = await Promise.race([publishing.then(() => "answered"), turns(200)]);
    expect(quiet).toBe("turned");
    server.thaw();
    expect(await publishing).toBeGreaterThan(0);
  });

  test("when the answer to a publish is lost on the way, the message is there all the same", async () => {
    const proxy = await server.proxy();
    const connection = await connect({ servers: proxy.url, reconnect: false });
    proxy.drop("to-client", { matching: "lost answer", times: 1 });
    const options = { headers: headers(), timeout: 500 };
    options.headers.set("Why", "so that it goes as HPUB");
    await expect(connection.request("ledger.lost", "lost answer", options)).rejects.toThrow("timeout");
    expect(proxy.faults.drop).toBe(1);
    expect((await server.messages("LEDGER", "ledger.lost")).map(({ data }) => data)).toEqual(["lost answer"]);
    await proxy.close();
    await connection.closed();
  });

  test("when it is stopped, its process and its folder are gone", async () => {
    const before = folders();
    const other = await startNats();
    const { pid } = other;
    expect(folders().length).toBe(before.length + 1);
    await other.stop();
    expect(listProcesses().some((listed) => listed.pid === pid)).toBe(false);
    expect(folders()).toEqual(before);
  });
});

function folders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => /^tenure-nats-(?!copy-)/.test(name));
}

/** Resolves after so many turns of the event loop, in each of which I/O is looked at. */
async function turns(count: number): Promise<string> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return "turned";
}
