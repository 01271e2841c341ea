/** Real processes on the file store: what happens to the next leader after each way to lose one. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plainCall } from "../support/scripted-store.js";
import { fileStore } from "../../src/stores/file/index.js";
import { type Crew, openCrew } from "./crew.js";

const ttlMs = 2_000;

let crew: Crew;

beforeEach(async () => {
  crew = await openCrew({ ttlMs });
});

afterEach(async () => crew.end());

async function seqNow(): Promise<number> {
  const stored = await fileStore(crew.directory).read("default/job", plainCall);
  if (typeof stored?.body !== "object") throw new Error("no record");
  return stored.body.seq;
}

describe("takeover between processes", () => {
  it("when nobody ever led here, the very first leads in under 200 ms", async () => {
    const first = crew.start("first");
    const [started, elected] = await Promise.all([first.first("started"), first.first("elected")]);
    expect(elected.at - started.at).toBeLessThan(200);
  });

  it("when the holder is killed and only single tries come, back to back, one leads within ttl + 1 s of the first", async () => {
    const holder = crew.start("holder");
    await holder.first("elected");
    const killedAt = holder.signal("SIGKILL");
    const tries = ["x", "y", "z"].map((node) => crew.start(node, { mode: "once" }));
    const started = await Promise.all(tries.map(async (one) => one.first("started")));
    const elected = await crew.first("elected", killedAt);
    expect(elected.at - Math.min(...started.map(({ at }) => at))).toBeLessThan(ttlMs + 1_000);
    // The others saw the new holder's life and said so.
    const others = tries.filter(({ node }) => node !== elected.node);
    const held = await Promise.all(others.map(async (one) => one.first("held")));
    expect(held.map(({ by }) => by)).toEqual([elected.node, elected.node]);
  });

  it("when the holder resigns cleanly, the next one leads in under 200 ms", async () => {
    const holder = crew.start("holder");
    await holder.first("elected");
    const next = crew.start("next");
    await next.first("started");
    const seq = await seqNow();
    // The follower is in step once the holder has renewed a few times.
    await expect.poll(seqNow, { timeout: 10_000 }).toBeGreaterThan(seq + 3);
    holder.signal("SIGTERM");
    const [released, elected] = await Promise.all([holder.first("released"), next.first("elected")]);
    expect(elected.at - released.at).toBeLessThan(200);
    await holder.first("stopped");
    expect(await holder.exited()).toEqual({ code: 0, signal: null });
  });

  it("when the holder lives, each single try answers held, and only after seq rose", async () => {
    const holder = crew.start("holder");
    await holder.first("elected");
    const before = await seqNow();
    const tries = ["x", "y"].map((node) => crew.start(node, { mode: "once" }));
    const held = await Promise.all(tries.map(async (one) => one.first("held")));
    expect(await seqNow()).toBeGreaterThan(before);
    expect(held.map(({ by }) => by)).toEqual(["holder", "holder"]);
  });

  it("when the holder is stopped beyond its ttl and continued, it has lost before it can act again", async () => {
    const holder = crew.start("holder");
    await holder.first("elected");
    const next = crew.start("next");
    await next.first("started");
    holder.signal("SIGSTOP");
    const elected = await next.first("elected");
    holder.signal("SIGCONT");
    const lost = await holder.first("lost");
    expect(lost).toMatchObject({ reason: "deadline" });
    // Its belief had ended before the successor's began.
    expect(lost.at - (lost.lateByMs ?? 0)).toBeLessThan(elected.at);
  });
});
