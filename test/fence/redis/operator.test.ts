/** What operators do to a Redis guard: acts with their record, in one run of one server. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RedisClient, RedisHandle } from "../../../src/fence/redis/index.js";
import { scriptedSequence } from "../../../src/fence/scripted.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type ClientName, clientNames, connect, type Connected } from "../../stores/redis/clients.js";
import { fence } from "../scene.js";
import { breakable, intercepted, refusedWith, Scene } from "./scene.js";

const resource = "ledger";
const seen = { lineage: "default/lease", watermark: 7 };
const signed = { by: "kim@host", reason: "it's \\ moved, \u{1f5dd}" };
const order = { election: "invoices", from: seen, watermark: 1, ...signed };
const raft = { lineage: "default/raft", owner: "raft" };

let server: RedisServer;
const connected = new Map<ClientName, Connected>();

async function clientOf(name: ClientName = "ioredis-6"): Promise<RedisClient> {
  const found = connected.get(name) ?? (await connect(name, server.url));
  connected.set(name, found);
  return found.client;
}

async function opened(name?: ClientName): Promise<Scene> {
  return new Scene(server, await clientOf(name));
}

/** A client of a user with these rights; closed when `work` has ended. */
async function withRights(rights: readonly string[], work: (client: RedisClient) => Promise<void>) {
  await server.command("ACL", "SETUSER", "limited", "reset", "on", ">secret", ...rights);
  const limited = await connect("ioredis-6", server.url.replace("redis://", "redis://limited:secret@"));
  try {
    await work(limited.client);
  } finally {
    limited.close();
  }
}

async function put(handle: RedisHandle, key: string, value: string): Promise<void> {
  await handle.transaction((tx) => tx.set(key, value));
}

describeWithServer("redis", "an operator of the Redis guard", () => {
  beforeAll(async () => {
    server = await startRedis({ config: { appendonly: "yes", appendfsync: "everysec" } });
  });
  afterAll(async () => {
    for (const { close } of connected.values()) close();
    await server.stop();
  });

  describe("adopts and resets", () => {
    acts();
    keepsApart();
    refuses();
    disturbed();
    forgotten();
  });
  describe("of a server that was started again", () => {
    restarted();
  });
});

function acts(): void {
  it.each(clientNames)(
    "through %s: row and record change in one step, and the new lineage writes",
    async (name) => {
      const scene = await opened(name);
      const guard = scene.guard({ resource });
      const old = await guard.claim(fence());
      await put(old, scene.key("old"), "1");
      const toRaft = { election: "invoices", from: seen, lineage: raft.lineage, ...signed };
      const adopted = await guard.operator.adopt(toRaft);
      expect(adopted.before).toEqual({ ...seen, owner: "a" });
      expect(await refusedWith(put(old, scene.key("old"), "late"))).toMatchObject({
        code: "FOREIGN_LINEAGE",
      });
      const [row] = await guard.inspect();
      expect(row?.row).toMatchObject({ ...adopted.after, seq: 0, window: [], last: null });
      expect(await refusedWith(guard.claim(fence({ ...raft, token: 7 })))).toMatchObject({
        code: "CONFLICT",
      });
      const handle = await guard.claim(fence({ ...raft, token: 8 }));
      await put(handle, scene.key("new"), "1");
      expect(await handle.read([scene.key("old"), scene.key("new")])).toEqual(["1", "1"]);
      const from = { lineage: raft.lineage, watermark: 8 };
      const forgotten = await guard.operator.reset({ ...order, from, watermark: "forget" });
      expect(await guard.inspect()).toEqual([]);
      expect(await guard.operator.acts()).toEqual([forgotten, adopted]);
      expect(await refusedWith(put(handle, scene.key("new"), "late"))).toMatchObject({
        code: "CLAIM_MISSING",
      });
      await guard.claim(fence({ token: 1 }));
    },
  );

  it("what fences is shown as other guards show it: the numbers among the last 64, and the last result", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    const numbers = [1, 2, 9, 66];
    const sequence = (name: string) => scriptedSequence(name, numbers);
    const handle = await guard.claim({ fence: fence(), sequence });
    const names = numbers.map((number) => `ä\n${number}`);
    for (const opId of names)
      await handle.transaction(() => (opId === "ä\n66" ? { done: "ö" } : undefined), { opId });
    const [shown] = await guard.inspect();
    expect(shown).toMatchObject({ namespace: "default", election: "invoices", inForce: true });
    const window = [9, 66].map((seq) => ({ seq, opId: `ä\n${seq}`, returned: seq === 66 }));
    const last = { seq: 66, opId: "ä\n66", result: '{"done":"ö"}' };
    expect(shown?.row).toEqual({ v: 1, ...seen, owner: "a", seq: 66, window, last });
  });

  it("the latest 16 acts are kept, the latest first", async () => {
    const guard = (await opened()).guard({ resource });
    await guard.claim(fence({ token: 1 }));
    for (let watermark = 1; watermark <= 20; watermark += 1)
      await guard.operator.reset({ ...order, from: { ...seen, watermark }, watermark: watermark + 1 });
    const after = (await guard.operator.acts()).map((act) => act.after?.watermark);
    expect(after).toEqual(Array.from({ length: 16 }, (_, index) => 21 - index));
  });
}

