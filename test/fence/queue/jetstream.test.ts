/** What is JetStream's own in its guard: settings of streams, messages past the guard, lost answers, what consumers see. */

import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JetstreamClient, JetstreamHandle, NatsHeaders } from "../../../src/fence/queue/index.js";
import { isMarker, jetstreamGuard, readFencedMessage } from "../../../src/fence/queue/index.js";
import { verifyFence } from "../../../src/fence/verify/index.js";
import { type NatsServer, startNats } from "../../servers/nats.js";
import { describeWithServer } from "../../servers/with-server.js";
import { refusedWith } from "../redis/scene.js";
import { fence } from "../scene.js";
import { type Connected, connected, restart, Scene } from "./scene.js";

const resource = "ledger";
const older = fence({ token: 7, owner: "a" });
const newer = fence({ token: 8, owner: "b" });

let server: NatsServer;
let client: Connected;

describeWithServer("nats", "a guarded subject of JetStream", () => {
  beforeAll(async () => {
    server = await startNats();
    client = await connected(server.url);
  });
  afterAll(async () => {
    await client.connection.close();
    await server.stop();
  });

  const scene = (config: object = {}) => new Scene(server, client, "shared", config);
  const alone = () => new Scene(server, client, "alone");

  it.each([
    ["retention", { retention: "workqueue" }],
    ["retention", { retention: "interest" }],
    ["kept in memory", { storage: "memory" }],
    ["no_ack", { no_ack: true }],
  ])("a stream that would lose what fences is refused by its %s: %j", async (named, config) => {
    const error = await refusedWith(scene(config).guard({ resource }).claim(older));
    expect(error).toMatchObject({ code: "GUARD_UNSUITABLE", outcome: "definite", retry: "never" });
    expect(error.message).toContain(named);
  });

  it("a stream that takes messages of others is refused", async () => {
    await server.addStream("OTHER", ["other"]);
    const sourced = scene({ sources: [{ name: "OTHER" }] });
    const error = await refusedWith(sourced.guard({ resource }).claim(older));
    expect(error).toMatchObject({ code: "GUARD_UNSUITABLE" });
  });

  it.each([
    [[], {}],
    [[], { max_msgs_per_subject: 1, max_msgs: 1_000, discard: "new" }],
    [["JETSTREAM_MAX_AGE"], { max_age: 60_000_000_000 }],
    [["JETSTREAM_LIMITS"], { max_msgs: 1_000, discard: "old" }],
    [["JETSTREAM_MAX_AGE", "JETSTREAM_LIMITS"], { max_age: 60_000_000_000, max_bytes: 1_000_000 }],
  ])("a claim finds %j in a stream of %j", async (codes, config) => {
    const guard = scene(config).guard({ resource });
    const { findings } = await guard.claim(older);
    expect(findings.map(({ code }) => code)).toEqual(codes);
    expect((await guard.inspect()).findings).toEqual(findings);
  });

  it("when the stream keeps one message of a subject, that one fences it", async () => {
    const short = scene({ max_msgs_per_subject: 1 });
    const handle = await short.guard({ resource }).claim(older);
    for (const text of ["1", "2", "3"]) await handle.publish(text);
    const successor = await short.guard({ resource }).claim(newer);
    expect(await refusedWith(handle.publish("late"))).toMatchObject({ code: "STALE", watermark: 8 });
    await successor.publish("4");
    expect(await short.content(resource)).toEqual(["4"]);
  });

  it.each(["purged", "without its last message"])(
    "when the subject is %s, its leader has to claim anew",
    async (how) => {
      const emptied = scene();
      const handle = await emptied.guard({ resource }).claim(newer);
      const { sequence: seq } = await handle.publish("1");
      const stream = emptied.stream(resource);
      if (how === "purged") await server.api(`STREAM.PURGE.${stream}`);
      // nats-server 2.9 then knows of no message, although the claim is below.
      else await server.api(`STREAM.MSG.DELETE.${stream}`, { seq });
      expect(await refusedWith(handle.publish("2"))).toMatchObject({ code: "CLAIM_MISSING" });
      await (await emptied.guard({ resource }).claim(newer)).publish("3");
      expect(await emptied.content(resource)).toEqual(["3"]);
    },
  );

  it("when somebody has published past the guard, publish and claim are refused until an operator covers it", async () => {
    const strayed = scene({ deny_delete: true, deny_purge: true });
    const guard = strayed.guard({ resource });
    const handle = await guard.claim(older);
    await handle.publish("1");
    await server.publish(strayed.subject(resource), "stray 1");
    const sequence = await server.publish(strayed.subject(resource), "stray 2");
    for (const refused of [async () => handle.publish("2"), async () => guard.claim(newer), guard.inspect]) {
      const error = await refusedWith(refused());
      expect(error).toMatchObject({ code: "GUARD_ROW_UNREADABLE", outcome: "definite" });
      expect(error.message).toContain(`sequence ${sequence}, was published past the guard`);
    }
    const order = { by: "ada", reason: "a script of ours" };
    const changed = guard.operator.cover({ ...order, sequence: sequence - 1 });
    expect(await refusedWith(changed)).toMatchObject({ code: "FENCE_CHANGED" });
    expect(await refusedWith(guard.operator.cover({ ...order, sequence, fresh: true }))).toMatchObject({
      code: "INVALID_OPTION",
    });
    const covered = await guard.operator.cover({ ...order, sequence });
    expect(covered.sequence).toBe(sequence + 1);
    expect((await strayed.messages(resource)).at(-1)?.headers).toContain('"reason":"a script of ours"');
    expect(await refusedWith(guard.claim(fence({ token: 6 })))).toMatchObject({
      code: "STALE",
      watermark: 7,
    });
    await handle.publish("2");
    expect(await strayed.content(resource)).toEqual(["1", "stray 1", "stray 2", "2"]);
  });

  it("a subject that was in use before is guarded once an operator says that it is fresh", async () => {
    const used = scene();
    const guard = used.guard({ resource });
    await guard.claim(older);
    await server.api(`STREAM.PURGE.${used.stream(resource)}`);
    const sequence = await server.publish(used.subject(resource), "from before");
    const order = { sequence, by: "ada", reason: "guarded from today" };
    expect(await refusedWith(guard.claim(older))).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
    expect(await refusedWith(guard.operator.cover(order))).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
    await guard.operator.cover({ ...order, fresh: true });
    await (await guard.claim(older)).publish("1");
    expect(await used.content(resource)).toEqual(["from before", "1"]);
  });

  it("when the server was killed and started again, the term goes on", async () => {
    const killed = scene();
    const handle = await killed.guard({ resource }).claim(newer);
    await handle.publish("1");
    await restart(server, client);
    await handle.publish("2");
    expect(await refusedWith(killed.guard({ resource }).claim(older))).toMatchObject({ code: "STALE" });
    expect(await killed.content(resource)).toEqual(["1", "2"]);
  });

  it("when the server stands still, a publish is unconfirmed, and is there once when it is handed back", async () => {
    const still = alone();
    const handle = await still.guard({ resource, timeoutMs: 1_000 }).claim(older);
    await server.freeze();
    const error = await refusedWith(handle.publish("once")).finally(() => server.thaw());
    expect(error).toMatchObject({ code: "GUARD_UNCONFIRMED", outcome: "unknown" });
    const { attempt } = error as unknown as {
      readonly attempt: { resource: string; seq: number; opId: string };
    };
    await client.connection.flush();
    const first = await handle.publish("again", { attempt });
    expect(await handle.publish("and again", { opId: attempt.opId })).toEqual(first);
    expect(await still.content(resource)).toHaveLength(1);
  });

  it("when an acknowledgement is lost with its connection, the message is found and answered", async () => {
    const lost = alone();
    await lost.guard({ resource }).claim(older);
    const proxy = await server.proxy();
    const far = await connected(proxy.url);
    const handle = await lost.guard({ resource }, far).claim(older);
    proxy.resetEvery(1, { of: "requests", delivered: true, matching: "the payload", times: 1 });
    const { sequence } = await handle.publish("the payload");
    expect(proxy.faults.reset).toBe(1);
    expect((await lost.messages(resource)).at(-1)).toMatchObject({ seq: sequence, data: "the payload" });
    expect(await lost.content(resource)).toEqual(["the payload"]);
    await far.connection.close();
    await proxy.close();
  });

  it("when a publish arrives after the successor's claim, the server does not store it", async () => {
    const late = alone();
    const proxy = await server.proxy();
    const far = await connected(proxy.url);
    const handle = await late.guard({ resource, timeoutMs: 1_000 }, far).claim(older);
    proxy.hold("to-server", { matching: "late payload", times: 1 });
    const publishing = refusedWith(handle.publish("late payload"));
    await proxy.held("late payload");
    const successor = await late.guard({ resource }).claim(newer);
    expect(await publishing).toMatchObject({ code: "GUARD_UNCONFIRMED" });
    const arrives = proxy.nextRequest("late payload");
    await proxy.heal();
    await arrives;
    await far.connection.flush();
    await successor.publish("1");
    expect(await late.content(resource)).toEqual(["1"]);
    expect(await refusedWith(handle.publish("2"))).toMatchObject({ code: "ATTEMPT_PENDING" });
    await far.connection.close();
    await proxy.close();
  });

  it("a consumer tells markers from messages, and reads who published them", async () => {
    const read = scene();
    const handle = await read.guard({ resource }).claim(older);
    await handle.publish("1", { opId: "first", headers: { Kind: "invoice" } });
    await server.publish(read.subject(resource), "stray");
    const manager = await jetstreamManager(client.connection);
    await manager.consumers.add(read.stream(resource), { durable_name: "reader" });
    const consumer = await jetstream(client.connection).consumers.get(read.stream(resource), "reader");
    const batch = await consumer.fetch({ max_messages: 3 });
    const seen: unknown[] = [];
    for await (const message of batch) {
      const kind = message.headers?.get("Kind") ?? "";
      seen.push([message.string(), isMarker(message), kind, readFencedMessage(message)]);
      message.ack();
    }
    expect(seen).toEqual([
      ["", true, "", undefined],
      ["1", false, "invoice", { fence: older, seq: 1, opId: "first" }],
      ["stray", false, "", undefined],
    ]);
  });

  it("passes verifyFence, and does not when the server is not told what it must expect", async () => {
    const probed = scene();
    const { operator, ...bare } = probed.guard({ resource: "unused" });
    expect(operator).toBeDefined();
    expect(bare.kind).toBe("jetstream");
    const verify = async (through: JetstreamClient) =>
      verifyFence((name) => probed.guard({ resource: name, order: "any" }, through), {
        write: async (handle: JetstreamHandle, { result, options, pause }) => {
          const payload = async () => {
            await pause?.();
            return result;
          };
          const { sequence } = await handle.publish(payload, options);
          return (await probed.messages("tenure-fence-verify")).find(({ seq }) => seq === sequence)?.data;
        },
      });
    const sound = await verify(client);
    expect(sound.probes.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(sound).toMatchObject({ kind: "jetstream", sound: true, left: [] });
    const unsound = await verify(withoutConditions(client));
    expect(unsound.sound).toBe(false);
    expect(unsound.probes.find(({ id }) => id === "delayed-write")?.outcome).toBe("accepted");
  });

  it("an operator gives the subject to another lineage, and sets the watermark", async () => {
    const acted = scene();
    const guard = acted.guard({ resource });
    const handle = await guard.claim(older);
    await handle.publish("1");
    const named = { election: older.election, by: "ada", reason: "moved to raft" };
    const adopted = await guard.operator.adopt({
      ...named,
      from: { lineage: older.lineage, watermark: 7 },
      lineage: "default/raft",
    });
    expect(await refusedWith(handle.publish("2"))).toMatchObject({ code: "FOREIGN_LINEAGE" });
    expect(await guard.operator.acts()).toEqual([adopted]);
    await guard.operator.reset({
      ...named,
      from: { lineage: "default/raft", watermark: 7 },
      watermark: 3,
    });
    await (await guard.claim(fence({ token: 4, lineage: "default/raft" }))).publish("3");
    expect(await acted.content(resource)).toEqual(["1", "3"]);
    expect(await guard.operator.acts()).toHaveLength(2);
  });

  it("what a stream would not take is refused before it is sent, and the term goes on", async () => {
    const sized = scene();
    const handle = await sized.guard({ resource }).claim(older);
    const large = "x".repeat(1_048_576);
    expect(await refusedWith(handle.publish(large))).toMatchObject({ code: "VALUE_TOO_LARGE" });
    const headers = { Large: "x".repeat(65_000) };
    expect(await refusedWith(handle.publish("1", { headers }))).toMatchObject({ code: "VALUE_TOO_LARGE" });
    await handle.publish(new Uint8Array([0, 255]));
    expect(await sized.messages(resource)).toHaveLength(2);
  });

  it("when the stream is not there, or does not keep the subject, a claim fails for now", async () => {
    const found = { code: "GUARD_FAILED", outcome: "definite", retry: "later" };
    const nowhere = jetstreamGuard(client, { stream: "NOWHERE", subject: "nowhere" });
    expect(await refusedWith(nowhere.claim(older))).toMatchObject(found);
    await server.addStream("SOMEWHERE", ["somewhere"]);
    const elsewhere = jetstreamGuard(client, { stream: "SOMEWHERE", subject: "nowhere" });
    expect(await refusedWith(elsewhere.claim(older))).toMatchObject(found);
    await server.addStream("BESIDE", ["beside"]);
    const other = jetstreamGuard(client, { stream: "SOMEWHERE", subject: "beside" });
    expect(await refusedWith(other.claim(older))).toMatchObject(found);
  });
});

it.each([
  ["stream", { stream: "A.B" }],
  ["subject", { subject: "a.*" }],
  ["subject", { subject: "" }],
  ["order", { order: "some" }],
  ["timeoutMs", { timeoutMs: 1 }],
  ["rememberOperations", { rememberOperations: 257 }],
  ["apiPrefix", { apiPrefix: "$JS API" }],
])("a wrong %s is refused at once: %j", (option, change) => {
  const idle: JetstreamClient = {
    connection: { isClosed: () => false, request: async () => expect.unreachable("nothing is sent") },
    headers: () => ({ set() {} }),
  };
  const options = { stream: "LEDGER", subject: "ledger", ...change } as never;
  expect(() => jetstreamGuard(idle, options)).toThrow(`${option} must be`);
});

it.each([
  ["it is null", null],
  ["it has no headers()", { connection: {} }],
  ["it has no connection", { headers: () => {} }],
  ["its connection has no request()", { headers: () => {}, connection: {} }],
])("a client is refused when %s", (why, wrong) => {
  expect(() => jetstreamGuard(wrong as never, { stream: "LEDGER", subject: "ledger" })).toThrow(why);
});

/** A client that leaves out what the server is to compare. */
function withoutConditions({ connection, headers: create }: JetstreamClient): JetstreamClient {
  const headers = (): NatsHeaders => {
    const made = create();
    const set = made.set.bind(made);
    return Object.assign(made, {
      set(name: string, value: string) {
        if (!name.startsWith("Nats-Expected-Last")) set(name, value);
      },
    });
  };
  return { connection, headers };
}
