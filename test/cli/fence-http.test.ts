/** `tenure fence verify` of a service: over its route for that, with its credentials, and nothing else of it. */

import { expect, it, onTestFinished, vi } from "vitest";
import { httpVerification } from "../../src/fence/http/index.js";
import { memoryGuard } from "../../src/fence/memory/index.js";
import { HttpServer } from "../fence/http/scene.js";
import { type Broken, broken, sound } from "../fence/remote/broken.js";
import { object, reason, run } from "./fencing.js";
import { createPlace } from "./tenure.js";

vi.setConfig({ testTimeout: 60_000 });

const basic = `Basic ${Buffer.from("ops:pass:word").toString("base64")}`;

/** A service that asks who comes. */
async function serve(wrong: Broken = sound): Promise<HttpServer> {
  const route = httpVerification((resource) => {
    const ledger = memoryGuard<unknown>({ resource, initial: null });
    return { ...ledger, ...wrong(ledger, { value: null }) };
  }).node({ onError: () => {} });
  const server = await HttpServer.open((request, response) => {
    if (request.url !== "/ledger") return response.writeHead(404).end();
    const isKnown = [basic, "Bearer pass:word"].includes(request.headers.authorization ?? "");
    return isKnown ? route(request, response) : response.writeHead(401).end();
  });
  onTestFinished(async () => server.close());
  return server;
}

it("passes a sound service, with credentials of the URL or of the environment, and shows none of them", async () => {
  const place = createPlace();
  const { url } = await serve();
  const found = await object(place, 0, "verify", url.replace("//", "//ops:pass%3Aword@"));
  const shown = url.replace("//", "//ops:***@");
  expect(found).toMatchObject({ sound: true, guard: { url: shown, holds: "service", kind: "http" } });
  expect(found["probes"]).toHaveLength(12);
  const environment = { TENURE_HTTP_AUTHORIZATION: "Bearer pass:word" };
  const ended = await place.start(["fence", "verify", url], environment).ended;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stdout).toMatch(/passed +unfenced-write +status 428\n/);
  const refused = await run(place, 122, "verify", url.replace("//", "//ops:word@"));
  expect(refused.err).toContain(`${url} is no route of httpVerification, or it fails: status 401`);
  expect(JSON.stringify([found, ended, refused])).not.toContain("word@");
});

it("ends with 123 and names the probe where a claim goes through that must not", async () => {
  const place = createPlace();
  const grants = broken.find(([what]) => what === "grants whatever is claimed")?.[1];
  const { url } = await serve(grants);
  const found = await run(place, 123, "verify", url.replace("//", "//ops:pass%3Aword@"));
  expect(found.out).toMatch(/\naccepted +equal-claim .*\n +sent: .*/);
  expect(found.out).toMatch(/\nFAIL: .*equal-claim/);
});

it("says where there is no such route, and does nothing else to a service", async () => {
  const place = createPlace();
  const { url } = await serve();
  const missing = await run(place, 122, "verify", url.replace("/ledger", "/other"));
  expect(missing.err).toContain("/other is no route of httpVerification, or it fails: status 404");
  await expect(run(place, 64, "status", url)).resolves.toMatchObject({
    err: expect.stringContaining("keeps what it has seen in its database") as string,
  });
  const named = ["--resource", "ledger", "--election", "invoices", ...reason, "--from", "default/lease@7"];
  const acted = await run(place, 64, "reset", url, ...named, "--forget", "--yes");
  expect(acted.err).toContain("keeps what it has seen in its database");
  expect((await run(place, 64, "verify", "http://")).err).toContain("write http://HOST/PATH");
});
