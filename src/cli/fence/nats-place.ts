/** The guarded subjects of a stream of NATS JetStream. */

import { readFile } from "node:fs/promises";
import { createError } from "../../errors/index.js";
import { type JetstreamClient, jetstreamGuard } from "../../fence/queue/index.js";
import type { NatsConnection, NatsHeaders } from "../../fence/queue/jetstream/client.js";
import { type FencedSubject, lookAtStream } from "../../fence/queue/jetstream/overview.js";
import { verifyFence } from "../../fence/verify/index.js";
import { importFirst } from "./client.js";
import { probesOfStream } from "./nats-probes.js";
import type { GuardPlace, PlaceOptions, SeenResource } from "./place.js";

interface Transport {
  connect(options: object): Promise<NatsConnection & { close(): Promise<void> }>;
  headers(): NatsHeaders;
  credsAuthenticator(credentials: Uint8Array): object;
}

const patienceMs = 5_000;

export async function openNats(url: string, { subject, environment }: PlaceOptions): Promise<GuardPlace> {
  const { module } = await importFirst<Transport>(["@nats-io/transport-node"], "a guard on NATS JetStream");
  const { host, pathname } = new URL(url);
  const credentials = await credentialsOf(module, new URL(url), environment);
  const options = { servers: host, timeout: patienceMs, reconnect: false, ...credentials };
  const connection = await module.connect(options).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw createError("GUARD_FAILED", `the server cannot be reached: ${why}`, { cause });
  });
  const client: JetstreamClient = { connection, headers: () => module.headers() };
  const stream = decodeURIComponent(pathname.slice(1));
  const probes = probesOfStream(client, { stream, subject, timeoutMs: patienceMs });
  return {
    holds: "subjects",
    async look(resource) {
      const { subjects, acts } = await lookAtStream(client, stream, resource, patienceMs);
      return { resources: subjects.map(seenOf), acts };
    },
    operator: (resource) =>
      jetstreamGuard(client, { stream, subject: resource, timeoutMs: patienceMs }).operator,
    verify: async () => verifyFence(probes.guard),
    async close() {
      try {
        await probes.clear();
      } finally {
        await connection.close();
      }
    },
  };
}

/** Of the URL; else where the tools of NATS look: NATS_CREDS names a file, NATS_USER alone is a token. */
async function credentialsOf(
  { credsAuthenticator }: Transport,
  { username, password }: URL,
  environment: PlaceOptions["environment"],
): Promise<object> {
  if (username !== "" || password !== "") {
    return loginOf(decodeURIComponent(username), decodeURIComponent(password));
  }
  const { NATS_CREDS: file, NATS_USER: user, NATS_PASSWORD: secret = "" } = environment;
  if (file === undefined) return user === undefined ? {} : loginOf(user, secret);
  const credentials = await readFile(file).catch((cause: unknown) => {
    throw createError("GUARD_FAILED", `the credentials ${file} cannot be read`, { cause });
  });
  return { authenticator: credsAuthenticator(credentials) };
}

function loginOf(user: string, pass: string): object {
  return pass === "" ? { token: user } : { user, pass };
}

function seenOf({ subject, problem, rows }: FencedSubject): SeenResource {
  const shown = rows.map(({ namespace, election, row: { lineage, watermark, owner, seq } }) => {
    return { namespace, election, lineage, watermark, owner, seq };
  });
  return { name: subject, version: null, problem, rows: shown };
}
