/**
 * Answers that are lost or late, requests that are carried out late, twice or never.
 *
 * One such fault costs nothing; cut off for good, a holder ends its term by
 * itself before anybody else can begin one. That no two believe is looked at in
 * every step of every test.
 */

import assert from "node:assert/strict";
import type { Leadership } from "../../election/api.js";
import type { ContractCase, Scene, StoreTestId } from "../case.js";
import type { Fault } from "../faulty-store.js";
import { always, isWrite, once, onceThen } from "./plans.js";
import { beliefMs, type Candidate, createStage, type Stage, ttlMs } from "./stage.js";

const cutOff: Fault = { kind: "never-settles" };

interface Play {
  readonly stage: Stage;
  readonly holder: Candidate;
  readonly rival: Candidate;
  readonly leadership: Leadership;
  /** The rival's term, once it has one. */
  readonly successor: () => Leadership | undefined;
}

/** A holder in the middle of its term, and a rival that stands. */
function play(id: StoreTestId, title: string, body: (play: Play) => Promise<void>): ContractCase {
  return {
    id,
    title,
    async run(scene: Scene) {
      const stage = createStage(scene);
      const [holder, rival] = [stage.candidate("holder"), stage.candidate("rival")];
      try {
        const leadership = await stage.elect(holder);
        let successor: Leadership | undefined;
        void rival.election.campaign().then(
          (term) => void (successor = term),
          () => {},
        );
        await stage.pass(ttlMs);
        assert.equal(leadership.isCurrent, true, "a holder without faults must go on");
        await body({ stage, holder, rival, leadership, successor: () => successor });
        await stage.stop();
      } finally {
        await stage.close();
      }
    },
  };
}

/** One renewal meets the fault; the term goes on as if nothing had been. */
function survives(id: StoreTestId, title: string, fault: Fault): ContractCase {
  return play(id, title, async ({ stage, holder, leadership, successor }) => {
    const faults = once(fault, isWrite);
    holder.meet(faults.plan);
    await stage.pass(3 * ttlMs);
    assert.equal(faults.count, 1, "the fault must have been met");
    assert.equal(leadership.isCurrent, true, `the term must go on, it ended: ${holder.ends.join()}`);
    assert.equal(successor(), undefined);
  });
}

/** Every call meets the fault; the holder stops in time, the rival follows. */
function ends(id: StoreTestId, title: string, fault: Fault): ContractCase {
  return play(id, title, async ({ stage, holder, leadership, successor }) => {
    const faults = always(fault);
    holder.meet(faults.plan);
    await stage.passUntil(() => !leadership.isCurrent, beliefMs + 10, "the end of the term");
    assert.ok(faults.count > 1, "the fault must have been met more than once");
    await stage.passUntil(() => successor() !== undefined, 2 * ttlMs, "the election of the rival");
    assert.deepEqual(holder.ends, ["deadline"]);
  });
}

