import { describe, expect, test } from "vitest";
import type { HistoryLine } from "../../src/history/line.js";
import { type PageData, pageData } from "../../src/lab/page/data.js";
import type { RunStory } from "../../src/lab/timeline.js";
import { tell } from "../../src/lab/told.js";
import { first, ledger, line, moment, ns, second, stoppedLeader, twoLeaders } from "./stories.js";

function dataOf(story: RunStory): PageData {
  return pageData(story, tell(story));
}

function barsOf(...lines: readonly HistoryLine[]): PageData["bars"] {
  return dataOf({ ...stoppedLeader(), moments: [], spans: [], lines }).bars;
}

const elected = line(1_000, "n0", { event: "elected", ...first, until: ns(9_000) });

describe("a bar of belief", () => {
  test("when a leader is stopped, its belief runs to the deadline and is in doubt since its last word", () => {
    const [stopped, next] = dataOf(stoppedLeader()).bars;
    expect(stopped).toEqual({
      lane: 1,
      token: 7,
      fromMs: 1_000,
      untilMs: 15_000,
      settledMs: 27_000,
      deadlines: [
        [1_000, 9_000],
        [3_000, 11_000],
        [5_000, 13_000],
        [7_000, 15_000],
      ],
      doubts: [[7_000, 15_000]],
      text: "believes from 1 s to 15 s, token 7. End: no renewal was confirmed before its deadline",
    });
    expect(next).toMatchObject({ lane: 2, untilMs: 31_000, settledMs: 32_500, doubts: [[23_400, 25_400]] });
  });

  test("when it resigns while uncertain, the doubt ends with the belief", () => {
    const doubt = line(4_000, "n0", { event: "uncertain", ...first });
    const again = line(5_000, "n0", { event: "uncertain", ...first });
    const lost = line(6_000, "n0", { event: "lost", ...first, reason: "resigned", lateByMs: 0 });
    const [bar] = barsOf(elected, doubt, again, lost);
    expect(bar).toMatchObject({ untilMs: 6_000, settledMs: 6_000, doubts: [[4_000, 6_000]] });
  });

  test("when the run ends before the deadline, so does the bar, without a doubt", () => {
    const late = line(38_000, "n0", { event: "elected", ...first, until: ns(46_000) });
    const [bar] = barsOf(late);
    expect(bar).toMatchObject({ untilMs: 40_000, settledMs: 40_000, doubts: [] });
    expect(bar?.text).toBe("believes from 38 s to 40 s, token 7. End: the run ends");
  });

  test("when a process was killed and its successor uses the same name, each has its own bar", () => {
    const successor = {
      ...line(10_000, "n0", { event: "elected", ...second, until: ns(18_000) }),
      process: "p2",
    };
    const bars = barsOf(elected, successor);
    expect(bars.map(({ lane, token, untilMs }) => [lane, token, untilMs])).toEqual([
      [1, 7, 9_000],
      [1, 9, 18_000],
    ]);
  });
});

describe("what stands across lanes", () => {
  test("when two believe at once, the overlap names both lanes and how long, whatever their boots", () => {
    const { overlaps } = dataOf(twoLeaders());
    expect(overlaps).toEqual([
      { lanes: [1, 2], fromMs: 17_400, untilMs: 18_650, text: "two leaders for 1250 ms" },
    ]);
  });

  test("when a lower token claims after a higher one, the watermark stays", () => {
    const claims = [
      line(2_000, "n1", { event: "claimed", ...second, ...ledger }),
      line(3_000, "n0", { event: "claimed", ...first, ...ledger }),
      line(4_000, "n1", { event: "claimed", ...second, token: 11, ...ledger }),
    ];
    const { watermarks } = dataOf({ ...stoppedLeader(), lines: claims });
    expect(watermarks).toEqual([
      { lane: 5, fromMs: 2_000, untilMs: 4_000, token: 9, by: 2 },
      { lane: 5, fromMs: 4_000, untilMs: 40_000, token: 11, by: 2 },
    ]);
  });

  test("when somebody is spoken of who is no party, there is a lane among those of its kind", () => {
    const story = { ...stoppedLeader(), parties: [], moments: [moment(1, "moon", "fault", "rises")] };
    const { lanes } = dataOf(story);
    expect(lanes.map(({ name, kind, colour }) => [name, kind, colour])).toEqual([
      ["world", "world", "plain"],
      ["moon", "node", "c0"],
      ["n0", "node", "c1"],
      ["n2", "node", "c2"],
      ["n1", "node", "c3"],
      ["store", "store", "plain"],
      ["ledger", "resource", "plain"],
    ]);
  });
});

describe("the instant that is shown first", () => {
  test.each([
    ["a broken promise", twoLeaders(), 17_400],
    ["a refusal", stoppedLeader(), 26_000],
    ["the first leader", { ...stoppedLeader(), lines: [elected] }, 1_000],
    ["the beginning", { ...stoppedLeader(), lines: [] }, 0],
  ])("is %s, where there is one", (_what, story, ms) => {
    expect(dataOf(story).firstMs).toBe(ms);
  });

  test("is where two believe, also when no promise was made", () => {
    const admitted = {
      ...twoLeaders(),
      moments: [],
      lines: twoLeaders().lines.filter(({ at }) => at !== ns(18_200)),
    };
    expect(dataOf(admitted).firstMs).toBe(17_400);
  });
});
