import { describe, expect, test } from "vitest";
import type { HistoryLine } from "../../src/history/line.js";
import type { RunStory } from "../../src/lab/timeline.js";
import { renderTranscript } from "../../src/lab/transcript.js";
import { first, ledger, line, longRun, moment, ns, second, stoppedLeader, twoLeaders } from "./stories.js";

/** The lines between the head of the table and the sentence on the end. */
function told(lines: readonly HistoryLine[], more: Partial<RunStory> = {}): readonly string[] {
  const story = { ...stoppedLeader(), moments: [], spans: [], lines, ...more };
  const [, table = ""] = /\nseconds.*\n([^]*)\n\nThe run ends/.exec(renderTranscript(story)) ?? [];
  return table.split("\n").map((row) => row.trim());
}

describe("a run as a text", () => {
  test("when a leader is stopped and wakes up, the text tells it from the election to the refusal", () => {
    expect(renderTranscript(stoppedLeader())).toBe(`\
A stopped leader wakes up
  seed    42
  ttl     12 s
  clocks  n0 1.0, n1 1.2, n2 0.9

seconds  who     what
  0.000  n0      starts
  0.000  n1      starts
  0.900  n0      reads the record (2 times)
  1.000  n0      leads with token 7 until 9 s at least
  1.010  ledger  is claimed by n0 with token 7, and applies nothing lower from now on
  1.100  n0      checks 2 times, and may act each time
  1.120  ledger  applies 2 writes of n0 (token 7), up to number 2
  3.000  n0      renews 3 times, belief until 15 s
  6.000  n2      sees that token 7 leads
  7.500  world   stops n0 for 18 s
  7.500  n0      is stopped until 25.5 s: SIGSTOP
 15.000  n0      believes no more: the deadline of token 7 has passed
 17.400  n1      leads with token 9 until 25.3 s at least
 17.410  ledger  is claimed by n1 with token 9, and applies nothing lower from now on
 18.000  ledger  applies write 1 of n1 (token 9)
 19.400  n1      renews 2 times, belief until 29.4 s
 22.900  store   stalls until 24.1 s
 23.400  n1      is uncertain: a renewal was not confirmed, it leads on until 29.4 s at most
 25.400  n1      renews, belief until 33.4 s
 25.400  n1      is sure again, belief until 33.4 s
 25.500  n0      leads no more: no renewal was confirmed before its deadline; it noticed 10.5 s late
 26.000  ledger  refuses write 3 of n0: token 7 is below the watermark 9 (STALE)
 27.000  n0      leaves its lease to expire
 30.000  n2      is cut off until the end: from the store
 31.000  n1      leads no more: it resigned
 32.500  n1      has given the lease back

The run ends at 40 s: 2 terms, 6 renewals, 1 fault, 3 writes applied, 1 refused.

Every promise held.

Again: tenure lab --seed 42
`);
  });

  test("when a promise is broken, it is marked where it happened and stands last", () => {
    const text = renderTranscript(twoLeaders());
    expect(text).toContain(" 17.400  world   BROKEN  P1: n0 and n1 both believe\n");
    expect(text).toContain(
      " 18.200  ledger  APPLIES write 3 of n0 with token 7, although token 9 has claimed it\n",
    );
    expect(text.split("\n\n").slice(-4).join("\n")).toBe(`\
The run ends at 24 s: 2 terms, 6 renewals, 1 fault, 4 writes applied, 0 refused.
admitted  the clocks of n0 and n1 differ by more than 1.5 : 1
A promise was broken.
BROKEN  P1: n0 (token 7) and n1 (token 9) both believed for 1250 ms, from 17.4 s on
Again: tenure lab --seed 43 --clock n0=0.5
`);
  });

  test("when several promises are broken, they are counted", () => {
    const verdict = { broken: ["P1: a", "P2: b"], admitted: [] };
    expect(renderTranscript({ ...twoLeaders(), verdict })).toContain(
      "2 promises were broken.\nBROKEN  P1: a\nBROKEN  P2: b\n",
    );
  });

  test("when only a part is asked for, it is told without folding, and what is left out is counted", () => {
    const text = renderTranscript(stoppedLeader(), { around: { atMs: 4_000, withinMs: 1_000 } });
    expect(text).toContain(`
(8 lines before this)
seconds  who     what
  3.000  n0      renews, belief until 11 s
  3.100  n0      checks, and may act
  3.120  ledger  applies write 2 of n0 (token 7)
  5.000  n0      renews, belief until 13 s
(20 lines after this)
`);
  });

  test("when nothing happened in the part that is asked for, the text says so", () => {
    const text = renderTranscript(stoppedLeader(), { around: { atMs: 39_000, withinMs: 1 } });
    expect(text).toContain("\n\n(none of 32 lines)\n\n");
  });

  test("when a run has 20,000 lines, its text fits on a few pages", () => {
    const text = renderTranscript(longRun(20_000));
    expect(text.split("\n").length).toBeLessThan(400);
    expect(text).toContain("n0      renews 8 times");
  });

  test("when the story is the same, so is the text", () => {
    expect(renderTranscript(stoppedLeader())).toBe(renderTranscript(stoppedLeader()));
  });
});