export const replyCases: readonly ContractCase[] = [
  survives(
    "lost-reply-keeps-the-term",
    "when the answer to a renewal is lost, the holder recognises its own write",
    {
      kind: "lost-reply",
    },
  ),
  survives(
    "late-reply-keeps-the-term",
    "when the answer to a renewal comes after the request timeout, the term goes on",
    {
      kind: "late-reply",
      byMs: 300,
    },
  ),
  survives(
    "one-unsettled-call-keeps-the-term",
    "when one renewal never settles, the next one keeps the term",
    cutOff,
  ),
  ends(
    "reply-after-the-deadline-ends-the-term",
    "when every answer comes later than the belief lasts, the holder stops in time and the rival follows",
    { kind: "late-reply", byMs: beliefMs + 50 },
  ),
  ends(
    "unsettled-calls-end-the-term",
    "when no call settles any more, the holder stops in time and the rival follows",
    cutOff,
  ),
  play(
    "late-reply-counts-from-the-send",
    "when the answer to a renewal or a take comes late but in time, its belief counts from the send",
    async ({ stage, holder, rival, leadership, successor }) => {
      const byMs = 120;
      const faults = onceThen({ kind: "late-reply", byMs }, isWrite, cutOff);
      holder.meet(faults.plan);
      await stage.passUntil(() => faults.count > 0, ttlMs, "a renewal");
      await stage.pass(byMs);
      assert.ok(leadership.remainingMs() > beliefMs - byMs - 20, "the answer must count");
      await stage.passUntil(() => !leadership.isCurrent, beliefMs - byMs + 10, "the end of the term");
      const takes = always({ kind: "late-reply", byMs });
      rival.meet((call) => (isWrite(call) ? takes.plan(call) : undefined));
      await stage.passUntil(() => successor() !== undefined, 2 * ttlMs, "the election of the rival");
      assert.ok(takes.count > 0, "the fault must have been met");
      const remainingMs = successor()?.remainingMs() ?? 0;
      assert.ok(
        remainingMs <= beliefMs - byMs,
        `the rival believes for ${remainingMs} ms after a late answer`,
      );
    },
  ),
  play(
    "late-execution-conflicts",
    "when a renewal is carried out after the successor took over, it conflicts and the successor stays",
    async ({ stage, holder, rival, successor }) => {
      const lateMs = 2 * ttlMs;
      const faults = onceThen({ kind: "late-execution", byMs: lateMs }, isWrite, cutOff);
      holder.meet(faults.plan);
      await stage.passUntil(() => successor() !== undefined, lateMs, "the election of the rival");
      await stage.pass(lateMs);
      assert.ok(faults.count > 1, "the fault must have been met");
      assert.equal(
        holder.answers.at(-1)?.kind,
        "conflict",
        "the late renewal must not replace the successor's record",
      );
      assert.equal(successor()?.isCurrent, true, `the successor must stay, it ended: ${rival.ends.join()}`);
    },
  ),
  play(
    "ghost-renewal-delays-the-successor",
    "when a renewal is carried out after its holder stopped, the successor waits for a whole ttl from there",
    async ({ stage, holder, leadership, successor }) => {
      // After the deadline of the last confirmed renewal, before its record has stood for a ttl.
      const lateMs = beliefMs + 50;
      const faults = onceThen({ kind: "late-execution", byMs: lateMs }, isWrite, cutOff);
      holder.meet(faults.plan);
      await stage.passUntil(() => faults.count > 0, ttlMs, "a renewal");
      await stage.pass(lateMs);
      assert.equal(leadership.isCurrent, false);
      const waitedMs = await stage.passUntil(
        () => successor() !== undefined,
        2 * ttlMs,
        "the election of the rival",
      );
      assert.ok(
        waitedMs >= ttlMs - 10,
        `the rival waited ${waitedMs} ms, the ghost is respected for ${ttlMs}`,
      );
    },
  ),
  play(
    "delivery-twice-changes-nothing",
    "when every write is delivered twice, terms go on, end and follow each other as if it were not",
    async ({ stage, holder, rival, leadership, successor }) => {
      // The second delivery comes when the next write is long done.
      const faults = always({ kind: "delivered-twice", byMs: 250 });
      for (const { meet } of [holder, rival]) meet((call) => (isWrite(call) ? faults.plan(call) : undefined));
      await stage.pass(2 * ttlMs);
      assert.equal(leadership.isCurrent, true, `the term must go on, it ended: ${holder.ends.join()}`);
      await stage.settle(leadership.resign(), ttlMs, "the resignation");
      // How soon is not asked here: a driver that deletes what was released makes others wait.
      await stage.passUntil(() => successor() !== undefined, 20 * ttlMs, "the election of the rival");
      await stage.pass(2 * ttlMs);
      assert.equal(successor()?.isCurrent, true, `the successor must stay, it ended: ${rival.ends.join()}`);
      const written = [...holder.answers, ...rival.answers].filter(({ kind }) => kind === "written");
      assert.equal(
        new Set(written.map(({ nonce }) => nonce)).size,
        written.length,
        "no write may be carried out twice",
      );
      assert.ok(faults.count > 10, "the fault must have been met");
      assert.deepEqual([holder.ends, rival.ends], [["resigned"], []]);
    },
  ),
];
