/** Connections that the store makes keep the TLS settings of the client handed in, or of the URL. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RedisClient, redisStore } from "../../../src/stores/redis/index.js";
import { locateOrThrow } from "../../servers/binaries.js";
import { freePort } from "../../servers/port.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { call, key, maxTtlMs, present, put } from "./scene.js";

describeWithServer(["redis", "openssl"], "a redis store over TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenure-tls-"));
  const [certificate, secret] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  let server: RedisServer;
  let port = 0;

  beforeAll(async () => {
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
    const { path, env } = locateOrThrow("openssl");
    const options = { stdio: "ignore", env: { ...process.env, ...env } } as const;
    execFileSync(path, [...made, "-keyout", secret, "-out", certificate], options);
    port = await freePort();
    const files = { "tls-cert-file": certificate, "tls-key-file": secret, "tls-ca-cert-file": certificate };
    server = await startRedis({ config: { "tls-port": String(port), "tls-auth-clients": "no", ...files } });
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function works(client: RedisClient): Promise<void> {
    await using store = redisStore(client, { maxTtlMs, prefix: "tls" });
    const before = (await store.read(key, call()))?.version;
    await put(store, { instance: "over-tls" }, before);
    expect((await present(store)).body).toMatchObject({ instance: "over-tls" });
    const woken = new Promise((resolve) => store.watch?.([key], resolve, new AbortController().signal));
    expect(await woken).toBe(key);
  }

  test("with a client of ioredis", async () => {
    const client = new Redis({ host: "127.0.0.1", port, tls: { ca: readFileSync(certificate) } });
    await works(client).finally(() => client.disconnect());
  });

  test("with a client of node-redis", async () => {
    const ca = readFileSync(certificate);
    const client = createClient({ socket: { host: "127.0.0.1", port, tls: true, ca } });
    client.on("error", () => {});
    await client.connect();
    await works(client).finally(() => client.destroy());
  });

  test("by a URL, a server whose certificate nobody vouches for is refused", async () => {
    await using store = redisStore(`rediss://127.0.0.1:${port}`, { maxTtlMs });
    await expect(store.read(key, call())).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
      message: expect.stringMatching(/self-signed/) as string,
    });
  });
});
