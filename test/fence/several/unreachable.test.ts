/**
 * Work on a database, a cache and a queue at once, while one of them cannot be reached by whoever leads: at each point of a
 * term. Its successor has lines that work.
 */

import { afterAll, beforeAll, expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { startNats } from "../../servers/nats.js";
import { startPostgres } from "../../servers/postgres.js";
import type { Fault } from "../../servers/proxy-fault.js";
import { startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { rejection } from "../claims.js";
import { type Fenced, type Place, places, type Seat, type Servers, SeveralScene } from "./scene.js";

interface Point {
  readonly when: string;
  readonly begin: (seat: Seat, victim: Place) => Fault;
  /** What the claims or the write of the leader end with. */
  readonly codes: readonly string[];
}

/** The message that makes a claim or a write count: a commit, the script that does all of it, a publish. */
const counting = (victim: Place, words: Readonly<Record<"cache" | "queue", string>>) => (message: Buffer) =>
  victim === "database" ? /\bcommit\b/i.test(message.toString("latin1")) : message.includes(words[victim]);

const inClaimOf = (victim: Place) => counting(victim, { cache: "default/lease", queue: '"kind":"marker"' });
/** What is written while the line is broken. */
const inWriteOf = (victim: Place) => counting(victim, { cache: '"second"', queue: "second\r\n" });

const inClaim: readonly Point[] = [
  {
    when: "before the claim",
    begin: ({ lines }, victim) => lines[victim].cut({ connects: "reset" }),
    codes: ["CLAIM_TIMEOUT"],
  },
  {
    when: "when the claim was made and its answer does not come",
    begin: ({ lines }, victim) => lines[victim].hold("to-client", { matching: inClaimOf(victim) }),
    codes: ["CLAIM_TIMEOUT"],
  },
];

const inWork: readonly Point[] = [
  {
    when: "after all claims",
    begin: ({ lines }, victim) => lines[victim].cut({ connects: "reset" }),
    codes: ["GUARD_FAILED", "GUARD_UNCONFIRMED"],
  },
  {
    when: "at the commit, which comes late",
    begin: ({ lines }, victim) => lines[victim].hold("to-server", { matching: inWriteOf(victim) }),
    // A database ends a session that is idle for so long, and says so: then nothing was committed.
    codes: ["GUARD_UNCONFIRMED", "GUARD_FAILED"],
  },
  {
    when: "at the answer to the commit",
    begin: ({ lines }, victim) => lines[victim].hold("to-client", { matching: inWriteOf(victim) }),
    codes: ["GUARD_UNCONFIRMED"],
  },
];

describeWithServer(["postgres", "redis", "nats"], "fences over a database, a cache and a queue", () => {
  let servers: Servers;
  beforeAll(async () => {
    const [postgres, redis, nats] = await Promise.all([startPostgres(), startRedis(), startNats()]);
    servers = { postgres, redis, nats };
  });
  afterAll(async () => {
    await Promise.all(Object.values(servers).map(async (server: Servers[keyof Servers]) => server.stop()));
  });

  const inScene = async (work: (scene: SeveralScene, leader: Seat, next: Seat) => Promise<void>) => {
    const scene = await SeveralScene.open(servers);
    try {
      await work(scene, await scene.seat("leader"), await scene.seat("next"));
    } finally {
      await scene.close();
    }
  };

  it.concurrent.each(inClaim.flatMap((point) => places.map((victim) => ({ ...point, victim }))))(
    "when the $victim cannot be reached $when, work does not begin, and whoever leads next works with all",
    async ({ begin, codes, victim }) => {
      await inScene(async (scene, leader, next) => {
        const old = await termOf(next);
        begin(leader, victim);
        let began = false;
        const error = await rejection(leader.lead(async () => void (began = true), 3_000));
        expect(codes).toContain(TenureError.is(error) ? error.code : error);
        expect(began).toBe(false);
        expect(leader.election.leadership).toBeUndefined();
        // What comes before it in the order of names was claimed all the same, and stays so.
        for (const place of places.slice(0, places.indexOf(victim))) {
          expect(await rejection(next.write(old, place, "stale"))).toMatchObject({ code: "STALE" });
        }
        await takeOver(next);
        await leader.lines[victim].heal();
        for (const place of places) {
          expect(await rejection(next.write(old, place, "stale")), place).toMatchObject({ code: "STALE" });
          expect(await scene.content(place), place).toEqual(["next"]);
        }
      });
    },
  );

  it.concurrent.each(inWork.flatMap((point) => places.map((victim) => ({ ...point, victim }))))(
    "when the $victim cannot be reached $when, the others are written on, and nothing of the leader comes behind its successor",
    async ({ begin, codes, victim }) => {
      await inScene(async (scene, leader, next) => {
        let old: Fenced | undefined;
        const error = await rejection(
          leader.lead(async (fenced) => {
            old = fenced;
            for (const place of places) await leader.write(fenced, place, "first");
            begin(leader, victim);
            const writes = places.map(async (place) => leader.write(fenced, place, "second"));
            expect(await failed(writes)).toEqual([victim]);
            await Promise.all(writes);
          }),
        );
        expect(codes).toContain(TenureError.is(error) ? error.code : error);
        await takeOver(next);
        await leader.lines[victim].heal();
        for (const place of places) {
          expect(old === undefined ? undefined : await refusal(leader, old, place), place).toBe("STALE");
        }
        for (const place of places) expect(await scene.content(place), place).toEqual(allowed(place, victim));
      });
    },
  );
});

/** Leads with all three, and writes to each. */
async function takeOver(next: Seat): Promise<void> {
  await next.lead(async (fenced) => {
    for (const place of places) await next.write(fenced, place, "next");
  });
}

/** Of one write to each place, those that were not made. */
async function failed(writes: readonly Promise<void>[]): Promise<readonly Place[]> {
  const settled = await Promise.allSettled(writes);
  return places.filter((_, at) => settled[at]?.status === "rejected");
}

/** The handles of a term that is over. */
async function termOf(seat: Seat): Promise<Fenced> {
  const terms: Fenced[] = [];
  await seat.lead(async (fenced) => void terms.push(fenced));
  const [former] = terms;
  if (former === undefined) throw new Error("it has not led");
  return former;
}

/** What a write of an ended term ends with; the client may have to find its server again. */
async function refusal(seat: Seat, old: Fenced, place: Place): Promise<unknown> {
  for (;;) {
    const error = await rejection(seat.write(old, place, "late"));
    if (!TenureError.is(error)) return error;
    if (error.code !== "GUARD_FAILED" && error.code !== "GUARD_UNCONFIRMED") return error.code;
  }
}

/** The write whose outcome nobody knows is there or not, and then for good; all else is there. */
function allowed(place: Place, victim: Place): unknown {
  const whole = ["first", "second", "next"];
  if (place !== victim) return whole;
  return expect.toSatisfy(
    (lines: readonly string[]) => lines.join() === whole.join() || lines.join() === "first,next",
  );
}