/** Whatever their names are. */
function keepsApart(): void {
  it("a record holds the longest of all texts, and comes back letter by letter", async () => {
    const scene = await opened();
    const [election = "", lineage = ""] = [1_024, 2_048].map((bytes) => "\\\0".repeat(bytes / 2));
    const owner = "\u{1f5dd}".repeat(50);
    const guard = scene.guard({ resource: election });
    await guard.claim(fence({ namespace: election, election, lineage, owner }));
    const acted = await guard.operator.reset({
      ...{ namespace: election, election, from: { lineage, watermark: 7 }, watermark: 2 ** 52 },
      ...{ by: "\0".repeat(200), reason: "\u{1f5dd}".repeat(125) },
    });
    expect(acted.before).toEqual({ lineage, watermark: 7, owner });
    expect(await guard.operator.acts()).toEqual([acted]);
    expect((await guard.inspect())[0]).toMatchObject({ namespace: election, election, row: acted.after });
  });

  it("resources and elections keep their rows and acts apart", async () => {
    const scene = await opened();
    const guards = ["ledger", "ledger ", "Ledger"].map((name) => scene.guard({ resource: name }));
    const [first, ...others] = guards;
    for (const guard of guards)
      for (const election of ["invoices", "rates"]) await guard.claim(fence({ election }));
    await first?.operator.reset({ ...order, watermark: "forget" });
    expect((await first?.inspect())?.map(({ election }) => election)).toEqual(["rates"]);
    expect(await first?.operator.acts()).toHaveLength(1);
    for (const guard of others) {
      expect(await guard.inspect()).toHaveLength(2);
      expect(await guard.operator.acts()).toEqual([]);
    }
  });
}

/** Nothing is changed then, and nothing recorded. */
function refuses(): void {
  it("when something else stands there than was seen", async () => {
    const guard = (await opened()).guard({ resource });
    await guard.claim(fence());
    const late = guard.operator.reset({ ...order, from: { ...seen, watermark: 6 } });
    expect(await refusedWith(late)).toMatchObject({ code: "FENCE_CHANGED", found: { ...seen, owner: "a" } });
    const absent = guard.operator.reset({ ...order, election: "other" });
    expect(await refusedWith(absent)).toMatchObject({ code: "FENCE_CHANGED", found: null });
    expect(await guard.operator.acts()).toEqual([]);
    expect((await guard.inspect())[0]?.row).toMatchObject({ ...seen, owner: "a" });
  });

  it("when a claim comes between the look and the act", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    await guard.claim(fence());
    let newer: Promise<unknown> | undefined;
    const slow = intercepted(await clientOf(), async (sent) => {
      newer ??= guard.claim(fence({ token: 8, owner: "b" }));
      await newer;
      return sent();
    });
    const acting = scene.guard({ resource }, slow).operator.reset(order);
    const found = { watermark: 8, owner: "b" };
    expect(await refusedWith(acting)).toMatchObject({ code: "FENCE_CHANGED", found });
    expect((await guard.inspect())[0]?.row).toMatchObject(found);
    expect(await guard.operator.acts()).toEqual([]);
  });

  it("when a client may not write records, or not all that an act changes", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    const handle = await guard.claim(fence());
    // The rights of a role that leads: none to what operators did.
    await withRights(["+@all", `~${scene.prefix}:fence:*`], async (client) => {
      const leader = scene.guard({ resource }, client);
      expect(await refusedWith(leader.operator.reset(order))).toMatchObject({ code: "GUARD_FAILED" });
      expect(await refusedWith(leader.operator.acts())).toMatchObject({ code: "GUARD_FAILED" });
      await leader.claim(fence());
      expect(await leader.inspect()).toHaveLength(1);
    });
    await withRights(["+@all", "-srem", "~*"], async (client) => {
      const forget = scene.guard({ resource }, client).operator.reset({ ...order, watermark: "forget" });
      expect(await refusedWith(forget)).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
    });
    expect(await guard.operator.acts()).toEqual([]);
    expect((await guard.inspect())[0]?.row).toMatchObject({ ...seen, owner: "a" });
    await put(handle, scene.key(resource), "goes on");
  });
}

