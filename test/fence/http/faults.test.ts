/** What a leader makes of answers that are none: cut off, late, a proxy's, a cache's, another request's. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TenureError, type TenureErrorOf } from "../../../src/errors/index.js";
import {
  type HttpGuardOptions,
  type HttpHandle,
  httpFilter,
  httpGuard,
  type HttpReply,
  httpService,
} from "../../../src/fence/http/index.js";
import { memoryGuard } from "../../../src/fence/memory/index.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";

type Entries = readonly string[];
type Send = (url: string, init: RequestInit) => Promise<Response>;

/** A service in this process, and the wire to it. */
class Wire {
  readonly ledger = memoryGuard<Entries>({ resource: "ledger", initial: [] });
  readonly #service = httpService(this.ledger);
  /** Requests that came to the service. */
  arrived = 0;
  /** In the place of the wire, once. */
  readonly instead: ((send: Send, ...sent: Parameters<Send>) => Promise<Response>)[] = [];
  /** What the handler answers. */
  reply: (text: string) => HttpReply | undefined = (text) => ({ body: text });
  readonly last: { init: RequestInit } = { init: {} };

  guard(options: Partial<HttpGuardOptions> = {}): ReturnType<typeof httpGuard> {
    const send = async (input: unknown, init: RequestInit = {}) => {
      this.last.init = init;
      const next = this.instead.shift();
      return next === undefined ? this.#arrive(String(input), init) : next(this.#arrive, String(input), init);
    };
    return httpGuard({
      url: "http://service/ledger",
      resource: "ledger",
      fetch: send,
      ...options,
    });
  }

  async content(): Promise<Entries> {
    return (await this.ledger.inspect()).value;
  }

  readonly #arrive: Send = async (url, init) => {
    this.arrived += 1;
    const { body, method = "GET", headers } = init;
    const line = new Headers(headers).get("tenure-fence") ?? undefined;
    const facts = { method, fence: line, request: url, body };
    const found = await this.#service.receive(facts, (tx, received) => {
      const text = String(received.body);
      tx.value = [...tx.value, text];
      return this.reply(text);
    });
    if (found.kind === "failure") {
      return new Response("sorry", { status: 500, headers: { "tenure-verdict": found.verdict } });
    }
    return new Response(found.body ?? null, { status: found.status, headers: found.headers });
  };
}

async function post(handle: HttpHandle, body: string, init: object = {}): Promise<string> {
  return (await handle.fetch("", { method: "POST", body, ...init })).text();
}

async function unconfirmed(sent: Promise<unknown>): Promise<TenureErrorOf<"GUARD_UNCONFIRMED">> {
  const error = await rejection(sent);
  if (TenureError.is(error, "GUARD_UNCONFIRMED")) return error;
  throw error;
}

/** Done at the service, and then something else is said. */
const after =
  (say: (said: Response) => Response): Wire["instead"][number] =>
  async (send, url, init) =>
    say(await send(url, init));

const verdictOf = (said: Response) =>
  JSON.parse(said.headers.get("tenure-verdict") ?? "{}") as Readonly<Record<string, unknown>>;
const saying = (verdict: unknown) =>
  new Response("", {
    headers: { "tenure-verdict": typeof verdict === "string" ? verdict : JSON.stringify(verdict) },
  });

