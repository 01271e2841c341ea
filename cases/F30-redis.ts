import type { LookupFunction } from "node:net";
import { createClient } from "redis";
import { expect } from "vitest";
import type { Connected } from "../test/stores/redis/clients.js";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 1_500;

/** A name service of the leader's own. */
class Names {
  /** Undefined: the name is not known. */
  address: string | undefined = "127.0.0.1";
  faultCount = 0;

  readonly lookup: LookupFunction = (host, { all }, found) => {
    const { address } = this;
    if (address !== "127.0.0.1") this.faultCount += 1;
    if (address === undefined)
      found(Object.assign(new Error(`ENOTFOUND ${host}`), { code: "ENOTFOUND" }), "");
    else if (all === true) found(null, [{ address, family: 4 }]);
    else found(null, address, 4);
  };
}

/** A client of node-redis that asks these names. */
async function connectBy({ lookup }: Names, url: string): Promise<Connected> {
  const socket = { host: "redis.example", port: Number(new URL(url).port), lookup };
  const client = createClient({ socket });
  client.on("error", () => {});
  await client.connect();
  return { client, close: () => client.destroy() };
}

export const caseF30OnRedis = defineCase({
  id: "F30-redis",
  fault:
    "a connection breaks, and the server's name is not found, or leads to an address where nobody answers",
  mustHold:
    "renewals fail, the leader stops in time and another leads; when the name is right again it follows",
  injected:
    "the leader's connections are reset; its client's lookup fails for a request timeout, then answers 127.0.0.2",
  mutants: ["03-revived", "redis-opening-kept"],
  faultCount: 4,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const names = new Names();
    const { leader, follower, leadership } = await scene.pair({
      client: async (url) => connectBy(names, url),
    });
    names.address = undefined;
    const cutAt = nowMs();
    await leader.proxy.cut().end();
    const [failed] = [await scene.first(leader, "renewFailed", cutAt)];
    expect(failed.cause).toMatchObject({ code: "STORE_UNREACHABLE" });
    names.address = "127.0.0.2";
    const lost = await scene.first(leader, "lost", cutAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    const next = await scene.first(follower, "elected", cutAt);
    expect(next.token).toBeGreaterThan(leadership.token);
    stage.fault(names.faultCount);
    names.address = "127.0.0.1";
    await scene.first(leader, "follows", next.at);
    await scene.nextRenewal(follower);
    expect(scene.leaders()).toEqual([follower.node]);
    await scene.staleRefused(leader);
  },
});
