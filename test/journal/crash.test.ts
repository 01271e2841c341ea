/** A leader that dies or is frozen at any step of an append or a checkpoint, and a machine that loses power there. */

import { describe, expect, it } from "vitest";
import { TenureError } from "../../src/errors/index.js";
import { stopping } from "../support/interposed.js";
import { appendAll, type Handle, numbers, open, range, simulated, simulatedDisk, term } from "./scene.js";

type Write = (handle: Handle) => Promise<unknown>;

const append: Write = async (handle) => handle.append({ n: 6 }, { opId: "op-6" });
const checkpoint: Write = async (handle) => handle.checkpoint(range(1, 4), 4);

async function everyStep(run: (k: number) => Promise<boolean>): Promise<number> {
  let k = 1;
  while (await run(k)) k += 1;
  return k - 1;
}

/** State and entries as one sequence of numbers. */
function whole({ state = [], entries }: Awaited<ReturnType<Handle["replay"]>>): readonly number[] {
  return [...state, ...entries.map(({ entry }) => entry.n)];
}

/** Five entries, then one write that stops dead at step `k`; false when it was over before. */
async function crashRun(write: Write, when: "before" | "after", k: number): Promise<boolean> {
  const disk = await simulatedDisk();
  await appendAll(await open(simulated, {}, disk.files).claim(term(7)), 1, 5);
  // Its claim is over before steps are counted.
  let counting = false;
  let index = 0;
  const { files, reached } = stopping(disk.files, when, () => counting && (index += 1) === k);
  const dying = await open(simulated, {}, files).claim(term(8));
  counting = true;
  const answer = write(dying).then(() => "answered");
  const dead = (await Promise.race([answer, reached.then(() => "dead")])) === "dead";
  const next = await open(simulated, {}, disk.files).claim(term(9));
  const found = whole(await next.replay());
  const possible = [range(1, 6), ...(dead || write === checkpoint ? [range(1, 5)] : [])];
  expect(possible, `${when} step ${k}`).toContainEqual(found);
  // The successor does again what may or may not have been done, and goes on.
  await appendAll(next, 6, 12);
  expect(whole(await next.replay())).toEqual(range(1, 12));
  return dead;
}

describe("a leader that is killed", () => {
  for (const when of ["before", "after"] as const) {
    it(`${when} any step of an append: the entry is there or not, and done again it is there once`, async () => {
      expect(await everyStep(async (k) => crashRun(append, when, k))).toBeGreaterThan(10);
    });
    it(`${when} any step of a checkpoint: no entry is lost`, async () => {
      expect(await everyStep(async (k) => crashRun(checkpoint, when, k))).toBeGreaterThan(12);
    });
  }
});

/** A write that is frozen at step `k` while a successor claims, appends and makes a checkpoint of all. */
async function freezeRun(
  write: Write,
  when: "before" | "after",
  k: number,
  kinds: Set<string>,
): Promise<boolean> {
  const disk = await simulatedDisk();
  let counting = false;
  let index = 0;
  const { files, reached, thaw } = stopping(disk.files, when, () => counting && (index += 1) === k);
  const old = await open(simulated, {}, files).claim(term(7));
  await appendAll(old, 1, 5);
  counting = true;
  const answer = write(old).then(
    () => "applied",
    (cause: unknown) => (TenureError.is(cause) ? cause.code : String(cause)),
  );
  if ((await Promise.race([answer.then(() => undefined), reached])) === undefined) return false;
  const next = await open(simulated, {}, disk.files).claim(term(8));
  const found = whole(await next.replay());
  await appendAll(next, 7, 9);
  await next.checkpoint([...found, 7, 8, 9], found.length + 3);
  await appendAll(next, 10, 20);
  thaw();
  const kind = await answer;
  kinds.add(kind);
  // Whatever the old leader is told, it changed nothing once the successor had claimed.
  expect(whole(await next.replay()), `${when} step ${k}`).toEqual([...found, ...range(7, 20)]);
  const told = kind === "applied" ? [6] : kind === "STALE" ? [5] : [5, 6];
  expect(write === append ? told : [5], `${kind} ${when} step ${k}`).toContain(found.length);
  return true;
}

describe("a leader that is frozen", () => {
  for (const when of ["before", "after"] as const) {
    for (const [name, write] of [
      ["an append", append],
      ["a checkpoint", checkpoint],
    ] as const) {
      it(`${when} any step of ${name} while a successor claims: it is stale, or had been applied before`, async () => {
        const kinds = new Set<string>();
        expect(await everyStep(async (k) => freezeRun(write, when, k, kinds))).toBeGreaterThan(10);
        // Frozen between link and last listing it finds no trace of what came next, once that was let go.
        expect(["GUARD_UNCONFIRMED", "STALE", "applied"]).toEqual(expect.arrayContaining([...kinds]));
        expect(kinds).toContain("STALE");
      });
    }
  }

  it("before any step of a replay while a successor makes checkpoints: it is stale, or what it had was whole", async () => {
    const steps = await everyStep(async (k) => {
      const disk = await simulatedDisk();
      let counting = false;
      let index = 0;
      const { files, reached, thaw } = stopping(disk.files, "before", () => counting && (index += 1) === k);
      const old = await open(simulated, {}, files).claim(term(7));
      await appendAll(old, 1, 12);
      counting = true;
      const replay = old.replay().catch((cause: unknown) => cause);
      if ((await Promise.race([replay.then(() => undefined), reached])) === undefined) return false;
      const next = await open(simulated, {}, disk.files).claim(term(8));
      await next.checkpoint(range(1, 12), 12);
      await appendAll(next, 13, 30);
      thaw();
      const answer = await replay;
      const seen = TenureError.is(answer, "STALE") ? range(1, 12) : numbers(answer as never);
      expect(seen).toEqual(range(1, 12));
      return true;
    });
    expect(steps).toBeGreaterThan(20);
  });
});

/** A coin of its own per run, the same in every run of the suite. */
function coinOf(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >= 2 ** 31;
  };
}

/** Appends and checkpoints; the power goes at step `k`. */
async function powerLoss(k: number, coin: () => boolean): Promise<boolean> {
  const disk = await simulatedDisk();
  const { files, reached } = stopping(disk.files, "before", (_, index) => index === k);
  let [acknowledged, sent] = [0, 0];
  const work = (async () => {
    const handle = await open(simulated, {}, files).claim(term(7));
    for (let n = 1; n <= 6; n += 1) {
      sent = n;
      await appendAll(handle, n, n);
      acknowledged = n;
      if (n % 3 === 0) await handle.checkpoint(range(1, n), n);
    }
    return "done";
  })();
  const lost = (await Promise.race([work, reached.then(() => "dead")])) === "dead";
  disk.losePower(coin);
  const next = await open(simulated, {}, disk.files).claim(term(8));
  const found = whole(await next.replay());
  expect(found, `after step ${k}`).toEqual(range(1, found.length));
  expect(found.length).toBeGreaterThanOrEqual(acknowledged);
  expect(found.length).toBeLessThanOrEqual(sent);
  await appendAll(next, found.length + 1, 8);
  expect(whole(await next.replay())).toEqual(range(1, 8));
  return lost;
}

describe("a machine that loses power", () => {
  it("at any step, whatever the disk kept of what was not synced: every acknowledged entry is replayed, in order", async () => {
    for (let seed = 1; seed <= 2; seed += 1) {
      const steps = await everyStep(async (k) => powerLoss(k, coinOf(seed * 1_000 + k)));
      expect(steps).toBeGreaterThan(90);
    }
  });
});
