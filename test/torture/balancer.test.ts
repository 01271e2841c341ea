/** The one address of the services: a leader that asks again comes to the other one, also when its own is away. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startBalancer } from "../../torture/set/balancer.mjs";

/** Says its name to whoever connects. */
async function named(name: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.end(name)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function heard(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

test("when both listen, connections go to one and the other in turn; when one does not, to the other", async () => {
  const [one, other] = [await named("one"), await named("other")];
  const balancer = await startBalancer([one.port, other.port]);
  onTestFinished(async () => balancer.close());
  const heardOf = [await heard(balancer.port), await heard(balancer.port), await heard(balancer.port)];
  expect(new Set(heardOf.slice(0, 2))).toEqual(new Set(["one", "other"]));
  expect(heardOf[2]).toBe(heardOf[0]);
  one.server.close();
  await once(one.server, "close");
  expect([await heard(balancer.port), await heard(balancer.port)]).toEqual(["other", "other"]);
  other.server.close();
  await once(other.server, "close");
  expect(await heard(balancer.port)).toBe("");
});
