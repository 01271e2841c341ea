/** Expiry by the server's clock: what a step of that clock does, and to whom. */

import { expect, test } from "vitest";
import { createElection } from "../../../src/create-election.js";
import { describeWithServer } from "../../servers/with-server.js";
import { call, key, maxTtlMs, onServer, present, put, record } from "./scene.js";

const byClock = call({ takeover: "store-clock" });

describeWithServer(["redis", "libfaketime"], "expiry by the clock of a redis server", () => {
  for (const expiry of ["store-clock", "observed"] as const) {
    test(`when the server's clock steps ahead, a record that says ${expiry} ${expiry === "observed" ? "is not" : "is"} judged by it`, async () =>
      onServer(
        async ({ server, store }) => {
          const [holder, taker] = [store(), store()];
          const version = await put(holder, { expiry });
          const young = await taker.write(key, record({ instance: "b" }), version, byClock);
          expect(young).toMatchObject({ kind: "conflict", current: { body: { instance: "a" } } });
          server.clock.jump(30_000);
          const { ageMs } = await present(taker);
          expect(ageMs ?? 0).toBeGreaterThanOrEqual(expiry === "observed" ? 0 : 30_000);
          const old = await taker.write(key, record({ instance: "b" }), version, byClock);
          expect(old.kind).toBe(expiry === "observed" ? "conflict" : "written");
        },
        { clock: true },
      ));
  }

  test("when the server's clock steps back, the record is as young as can be, and its holder renews on", async () =>
    onServer(
      async ({ server, store }) => {
        const holder = store();
        const version = await put(holder, { expiry: "store-clock" });
        server.clock.jump(-30_000);
        expect((await present(holder)).ageMs).toBe(0);
        expect((await holder.write(key, record({ instance: "b" }), version, byClock)).kind).toBe("conflict");
        await put(holder, { expiry: "store-clock", seq: 2 }, version);
      },
      { clock: true },
    ));

  test("whoever asks once takes a dead leader's lease at its first look, and is told that belief is advisory", async () =>
    onServer(
      async ({ server, store }) => {
        await put(store(), { expiry: "store-clock", token: 41 });
        server.clock.jump(2 * maxTtlMs);
        const late = createElection({ name: "job", store: store(), ttlMs: maxTtlMs, expiry: "store-clock" });
        const attempt = await late.tryCampaign({ immediate: true });
        expect(attempt.kind).toBe("elected");
        expect(late.status).toMatchObject({
          belief: "advisory",
          reasons: [expect.stringContaining("store's clock") as string],
        });
        await late.leadership?.resign();
        await late.stop();
      },
      { clock: true },
    ));
});
