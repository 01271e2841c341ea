/** What a server's memory is trusted with: epochs, absence, and what is released (rules 2, 5 and 7). */

import { expect, test } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { call, create, key, onServer, place, present, put, record, vouch } from "./scene.js";

describeWithServer("redis", "memory of a redis server", () => {
  test("when nobody has watched the server yet, a creation that asks for proof is unproven and writes nothing", async () =>
    onServer(async ({ server, store }) => {
      expect(await create(store(), "new")).toBe("unproven");
      expect(await server.command("EXISTS", "tenure:{default}:new")).toBe(0);
    }));

  test("when one object has watched it for maxTtlMs, absence is proven to all", async () =>
    onServer(async ({ store }) => {
      const [watcher, other] = [store(), store()];
      expect(await create(other, "one")).toBe("unproven");
      await vouch(watcher);
      expect(await create(other, "one")).toBe("written");
      expect(await create(store(), "two")).toBe("written");
    }));

  test("when one batch holds two renewals of one record, one of them conflicts", async () =>
    onServer(async ({ store }) => {
      const holder = store();
      const expected = await put(holder);
      const renewals = [record({ seq: 2 }), record({ seq: 2 })];
      const answers = await holder.writeMany?.(
        renewals.map((one) => ({ key, record: one, expected, call: call() })),
      );
      expect(answers?.map(({ kind }) => kind)).toEqual(["written", "conflict"]);
    }));

  test("a renewal on a version that is gone conflicts, and shows what stands there", async () =>
    onServer(async ({ store }) => {
      const holder = store();
      const first = await put(holder);
      await put(holder, { seq: 2 }, first);
      const late = await holder.write(key, record({ seq: 2 }), first, call());
      expect(late).toMatchObject({ kind: "conflict", current: { body: { seq: 2 } } });
    }));

  test("renewals ask the server for nothing but their record, until maxTtlMs have passed", async () =>
    onServer(async ({ server, store }) => {
      const holder = store();
      await vouch(holder);
      let { version } = await present(holder);
      const before = await server.commandCount("info");
      for (let seq = 3; seq < 13; seq += 1)
        version = await put(holder, { instance: "watcher", seq }, version);
      expect((await server.commandCount("info")) - before).toBe(0);
    }));

  const forgets: readonly (readonly [string, string[]])[] = [
    ["FLUSHALL", ["FLUSHALL"]],
    ["FLUSHDB", ["FLUSHDB"]],
    ["SWAPDB", ["SWAPDB", "0", "1"]],
    ["the marker alone is deleted", ["DEL", place.marker]],
  ];
  for (const [what, command] of forgets) {
    test(`after ${what}, absence proves nothing and the epoch is another`, async () =>
      onServer(async ({ server, store }) => {
        const watcher = store();
        await vouch(watcher);
        const before = await present(watcher);
        await server.command(...command);
        expect(await create(store(), "new")).toBe("unproven");
        const after = await watcher.write(key, record(), undefined, call());
        expect(after.kind === "written" ? after.epoch : after.kind).not.toBe(before.epoch);
      }));
  }

  test("when the store that made the marker makes it again after a flush, it has watched nothing yet", async () =>
    onServer(async ({ server, store }) => {
      const watcher = store();
      await vouch(watcher);
      await server.command("FLUSHALL");
      // The first write makes the marker, without a look in between; the second one must not vouch for it.
      expect(await create(watcher, "first")).toBe("unproven");
      expect(await create(watcher, "second")).toBe("unproven");
    }));

  test("when the server was restarted with its data, what it shows has another epoch: its holder renews on, anybody else conflicts", async () =>
    onServer(
      async ({ server, store }) => {
        const holder = store();
        const version = await put(holder);
        const before = await present(holder);
        await server.restart({ data: "kept" });
        const taken = await holder.write(key, record({ instance: "b" }), version, call());
        expect(taken).toMatchObject({ kind: "conflict", current: { body: { nonce: nonceOf(before) } } });
        const renewed = await put(holder, { seq: 2 }, version);
        const after = await present(holder);
        expect(after.epoch).not.toBe(before.epoch);
        expect((await holder.write(key, record({ instance: "b" }), renewed, call())).kind).toBe("conflict");
        await put(holder, { instance: "b", seq: 3 }, after.version);
      },
      { config: { appendonly: "yes", appendfsync: "always" } },
    ));

  test("when a restarted server shows a tombstone from before, it is taken only after the wait; one written since at once", async () =>
    onServer(
      async ({ server, store }) => {
        const holder = store();
        await vouch(holder);
        await put(holder, { state: "released", seq: 3 }, (await present(holder)).version);
        const proving = call({ absence: "prove" });
        await server.restart({ data: "kept" });
        const old = await present(holder);
        expect((await holder.write(key, record({ instance: "b" }), old.version, proving)).kind).toBe(
          "unproven",
        );
        expect((await holder.write(key, record({ instance: "b" }), old.version, call())).kind).toBe(
          "written",
        );
        await put(holder, { instance: "b", state: "released", seq: 2 }, (await present(holder)).version);
        const { version } = await present(holder);
        expect((await holder.write(key, record({ instance: "c" }), version, proving)).kind).toBe("written");
      },
      { config: { appendonly: "yes", appendfsync: "always" } },
    ));

  test("when a restarted server shows a lease from before, it is taken only after the wait, also when somebody else has written on it since", async () =>
    onServer(
      async ({ server, store }) => {
        // Nobody has watched the server for as long as that.
        const candidate = store({ maxTtlMs: 60_000 });
        await put(candidate);
        await server.restart({ data: "kept" });
        const take = async (absence: "prove" | "waited") =>
          candidate.write(
            key,
            record({ instance: "b" }),
            (await present(candidate)).version,
            call({ absence }),
          );
        expect((await take("prove")).kind).toBe("unproven");
        const { version } = await present(candidate);
        await put(candidate, { writer: "op", request: { verb: "resign", id: "r", by: "op" } }, version);
        expect((await take("prove")).kind).toBe("unproven");
        expect((await take("waited")).kind).toBe("written");
        expect((await take("prove")).kind).toBe("written");
      },
      { config: { appendonly: "yes", appendfsync: "always" } },
    ));

  test("when the server was set back to an older state, the record there is older, and neither its holder nor another can go on from before", async () =>
    onServer(
      async ({ server, store }) => {
        const holder = store();
        const first = await put(holder);
        const snapshot = await server.snapshot();
        const second = await put(holder, { seq: 2 }, first);
        await server.restart({ data: snapshot });
        const answer = await holder.write(key, record({ seq: 3 }), second, call());
        expect(answer).toMatchObject({ kind: "conflict", current: { body: { seq: 1 } } });
        // The very same record, as somebody saw it in the epoch that is over.
        expect((await holder.write(key, record({ instance: "b" }), first, call())).kind).toBe("conflict");
      },
      { config: { appendonly: "yes", appendfsync: "always" } },
    ));

  test("a released record goes by itself after tombstoneMs, a held one never", async () =>
    onServer(async ({ server, store }) => {
      const holder = store({ tombstoneMs: 60_000 });
      const version = await put(holder);
      expect(await server.command("PTTL", place.key)).toBe(-1);
      const released = await put(holder, { state: "released", seq: 2 }, version);
      const left = Number(await server.command("PTTL", place.key));
      expect(left).toBeGreaterThan(50_000);
      expect(left).toBeLessThanOrEqual(60_000);
      await put(holder, { instance: "b" }, released);
      expect(await server.command("PTTL", place.key)).toBe(-1);
    }));

  test("when a process has another maxTtlMs than the namespace, every call fails and names both", async () =>
    onServer(async ({ store }) => {
      await put(store());
      const other = store({ maxTtlMs: 2_000 });
      const error: unknown = await other.read(key, call()).catch((cause: unknown) => cause);
      expect(error).toMatchObject({
        code: "STORE_MISMATCH",
        message: expect.stringMatching(/1000.*2000/) as string,
      });
      await expect(other.write(key, record(), undefined, call())).rejects.toMatchObject({
        code: "STORE_MISMATCH",
      });
    }));

  test("tokens up to the largest come back digit by digit", async () =>
    onServer(async ({ server, store }) => {
      const holder = store();
      let version: string | undefined;
      for (const token of [2 ** 52, 2 ** 52 - 1, 1_757_000_000_000_123, 10 ** 15, 1]) {
        version = await put(holder, { token }, version);
        expect((await present(holder)).body).toMatchObject({ token });
        expect(String(await server.command("GET", place.key))).toContain(`"token":${token},`);
      }
    }));
});

function nonceOf({ body }: { readonly body: unknown }): unknown {
  return (body as { readonly nonce: unknown }).nonce;
}