const nobodysWord: Readonly<Record<string, Wire["instead"][number]>> = {
  "a connection that is reset": async () => Promise.reject(new TypeError("fetch failed")),
  "a reset after it was done": after(() => {
    throw new TypeError("fetch failed");
  }),
  "the 502 of a proxy": async () => new Response("bad gateway", { status: 502 }),
  "a 200 of a route that fences nothing": async () => new Response("ok"),
  "a redirection": async () => new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
  "a verdict on another operation": after((said) => saying({ ...verdictOf(said), opId: "another" })),
  "a verdict on another term": after((said) => saying({ ...verdictOf(said), token: 6 })),
  "a verdict of a later format": after((said) => saying({ ...verdictOf(said), v: 2 })),
  "a verdict that says nothing known": after((said) => saying({ ...verdictOf(said), verdict: "perhaps" })),
  "two verdicts": after((said) =>
    saying(`${JSON.stringify(verdictOf(said))}, ${JSON.stringify(verdictOf(said))}`),
  ),
  "a service that does not know itself": after((said) =>
    saying({ ...verdictOf(said), verdict: "unconfirmed" }),
  ),
  "a check in front of a handler": after((said) => saying({ ...verdictOf(said), verdict: "passed" })),
  "a body that is cut off": after((said) => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('"o'));
        controller.error(new TypeError("terminated"));
      },
    });
    return new Response(body, { headers: said.headers });
  }),
  "an answer that never ends": after((said) => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
    return new Response(body, { headers: said.headers });
  }),
};

describe("an answer to a write that is nobody's word", () => {
  for (const [what, instead] of Object.entries(nobodysWord)) {
    it(`(${what}) leaves the outcome open, and the attempt that is handed back is applied once`, async () => {
      const wire = new Wire();
      const handle = await wire.guard().claim(fence());
      wire.instead.push(instead);
      const { attempt } = await unconfirmed(post(handle, "one"));
      expect(await post(handle, "one", { attempt })).toBe('"one"');
      expect(await post(handle, "two")).toBe('"two"');
      expect(await wire.content()).toEqual(["one", "two"]);
    });
  }

  it("is whatever nobody can read as a verdict", async () => {
    const wire = new Wire();
    const handle = await wire.guard().claim(fence());
    const odd = fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.json());
    await fc.assert(
      fc.asyncProperty(odd, async (line) => {
        wire.instead.push(async () => saying(line.replaceAll(/[^ -~]/g, "")));
        const { attempt } = await unconfirmed(post(handle, "x"));
        await post(handle, "x", { attempt });
      }),
      { numRuns: 50 },
    );
  });

  it("when none comes within timeoutMs, the request is given up and its outcome is open", async () => {
    const wire = new Wire();
    const handle = await wire.guard({ timeoutMs: 100 }).claim(fence());
    let given: unknown;
    wire.instead.push(
      async (_, __, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            given = signal;
            reject(new Error("aborted"));
          });
        }),
    );
    const error = await unconfirmed(post(handle, "one"));
    expect(error.cause).toMatchObject({ message: "http://service has not answered within 100 ms" });
    expect(given).toMatchObject({ aborted: true });
    expect(await post(handle, "one", { attempt: error.attempt })).toBe('"one"');
    expect(await wire.content()).toEqual(["one"]);
  });
});

