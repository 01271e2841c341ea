import dns from "node:dns";
import { expect, vi } from "vitest";
import { connect } from "../test/stores/redis/clients.js";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 1_500;
const host = "f30.redis.example";

type Found = (error: Error | null, found: unknown, family?: number) => void;

/** What the name service of this process says of one host; of all others it says the truth. */
class Name {
  /** Undefined: the name is not known. */
  address: string | undefined = "127.0.0.1";
  faultCount = 0;
  readonly #truth = dns.lookup as (...args: readonly unknown[]) => void;

  readonly lookup = (asked: string, options: unknown, found: Found): void => {
    if (asked !== host) return this.#truth(asked, options, found);
    const { address } = this;
    if (address !== "127.0.0.1") this.faultCount += 1;
    const all = typeof options === "object" && options !== null && "all" in options && options.all === true;
    if (address === undefined) found(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), undefined);
    else if (all) found(null, [{ address, family: 4 }]);
    else found(null, address, 4);
  };
}

export const caseF30OnRedis = defineCase({
  id: "F30-redis",
  fault:
    "a connection breaks, and the server's name is not found, or leads to an address where nobody answers",
  mustHold:
    "renewals fail, the leader stops in time and another leads; when the name is right again it follows",
  injected:
    "the leader's connections are reset; the lookup of its host fails until a renewal has failed, then answers 127.0.0.2",
  mutants: ["03-revived", "redis-opening-kept"],
  faultCount: 4,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const name = new Name();
    const spy = vi.spyOn(dns, "lookup").mockImplementation(name.lookup as never);
    stage.cleanUps.push(() => spy.mockRestore());
    const client = async (url: string) => connect("ioredis-6", url.replace("127.0.0.1", host));
    const { leader, follower, leadership } = await scene.pair({ client }, {});
    name.address = undefined;
    const cutAt = nowMs();
    await leader.proxy.cut().end();
    const failed = await scene.first(leader, "renewFailed", cutAt);
    expect(failed.cause).toMatchObject({ code: "STORE_UNREACHABLE" });
    name.address = "127.0.0.2";
    const lost = await scene.first(leader, "lost", cutAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    const next = await scene.first(follower, "elected", cutAt);
    expect(next.token).toBeGreaterThan(leadership.token);
    stage.fault(name.faultCount);
    name.address = "127.0.0.1";
    await scene.first(leader, "follows", next.at);
    await scene.nextRenewal(follower);
    expect(scene.leaders()).toEqual([follower.node]);
    await scene.staleRefused(leader);
  },
});
