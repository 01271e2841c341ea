import { expect } from "vitest";
import { httpGuard, httpService } from "../src/fence/http/index.js";
import { claimUntil, rejection } from "../test/fence/claims.js";
import { HttpServer } from "../test/fence/http/scene.js";
import { fence } from "../test/fence/scene.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

export const caseF04OverHttp = defineCase({
  id: "F04-http",
  fault:
    "a request stands still: on its way to the service, and another time inside of the handler's transaction",
  mustHold:
    "the successor claims and writes; the first request is refused when it goes on, and of the other one nothing is committed",
  injected: "a fetch that holds the request back; a handler that waits in the middle of its transaction",
  mutants: ["G1-lower-accepted", "http-verdict-unasked"],
  faultCount: 2,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    let goOn = () => {};
    const standing = () => new Promise<void>((resolve) => (goOn = resolve));
    let reach = () => {};
    const inHandler = new Promise<void>((resolve) => (reach = resolve));
    const guard = scene.guard(scene.pool(), { timeoutMs: 500, claimLockTimeoutMs: 200 });
    const failures: unknown[] = [];
    const listener = httpService(guard).node(
      async (tx, { body }) => {
        const value = String(body);
        await scene.put(tx, value);
        if (value !== "in the handler") return;
        reach();
        await standing();
      },
      { onError: (error) => void failures.push(error) },
    );
    const server = await HttpServer.open(listener);
    stage.cleanUps.push(async () => server.close());
    let held: Promise<void> | undefined;
    const send: typeof fetch = async (input, init) => {
      await held;
      return fetch(input, init);
    };
    const site = httpGuard({ url: server.url, resource: "ledger", fetch: send });
    const post = async (handle: Awaited<ReturnType<typeof site.claim>>, body: string) =>
      handle.fetch("", { method: "POST", body });
    const first = await site.claim(fence());
    held = standing();
    const late = rejection(post(first, "on its way"));
    stage.fault();
    held = undefined;
    const second = await site.claim(fence({ token: 8, owner: "b" }));
    await post(second, "1");
    goOn();
    expect(await late).toMatchObject({ code: "STALE", watermark: 8 });
    const stopped = post(second, "in the handler");
    await inHandler;
    stage.fault();
    const { handle: third } = await claimUntil(site, fence({ token: 9, owner: "c" }));
    await post(third, "2");
    goOn();
    // The server has ended the session, so that nothing was committed for certain.
    expect(await rejection(stopped)).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
    expect(failures.length).toBeGreaterThan(0);
    expect(await scene.content()).toEqual(["1", "2"]);
  },
});
