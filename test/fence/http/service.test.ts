/** What a service answers to each request, without a network: which status, which verdict, and what its database says. */

import { describe, expect, it } from "vitest";
import { createError } from "../../../src/errors/index.js";
import { httpGuard, httpService } from "../../../src/fence/http/index.js";
import { decodeVerdict, type Verdict } from "../../../src/fence/http/verdict.js";
import { memoryGuard } from "../../../src/fence/memory/index.js";
import { encodeSent, type Sent } from "../../../src/fence/remote/sent.js";
import { fence } from "../scene.js";

type Entries = readonly string[];

const ledgerOf = () => memoryGuard<Entries>({ resource: "ledger", initial: [] });

const claim: Sent = { kind: "claim", resource: "ledger", fence: fence() };
const read: Sent = { kind: "read", resource: "ledger", fence: fence() };
const write: Sent = { kind: "write", resource: "ledger", fence: fence(), seq: 1, opId: "one" };

const facts = (method: string, sent: Sent | string | undefined) => ({
  ...{ method, request: undefined, body: undefined },
  fence: sent === undefined || typeof sent === "string" ? sent : encodeSent(sent),
});

type Received = Awaited<ReturnType<ReturnType<typeof httpService>["receive"]>>;

function verdictIn(sent: Sent, found: Received): Verdict | undefined {
  return decodeVerdict(
    sent,
    found.kind === "answer" ? (found.headers["tenure-verdict"] ?? "") : found.verdict,
  );
}

describe("a service over HTTP", () => {
  it("asks for a fence, and refuses what does not fit the request", async () => {
    const service = httpService(ledgerOf());
    await service.receive(facts("POST", claim), () => {});
    const newer = JSON.stringify({ ...(JSON.parse(encodeSent(write)) as object), v: 2 });
    for (const [method, sent, status] of [
      ["POST", undefined, 428],
      ["GET", undefined, 428],
      ["POST", "", 400],
      ["POST", "{}", 400],
      ["POST", newer, 400],
      ["POST", { ...write, resource: "other" }, 400],
      ["GET", write, 400],
      ["HEAD", write, 400],
      ["GET", claim, 400],
      ["POST", read, 400],
      ["DELETE", read, 400],
    ] as const) {
      const found = await service.receive(facts(method, sent), () => expect.unreachable());
      expect(found, `${method} ${JSON.stringify(sent)}`).toMatchObject({ kind: "answer", status });
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
      const one: Sent = {
        ...write,
        opId: method,
        seq: 1 + ["POST", "PUT", "PATCH", "DELETE"].indexOf(method),
      };
      expect(await service.receive(facts(method, one), () => {})).toMatchObject({ status: 204 });
    }
    for (const method of ["GET", "HEAD"]) {
      expect(await service.receive(facts(method, read), () => ({ body: 1 }))).toMatchObject({ status: 200 });
    }
  });

  it("takes claims alone where no handler is", async () => {
    const service = httpService(ledgerOf());
    expect(await service.receive(facts("POST", claim))).toMatchObject({ status: 204 });
    for (const [method, sent] of [
      ["POST", write],
      ["GET", read],
    ] as const) {
      const found = await service.receive(facts(method, sent));
      expect(found).toMatchObject({ status: 405 });
      expect(verdictIn(sent, found)).toEqual({ verdict: "failed", code: "INVALID_OPTION" });
    }
  });

  it("says of a claim that failed what became of it: nothing, or that nobody knows", async () => {
    const unconfirmed = createError("CLAIM_UNCONFIRMED", "the commit was not answered");
    const blocked = createError("CLAIM_BLOCKED", "somebody holds it", { fields: { blockers: [] } });
    for (const [error, verdict] of [
      [unconfirmed, { verdict: "unconfirmed" }],
      [blocked, { verdict: "failed", code: "CLAIM_BLOCKED" }],
      [new Error("of the driver"), { verdict: "failed", code: "GUARD_FAILED" }],
    ] as const) {
      const service = httpService({ ...ledgerOf(), claim: async () => Promise.reject(error) });
      const found = await service.receive(facts("POST", claim));
      expect(found).toMatchObject({ kind: "failure", error });
      expect(verdictIn(claim, found)).toEqual(verdict);
      const send: typeof fetch = async () =>
        new Response(null, {
          status: 500,
          headers: { "tenure-verdict": found.kind === "failure" ? found.verdict : "" },
        });
      const claiming = httpGuard({ url: "http://service/", resource: "ledger", fetch: send }).claim(fence());
      const code = verdict.verdict === "unconfirmed" ? "CLAIM_UNCONFIRMED" : verdict.code;
      await expect(claiming).rejects.toMatchObject({ code });
    }
  });

  it("says of a handler that threw, or declined, that nothing was applied; the number may come again", async () => {
    const ledger = ledgerOf();
    const service = httpService(ledger);
    await service.receive(facts("POST", claim));
    const broken = new Error("of the handler");
    const thrown = await service.receive(facts("POST", write), (tx) => {
      tx.value = ["thrown"];
      throw broken;
    });
    expect(thrown).toMatchObject({ kind: "failure", error: broken });
    expect(verdictIn(write, thrown)).toEqual({ verdict: "rolled-back" });
    const declined = await service.receive(facts("POST", write), async (tx) => {
      tx.value = ["declined"];
      return { status: 422, body: { why: "no" } };
    });
    expect(declined).toMatchObject({ status: 422, body: '{"why":"no"}' });
    expect(verdictIn(write, declined)).toEqual({ verdict: "rolled-back" });
    await service.receive(facts("POST", write), (tx) => void (tx.value = ["done"]));
    expect((await ledger.inspect()).value).toEqual(["done"]);
  });

  it("answers a read as it comes, however long, and a write only when it is there", async () => {
    const service = httpService(ledgerOf());
    const long = "x".repeat(3 << 20);
    const send: typeof fetch = async (_, init) => {
      const line = new Headers(init?.headers).get("tenure-fence") ?? undefined;
      const found = await service.receive(facts(init?.method ?? "GET", line), () => ({ body: "done" }));
      if (found.kind === "failure") throw found.error;
      return new Response(found.status === 204 ? null : long, found);
    };
    const handle = await httpGuard({ url: "http://service/", resource: "ledger", fetch: send }).claim(
      fence(),
    );
    expect((await (await handle.fetch("")).text()).length).toBe(long.length);
    expect((await (await handle.fetch("", { method: "head" })).text()).length).toBe(long.length);
    await expect(handle.fetch("", { method: "POST" })).rejects.toMatchObject({ code: "GUARD_UNCONFIRMED" });
  });
});