describe("a leader's request", () => {
  it("is claimed again when nobody's word came to the claim", async () => {
    for (const [what, instead] of Object.entries(nobodysWord)) {
      const wire = new Wire();
      // Those that change the operation leave a claim as it is.
      if (/operation|cut off|never ends/.test(what)) continue;
      wire.instead.push(instead);
      expect(await rejection(wire.guard().claim(fence()))).toMatchObject({ code: "CLAIM_UNCONFIRMED" });
      await post(await wire.guard().claim(fence()), "one");
      expect(await wire.content()).toEqual(["one"]);
    }
  });

  it("goes to the origin of the claim alone, is not redirected, and carries one header", async () => {
    const wire = new Wire();
    const handle = await wire.guard().claim(fence());
    for (const input of ["http://elsewhere/ledger", "//elsewhere/", "https://service/ledger"]) {
      expect(await rejection(handle.fetch(input, { method: "POST" }))).toMatchObject({
        code: "INVALID_OPTION",
      });
    }
    expect(wire.arrived).toBe(1);
    await post(handle, "one", { headers: { authorization: "Bearer x" } });
    const headers = [...new Headers(wire.last.init.headers).keys()];
    expect([wire.last.init.redirect, headers]).toEqual(["manual", ["authorization", "tenure-fence"]]);
  });

  it("is not sent when its signal was aborted before", async () => {
    const wire = new Wire();
    const handle = await wire.guard().claim(fence());
    const reason = new Error("no longer wanted");
    expect(await rejection(post(handle, "one", { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await rejection(handle.fetch("", { signal: AbortSignal.abort(reason) }))).toBe(reason);
    await post(handle, "two");
    expect(await wire.content()).toEqual(["two"]);
  });

  it("that undoes itself after an open outcome leaves it open: the first send may come still", async () => {
    const wire = new Wire();
    const handle = await wire.guard().claim(fence());
    let late: () => Promise<Response> = async () => Response.error();
    wire.instead.push(async (send, url, init) => {
      late = async () => send(url, init);
      throw new TypeError("fetch failed");
    });
    const { attempt } = await unconfirmed(post(handle, "one"));
    wire.reply = () => ({ status: 422 });
    expect((await unconfirmed(post(handle, "one", { attempt }))).attempt).toEqual(attempt);
    wire.reply = () => ({ body: "late" });
    await late();
    expect(await post(handle, "one", { attempt })).toBe('"late"');
    expect(await wire.content()).toEqual(["one"]);
  });

  it("whose response is kept no longer is ATTEMPT_APPLIED when it comes again", async () => {
    const wire = new Wire();
    const handle = await wire.guard().claim(fence());
    await post(handle, "one", { opId: "one" });
    await post(handle, "two");
    expect(await rejection(post(handle, "one", { opId: "one" }))).toMatchObject({ code: "ATTEMPT_APPLIED" });
    expect(await wire.content()).toEqual(["one", "two"]);
  });

  it("whose response cannot be kept or sent applies nothing", async () => {
    const wire = new Wire();
    const handle = await wire.guard().claim(fence());
    const bad: readonly (readonly [unknown, string])[] = [
      [{ body: "x".repeat(4_095) }, "RESULT_TOO_LARGE"],
      [{ status: 100 }, "INVALID_OPTION"],
      [{ status: 204, body: "x" }, "INVALID_OPTION"],
      [{ headers: { "bad name": "x" } }, "INVALID_OPTION"],
      [{ headers: { "Content-Length": "7" } }, "INVALID_OPTION"],
      [{ headers: { "Tenure-Verdict": "{}" } }, "INVALID_OPTION"],
      [{ headers: { bad: "x\r\nset-cookie: y" } }, "INVALID_OPTION"],
      [{ answer: "x" }, "INVALID_OPTION"],
      ["text", "INVALID_OPTION"],
    ];
    for (const [reply, code] of bad) {
      wire.reply = () => reply as HttpReply;
      expect(await rejection(post(handle, "bad"))).toMatchObject({ code, outcome: "definite" });
    }
    const odd = { $reply: { status: 500 } };
    wire.reply = () => ({ body: odd });
    const options = { opId: "odd" };
    expect(JSON.parse(await post(handle, "odd", options))).toEqual(odd);
    expect(JSON.parse(await post(handle, "odd", options))).toEqual(odd);
    expect(await wire.content()).toEqual(["odd"]);
  });

  it("to a service that holds another resource is INVALID_OPTION, and claims nothing", async () => {
    const wire = new Wire();
    const claiming = wire.guard({ resource: "another" }).claim(fence());
    expect(await rejection(claiming)).toMatchObject({ code: "INVALID_OPTION" });
    expect((await wire.ledger.inspect()).rows).toEqual([]);
  });

  it("with names that make no header is INVALID_OPTION before anything is sent", async () => {
    const wire = new Wire();
    const long = fence({ election: "\u00e9".repeat(500), namespace: "\u00e9".repeat(500) });
    expect(await rejection(wire.guard().claim(long))).toMatchObject({ code: "INVALID_OPTION" });
    expect(wire.arrived).toBe(0);
  });

  it("is refused by options that are none", () => {
    const good = { url: "http://service/", resource: "ledger" };
    for (const bad of [
      { url: "service" },
      { url: "ftp://service/" },
      { url: "http://kim:secret@service/" },
      { resource: "" },
      { timeoutMs: 99 },
      { order: "none" },
      { concurrency: 65 },
      { advisory: "yes" },
      { fetch: 7 },
      { urll: "http://service/" },
    ]) {
      expect(() => httpGuard({ ...good, ...bad } as HttpGuardOptions)).toThrowError(/INVALID_OPTION/);
    }
    expect(() => httpGuard({ ...good, url: "http://kim:secret@service/" })).not.toThrowError(/secret/);
  });
});

describe("a service that only checks before its handler", () => {
  /** The schedule of docs/fencing.md: read, stand still, write what follows from what was read. */
  async function lateUpdate(kind: "filter" | "guard") {
    const claims = memoryGuard<number>({ resource: "account", initial: 100 });
    let balance = 100;
    const [filter, service] = [httpFilter(claims), httpService(claims)];
    let goOn = () => {};
    let reach = () => {};
    const going = new Promise<void>((resolve) => (goOn = resolve));
    const standing = new Promise<void>((resolve) => (reach = resolve));
    const pause = async (text: string) => {
      if (text !== "101") return;
      reach();
      await going;
    };
    const send = async (_: unknown, { method = "GET", headers, body }: RequestInit = {}) => {
      const facts = { method, fence: new Headers(headers).get("tenure-fence") ?? undefined };
      const text = typeof body === "string" ? body : "";
      const found =
        kind === "filter"
          ? await filter.check(facts)
          : await service.receive({ ...facts, request: undefined, body }, async (tx) => {
              await pause(text);
              tx.value = Number(text);
            });
      if (found.kind === "answer") {
        return new Response(found.body ?? null, { status: found.status, headers: found.headers });
      }
      if (found.kind === "failure") throw found.error;
      await pause(text);
      balance = Number(text);
      return new Response(null, { status: 204, headers: { "tenure-verdict": found.verdict } });
    };
    const options = { url: "http://service/", resource: "account", fetch: send as typeof fetch };
    const site = httpGuard({ ...options, advisory: kind === "filter" });
    const old = await site.claim(fence());
    const late = old.fetch("", { method: "PUT", body: "101" }).then(
      ({ status }) => status,
      (error: unknown) => error,
    );
    await standing;
    const successor = await site.claim(fence({ token: 8, owner: "b" }));
    await successor.fetch("", { method: "PUT", body: "90" });
    goOn();
    const outcome = await late;
    return { outcome, advisory: old.advisory, balance, guarded: (await claims.inspect()).value };
  }

  it("is no guard unless the leader says that it takes that", async () => {
    const filter = httpFilter(memoryGuard({ resource: "account", initial: 0 }));
    const send: typeof fetch = async (_, { method = "GET", headers } = {}) => {
      const found = await filter.check({
        method,
        fence: new Headers(headers).get("tenure-fence") ?? undefined,
      });
      if (found.kind !== "answer") throw new Error("a claim is answered");
      return new Response(found.body ?? null, { status: found.status, headers: found.headers });
    };
    const options = { url: "http://service/", resource: "account", fetch: send };
    const refused = await rejection(httpGuard(options).claim(fence()));
    expect(refused).toMatchObject({ code: "INVALID_OPTION" });
    expect((await httpGuard({ ...options, advisory: true }).claim(fence())).advisory).toBe(true);
  });

  it("loses the successor's update to a write that had passed; behind a guard the write is STALE", async () => {
    expect(await lateUpdate("filter")).toMatchObject({ outcome: 204, advisory: true, balance: 101 });
    expect(await lateUpdate("guard")).toMatchObject({
      outcome: { code: "STALE" },
      advisory: false,
      guarded: 90,
    });
  });
});
