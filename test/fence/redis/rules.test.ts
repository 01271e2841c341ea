/** The script decides as guard.ts does: the same long histories of claims and writes, told to both. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realClock } from "../../../src/base/real-clock.js";
import { createChance } from "../../../src/base/seeded-chance.js";
import type { Attempt, Fence } from "../../../src/fence/fence.js";
import { applied, decideClaim, decideWrite, type WriteOrder } from "../../../src/fence/guard.js";
import { refusalOf, settledBy } from "../../../src/fence/redis/replies.js";
import { claimScript, type Script, writeScript } from "../../../src/fence/redis/script.js";
import { said } from "../../../src/fence/redis/sending.js";
import { type Reply, Server } from "../../../src/fence/redis/server.js";
import type { GuardRow } from "../../../src/fence/row.js";
import { sharedConnection } from "../../../src/redis/client.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type Connected, connect } from "../../stores/redis/clients.js";
import { attempt, fence } from "../scene.js";

let server: RedisServer;
let connected: Connected;

/** One row, kept twice: here as the protocol keeps it, and there by the script. */
class Twins {
  readonly #keys: readonly string[];
  readonly #order: WriteOrder;
  row: GuardRow | undefined;

  constructor(name: string, order: WriteOrder) {
    this.#keys = [name, `${name}:operations`, `${name}:order`];
    this.#order = order;
  }

  async claim(by: Fence): Promise<readonly [here: unknown, there: unknown]> {
    const decision = decideClaim(this.row, by);
    if (decision.kind === "claimed") this.row = decision.row;
    const names = ["generation", "ledger", by.namespace, by.election, "row"];
    const reply = await this.#run(claimScript, by, names, ["rows", "resources"]);
    const here = decision.kind === "claimed" ? decision.row.seq : decision.refusal;
    return [here, refusalOf(reply) ?? Number(reply[1])];
  }

  async write(by: Fence, sent: Attempt): Promise<readonly [here: unknown, there: unknown]> {
    const decision = decideWrite(this.row, by, sent, this.#order);
    if (decision.kind === "apply") this.row = applied(decision.row, sent, undefined);
    const numbered = [String(sent.seq), sent.opId, this.#order, "0"];
    const reply = await this.#run(writeScript, by, [...numbered, "", "0", ""]);
    const here = decision.kind === "apply" ? "applied" : decision;
    return [here, settledBy(reply) ?? reply[0]];
  }

  async #run(
    script: Script,
    by: Fence,
    args: readonly string[],
    keys: readonly string[] = [],
  ): Promise<Reply> {
    const runs = new Server(sharedConnection(connected.client), realClock);
    const ran = await runs.run(script, [...this.#keys, ...keys], [...said(by), ...args], 5_000);
    if (ran.kind === "answered") return ran.reply;
    throw ran.cause;
  }
}

/** Every way to be wrong, each now and then: below, above, far behind, under another name. */
async function live(twins: Twins, seed: number): Promise<void> {
  const chance = createChance(seed);
  const below = (limit: number) => Math.floor(chance.fraction() * limit);
  for (let step = 0; step < 150; step += 1) {
    const { watermark = 1, seq = 0 } = twins.row ?? {};
    const token = Math.max(1, watermark - (below(4) === 0 ? 1 : 0) + (below(15) === 0 ? 1 : 0));
    const by = fence({
      token,
      owner: below(10) === 0 ? "b" : `owner of ${token}`,
      lineage: below(20) === 0 ? "default/raft" : "default/lease",
    });
    const claims = below(3) === 0 ? [await twins.claim(by)] : [];
    for (const [here, there] of claims) {
      expect(there, `step ${step}: claim of ${JSON.stringify(by)}`).toEqual(here);
    }
    const jump = below(8) === 0 ? below(40) : 0;
    const number = Math.max(1, seq + 1 + jump - (below(4) === 0 ? below(80) : 0));
    const sent = attempt(number, below(6) === 0 ? `again\n${below(5)}` : `op-${number}`);
    const [here, there] = await twins.write(by, sent);
    expect(there, `step ${step}: ${JSON.stringify(sent)} of ${JSON.stringify(by)}`).toEqual(here);
  }
}

describeWithServer("redis", "the script of the Redis guard", () => {
  beforeAll(async () => {
    server = await startRedis();
    connected = await connect("ioredis-6", server.url);
  });
  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  it("when a forgotten operation came again, it is known from then on, in whichever place it stands", async () => {
    const twins = new Twins("came-again", "any");
    const by = fence();
    await twins.claim(by);
    // Numbers that share a place are 64 apart, and what lies 64 behind the newest is forgotten.
    const sent: readonly (readonly [seq: number, opId: string])[] = [
      ...([
        [1, "tick"],
        [70, "a"],
        [65, "tick"],
        [71, "tick"],
      ] as const),
      ...([
        [72, "tock"],
        [140, "b"],
        [141, "tock"],
        [136, "c"],
        [142, "tock"],
      ] as const),
    ];
    const answers: unknown[] = [];
    for (const [seq, opId] of sent) {
      const [here, there] = await twins.write(by, attempt(seq, opId));
      expect(there, `number ${seq}, ${opId}`).toEqual(here);
      answers.push(there);
    }
    const known = { kind: "duplicate", bySeq: false };
    const [done, thrice] = ["applied", ["applied", "applied", "applied"]];
    expect(answers).toMatchObject([...thrice, known, ...thrice, done, known]);
  });

  describe.each(["any", "strict"] as const)("under order %s", (order) => {
    it.each([1, 2, 3, 4, 5, 6, 7, 8])("decides as the protocol does, history %i", async (seed) => {
      await live(new Twins(`${order}-${seed}`, order), seed);
    });
  });
});