/** What hides what became of an act. */
function disturbed(): void {
  it.each(["before", "after"] as const)(
    "when the answer is lost %s the act, it is unconfirmed, and the record says whether it was done",
    async (when) => {
      const scene = await opened();
      const { client, breakNext } = breakable(await clientOf());
      const guard = scene.guard({ resource }, client);
      await guard.claim(fence());
      breakNext(when);
      const error = await refusedWith(guard.operator.reset(order));
      expect(error).toMatchObject({ code: "ACT_UNCONFIRMED", outcome: "unknown" });
      const isDone = when === "after";
      expect(await guard.operator.acts()).toHaveLength(isDone ? 1 : 0);
      expect((await guard.inspect())[0]?.row.watermark).toBe(isDone ? 1 : 7);
    },
  );

  it.each([1, "forget"] as const)(
    "when the client sends it twice, a reset to %s is done once, and said to be done",
    async (watermark) => {
      const scene = await opened();
      const twice = intercepted(await clientOf(), async (sent) => {
        await sent();
        return sent();
      });
      const guard = scene.guard({ resource });
      await guard.claim(fence());
      // Known to the server from here on, so that what is sent twice is the run and not the text.
      await guard.operator.reset({ ...order, watermark: 6 });
      const from = { ...seen, watermark: 6 };
      const acted = await scene.guard({ resource }, twice).operator.reset({ ...order, from, watermark });
      expect(await guard.operator.acts()).toMatchObject([acted, { after: { watermark: 6 } }]);
      expect(await guard.inspect()).toHaveLength(watermark === "forget" ? 0 : 1);
    },
  );

  it("when it comes again after the same leader has claimed again, that claim stands", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    await guard.claim(fence());
    let late: () => Promise<unknown> = async () => undefined;
    const keeping = intercepted(await clientOf(), async (sent) => {
      late = sent;
      return sent();
    });
    await scene.guard({ resource }, keeping).operator.reset({ ...order, watermark: "forget" });
    const handle = await guard.claim(fence());
    await late();
    await put(handle, scene.key(resource), "1");
    expect(await guard.operator.acts()).toHaveLength(1);
  });
}

/** A body that read before its row was forgotten. */
function forgotten(): void {
  it("a body that read before its row was forgotten is asked again, however many writes there were since", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    const key = scene.key("counter");
    const handle = await guard.claim(fence());
    const read: (string | null)[] = [];
    await handle.transaction(async (tx) => {
      read.push(await tx.get(key));
      if (read.length === 1) {
        await guard.operator.reset({ ...order, watermark: "forget" });
        await put(await guard.claim(fence({ token: 6, owner: "b" })), key, "of b");
        await guard.claim(fence());
      }
      tx.set(key, `${read.at(-1)}, of a`);
    });
    expect(read).toEqual([null, "of b"]);
    expect(await handle.read([key])).toEqual(["of b, of a"]);
  });
}

/** A claim holds in one run of one server: an act makes none hold, and is done where the row is. */
function restarted(): void {
  it("rows are shown as claimed before; after an act or none nobody writes who has not claimed since", async () => {
    const scene = await opened();
    const [kept, acted] = ["kept", "acted"].map((name) => scene.guard({ resource: name }));
    const handles = await Promise.all([kept?.claim(fence()), acted?.claim(fence())]);
    await server.restart({ data: "kept" });
    expect(await kept?.inspect()).toMatchObject([{ inForce: false, row: { ...seen, owner: "a" } }]);
    await acted?.operator.reset({ ...order, watermark: 6 });
    expect(await acted?.inspect()).toMatchObject([{ inForce: false, row: { watermark: 6 } }]);
    for (const handle of handles)
      expect(await refusedWith(put(handle as RedisHandle, scene.key("x"), "late"))).toMatchObject({
        code: "CLAIM_MISSING",
      });
    for (const guard of [kept, acted]) {
      const again = await guard?.claim(fence());
      await put(again as RedisHandle, scene.key("x"), "claimed");
      expect(await guard?.inspect()).toMatchObject([{ inForce: true, row: seen }]);
    }
  });

  it("when it is back as it was before an act, the act is gone with its record, and nobody writes unclaimed", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    const handle = await guard.claim(fence());
    const before = await server.snapshot();
    await guard.operator.reset(order);
    await server.restart({ data: before });
    expect(await guard.operator.acts()).toEqual([]);
    expect(await guard.inspect()).toMatchObject([{ inForce: false, row: seen }]);
    expect(await refusedWith(put(handle, scene.key("x"), "late"))).toMatchObject({ code: "CLAIM_MISSING" });
    expect((await guard.operator.reset(order)).before).toEqual({ ...seen, owner: "a" });
  });

  it("a replica neither acts nor shows: what it says may be old", async () => {
    const scene = await opened();
    const guard = scene.guard({ resource });
    await guard.claim(fence());
    await server.command("REPLICAOF", "127.0.0.1", "1");
    try {
      const works = [guard.operator.reset(order), guard.operator.acts(), guard.inspect()];
      for (const { message } of await Promise.all(works.map(refusedWith)))
        expect(message).toContain("this server is a replica");
    } finally {
      await server.command("REPLICAOF", "NO", "ONE");
    }
    // Promoted: it may have forgotten claims.
    expect(await guard.inspect()).toMatchObject([{ inForce: false, row: seen }]);
    await guard.operator.reset(order);
  });
}
