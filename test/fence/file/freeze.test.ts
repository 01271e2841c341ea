/** A leader that is frozen at any step blocks nobody, and what it wakes up with counts only if it counted before. */

import { describe, expect, it } from "vitest";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { TenureError } from "../../../src/errors/index.js";
import { readKeptVersions } from "../../../src/fence/file/kept-versions.js";
import type { ValueHandle } from "../../../src/fence/value-guard.js";
import { stopping } from "../../support/interposed.js";
import { fence } from "../scene.js";
import type { Texts } from "../texts.js";
import { append, everyStep, inDirectory, openGuard, resource, standing } from "./scene.js";

interface Scene {
  readonly keepVersions: number;
  /** What the frozen leader was doing. */
  readonly act: "claim" | "write";
  /** How many writes the successor makes meanwhile, beside its claim. */
  readonly writes: number;
}

/** How the frozen act ended: "went through", or a code. */
type Ended = string;

async function ended(act: Promise<unknown>): Promise<Ended> {
  return act.then(
    () => "went through",
    (error: unknown) => (TenureError.is(error) ? error.code : String(error)),
  );
}

/** 7 is frozen at its step `k`, 8 claims and writes, 7 goes on; undefined when there is no such step. */
async function freeze(
  k: number,
  when: "before" | "after",
  { keepVersions, act, writes }: Scene,
): Promise<{ readonly at: string; readonly ended: Ended; readonly seen: boolean } | undefined> {
  return inDirectory(async (directory) => {
    const healthy = openGuard(directory, nodeFileSystem, { keepVersions });
    await append(await healthy.claim(fence({ token: 6, owner: "before" })), "6");
    let armed = false;
    let index = 0;
    const { files, reached, thaw } = stopping(nodeFileSystem, when, () => armed && (index += 1) === k);
    const guard = openGuard(directory, files, { keepVersions });
    const old = fence({ token: 7, owner: "old" });
    const handle: ValueHandle<Texts> | undefined = act === "write" ? await guard.claim(old) : undefined;
    armed = true;
    const frozen = ended(handle === undefined ? guard.claim(old) : append(handle, "7"));
    const at = await Promise.race([frozen.then(() => undefined), reached]);
    if (at === undefined) return undefined;
    // What a successor finds when its claim was answered is all that may ever be there of 7.
    const successor = await healthy.claim(fence({ token: 8, owner: "new" }));
    const found = (await standing(directory)).texts;
    const own: string[] = [];
    for (let write = 1; write <= writes; write += 1) {
      own.push(`8-${write}`);
      await append(successor, `8-${write}`);
    }
    thaw();
    const end = await frozen;
    expect(await standing(directory), `frozen ${when} ${at.name}`).toEqual({
      texts: [...found, ...own],
      watermark: 8,
    });
    await append(successor, "goes on");
    return { at: `${at.name} ${at.paths.at(-1)}`, ended: end, seen: found.includes("7") };
  });
}

describe("a leader that is frozen", () => {
  for (const when of ["before", "after"] as const) {
    for (const writes of [0, 2]) {
      it(`${when} any step of a write, while a successor claims and writes ${writes} times: it went through before the claim, or is STALE`, async () => {
        const ends = new Set<Ended>();
        const scene = { keepVersions: Number.POSITIVE_INFINITY, act: "write", writes } as const;
        const steps = await everyStep(async (k) => {
          const outcome = await freeze(k, when, scene);
          if (outcome === undefined) return false;
          expect(outcome.ended, outcome.at).toBe(outcome.seen ? "went through" : "STALE");
          ends.add(outcome.ended);
          return true;
        });
        expect(steps).toBeGreaterThan(12);
        expect([...ends].toSorted()).toEqual(["STALE", "went through"]);
      });
    }

    it(`${when} any step of a write, for longer than versions are kept: nothing of it counts late, and only what nobody can tell is unconfirmed`, async () => {
      const ends = new Set<Ended>();
      await everyStep(async (k) => {
        const outcome = await freeze(k, when, { keepVersions: 4, act: "write", writes: 8 });
        if (outcome === undefined) return false;
        const allowed = outcome.seen ? ["went through", "GUARD_UNCONFIRMED"] : ["STALE"];
        expect(allowed, outcome.at).toContain(outcome.ended);
        ends.add(outcome.ended);
        return true;
      });
      expect([...ends]).toEqual(expect.arrayContaining(["GUARD_UNCONFIRMED", "STALE"]));
    });

    it(`${when} any step of a claim, while a successor claims and writes: its claim is STALE, or was granted below the successor's`, async () => {
      const ends = new Set<Ended>();
      await everyStep(async (k) => {
        const scene = { keepVersions: Number.POSITIVE_INFINITY, act: "claim", writes: 2 } as const;
        const outcome = await freeze(k, when, scene);
        if (outcome === undefined) return false;
        expect(["went through", "STALE"], outcome.at).toContain(outcome.ended);
        ends.add(outcome.ended);
        return true;
      });
      expect([...ends].toSorted()).toEqual(["STALE", "went through"]);
    });
  }

  it("in the middle of its work, through three terms of others: it is STALE and its tokens never fall back in the chain", async () => {
    await inDirectory(async (directory) => {
      const keepVersions = Number.POSITIVE_INFINITY;
      const guard = openGuard(directory, nodeFileSystem, { keepVersions });
      const old = await guard.claim(fence({ token: 7, owner: "a" }));
      let thaw = () => {};
      let reach = () => {};
      const thawed = new Promise<void>((resolve) => (thaw = resolve));
      const reached = new Promise<void>((resolve) => (reach = resolve));
      const frozen = ended(
        old.transaction(async (tx) => {
          reach();
          await thawed;
          tx.value = [...tx.value, "7"];
        }),
      );
      await reached;
      for (const token of [8, 9, 10]) {
        await append(await guard.claim(fence({ token, owner: `o${token}` })), String(token));
      }
      thaw();
      expect(await frozen).toBe("STALE");
      const kept = await readKeptVersions(directory, resource);
      const watermarks = kept.map(({ body }) =>
        typeof body === "string" ? 0 : (body.fencing.rows[0]?.row.watermark ?? 0),
      );
      expect(watermarks).toEqual(watermarks.toSorted((a, b) => a - b));
      expect((await standing(directory)).texts).toEqual(["8", "9", "10"]);
    });
  });
});
