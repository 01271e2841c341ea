/** The JetStream guard keeps the contract of guards, on a real server. */

import { afterAll, beforeAll, describe, it } from "vitest";
import type { JetstreamHandle } from "../../../src/fence/queue/index.js";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";
import { type NatsServer, startNats } from "../../servers/nats.js";
import { describeWithServer } from "../../servers/with-server.js";
import { breakable, type Connected, connected, restart, Scene, type Sharing } from "./scene.js";

let server: NatsServer;
let client: Connected;

async function open(sharing: Sharing): Promise<GuardHarness<JetstreamHandle>> {
  const broken = breakable(client);
  const scene = new Scene(server, broken.client, sharing);
  return {
    guard: ({ rememberOperations, ...request }) =>
      scene.guard({ ...request, rememberOperations: rememberOperations ? 16 : 0 }),
    // What a publish returns is its sequence, and nothing of the writer's own.
    apply: async (handle, { value, pause, options }) =>
      void (await handle.publish(async () => {
        await pause();
        return value;
      }, options)),
    read: async () => [],
    content: async (resource) => scene.content(resource),
    loseReply: broken.breakNext,
    operator: {
      restart: async () => restart(server, client),
      wipe: async () => scene.wipe(),
      snapshot: async () => server.snapshot(),
      restore: async (copy) => restart(server, client, copy as string),
    },
    close: async () => scene.close(),
  };
}

describeWithServer("nats", "the JetStream guard", () => {
  beforeAll(async () => {
    server = await startNats();
    client = await connected(server.url);
  });
  afterAll(async () => {
    await client.connection.close();
    await server.stop();
  });

  for (const sharing of ["shared", "alone"] as const) {
    guardContract({
      describe,
      it,
      name:
        sharing === "shared" ? "JetStream, a stream of many subjects" : "JetStream, a stream of one subject",
      open: async () => open(sharing),
      capabilities: {
        savesResults: false,
        ordersStrictly: true,
        remembersOperations: true,
        claimsPassWriters: true,
      },
      skip: { read: "a queue is not read through the handle that publishes to it" },
    });
  }
});