describe("what a line becomes", () => {
  const elected = line(1_000, "n0", { event: "elected", ...first, until: ns(9_000) });

  test.each([
    ["STALE", "token 7 is below the watermark 9 (STALE)"],
    ["CONFLICT", "token 7 belongs to another owner (CONFLICT)"],
    ["FOREIGN_LINEAGE", "token 7 is of another lineage (FOREIGN_LINEAGE)"],
    ["CLAIM_MISSING", "nobody has claimed it with token 7 (CLAIM_MISSING)"],
    ["SEQUENCE_REUSED", "number 3 of token 7 stands for another operation (SEQUENCE_REUSED)"],
    ["SEQUENCE_GAP", "number 3 of token 7 does not follow (SEQUENCE_GAP)"],
    ["OF_TOMORROW", "token 7, the watermark is 9 (OF_TOMORROW)"],
  ])("when a write is refused with %s, the text says why", (code, why) => {
    const claimed = line(1_500, "n1", { event: "claimed", ...second, ...ledger });
    const refused = line(2_000, "ledger", { event: "refused", ...first, ...ledger, seq: 3, code });
    expect(told([elected, claimed, refused]).at(-2)).toBe(`2.000  ledger  refuses write 3 of n0: ${why}`);
  });

  test("when a claim is refused, or a refusal has no code, the text says that", () => {
    const refused = line(2_000, "n0", { event: "refused", ...first, ...ledger });
    expect(told([refused])).toEqual(["2.000  ledger  refuses the claim of n0: token 7 (no code)"]);
  });

  test("when a harness speaks, the world and the store do what it says", () => {
    const lines = [
      line(100, "harness", { event: "fault", fault: "kills n0" }),
      line(200, "harness", { event: "leader-by", withinMs: 17_600 }),
      line(300, "harness", { event: "store", body: "newer" }),
    ];
    expect(told(lines)).toEqual([
      "0.100  world  kills n0",
      "0.200  world  asks for exactly one leader within 17.6 s",
      "0.300  store  holds a record of a newer format",
    ]);
  });

  test("when a reason or an outcome is not known here, it is told as it stands", () => {
    const lines = [
      elected,
      line(2_000, "n0", { event: "lost", ...first, reason: "eclipse", lateByMs: 0 }),
      line(3_000, "n0", { event: "released", ...first, outcome: "moonrise" }),
    ];
    expect(told(lines).slice(1)).toEqual([
      "2.000  n0   leads no more: eclipse",
      "3.000  n0   ends its term: moonrise",
    ]);
  });

  test("when a moment tells what a line tells, it is told once, in the words of the line", () => {
    const moments = [
      moment(1_000, "n0", "belief", "is elected"),
      moment(1_000, "n0", "process", "starts its work"),
      moment(1_001, "n0", "belief", "doubts itself"),
    ];
    expect(told([elected], { moments }).slice(0, 3)).toEqual([
      "1.000  n0   starts its work",
      "1.000  n0   leads with token 7 until 9 s at least",
      "1.001  n0   doubts itself",
    ]);
  });

  test("when a text holds line breaks or terminal sequences, it stays on its line and shows them", () => {
    const text = "kills\nn0 \u001B[2J\u202Eeil";
    expect(told([], { moments: [moment(5, "wor\rld", "fault", text)] })).toEqual([
      "0.005  wor\\u{d}ld  kills n0 \\u{1b}[2J\\u{202e}eil",
    ]);
  });
});
