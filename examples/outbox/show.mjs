// What happens in the show: processes that work, leaders that are killed or stopped, and the verdict in the end.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { audit } from "./audit.mjs";
import { Cast } from "./cast.mjs";
import { shipping, shop } from "./tables.mjs";

const relays = 3;
const consumers = 2;
/** A term has done this much before it is ended by force: more than a batch, so that it is in the middle of one. */
const leastPublished = 25;
/** A consumer is killed with each so manieth leader. */
const consumerEach = 4;
/** Several times what a successor, of a relay or a consumer, takes on a busy machine. */
const longestStandstillMs = 30_000;

/**
 * @param {import("./member.mjs").Settings} settings
 * @param {number} failovers
 * @param {AbortSignal} interrupted
 * @param {(line: string) => void} tell
 */
export async function play(settings, failovers, interrupted, tell) {
  const pool = new pg.Pool({ connectionString: settings.postgres, max: 2 });
  const cast = new Cast(settings, interrupted);
  const began = performance.now();
  try {
    for (const text of [shop, shipping]) await pool.query(text);
    const [first] = Array.from({ length: consumers }, () => cast.start("consumer"));
    await cast.until("the queue", () => first?.isReady || undefined);
    for (let count = 0; count < relays; count += 1) cast.start("relay");
    cast.start("application");
    const done = { killed: 0, stopped: 0, consumersKilled: 0 };
    for (let number = 1; number <= failovers; number += 1) {
      const how = await failOver(cast, number);
      done[how] += 1;
      if (number % consumerEach === 0 && replace(cast, "consumer")) done.consumersKilled += 1;
      tell(`${number}/${failovers}: a leader was ${how}; ${cast.publishedCount} messages put into the queue`);
    }
    await cast.dismiss("application");
    await settled(pool, interrupted);
    await cast.dismiss("relay");
    await cast.dismiss("consumer");
    const seconds = Math.round((performance.now() - began) / 1_000);
    return { failovers: { ...done }, seconds, published: cast.publishedCount, ...(await audit(pool)) };
  } finally {
    await cast.end();
    await pool.end();
  }
}

/**
 * Ends the leadership of whoever leads: by `kill -9`, or by standing still until a successor has worked.
 *
 * @param {Cast} cast
 * @param {number} number
 * @returns {Promise<"killed" | "stopped">}
 */
async function failOver(cast, number) {
  const leader = await working(cast, 0);
  if (number % 2 === 1) {
    leader.child.kill("SIGKILL");
    cast.start("relay");
    await cast.until("a relay to end", () => leader.hasEnded || undefined);
    return "killed";
  }
  leader.stop();
  cast.tell(leader.child.pid);
  await working(cast, leader.token ?? 0);
  // It goes on where it stood, in the middle of a batch, with a successor at work.
  leader.wake();
  cast.tell(undefined);
  return "stopped";
}

/**
 * A leader with a token above `token` that has put messages into the queue.
 *
 * @param {Cast} cast
 * @param {number} token
 */
async function working(cast, token) {
  return cast.until("a leader at work", () => {
    const { leader } = cast;
    return leader !== undefined && (leader.token ?? 0) > token && leader.published >= leastPublished
      ? leader
      : undefined;
  });
}

/**
 * @param {Cast} cast
 * @param {"consumer"} role
 */
function replace(cast, role) {
  const [member] = cast.running(role);
  member?.child.kill("SIGKILL");
  cast.start(role);
  return member !== undefined;
}

/**
 * Until everything that was written is sent and handled, or nothing more comes of waiting: then the verdict says so.
 *
 * @param {pg.Pool} pool
 * @param {AbortSignal} interrupted
 */
async function settled(pool, interrupted) {
  let least = Infinity;
  let until = 0;
  for (;;) {
    const { unsent, lost } = await audit(pool);
    const left = unsent + lost;
    if (left === 0) return;
    if (left < least) [least, until] = [left, performance.now() + longestStandstillMs];
    if (performance.now() > until) return;
    await sleep(100, undefined, { signal: interrupted });
  }
}
