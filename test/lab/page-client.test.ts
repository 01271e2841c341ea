import { describe, expect, test } from "vitest";
import { barShapes, overlapShapes, promiseShapes, spanShapes } from "../../src/lab/page/client/beliefs.mjs";
import {
  centred,
  panned,
  seen,
  ticks,
  toMs,
  toX,
  whole,
  zoomed,
} from "../../src/lab/page/client/geometry.mjs";
import { axisShapes, laneShapes, layoutOf, type Shape } from "../../src/lab/page/client/layout.mjs";
import { markShapes, marksIn } from "../../src/lab/page/client/marks.mjs";
import { filtered, firstAt, nearest, statesAt } from "../../src/lab/page/client/search.mjs";
import { type PageData, pageData } from "../../src/lab/page/data.js";
import type { RunStory } from "../../src/lab/timeline.js";
import { tell } from "../../src/lab/told.js";
import { longRun, stoppedLeader, twoLeaders } from "./stories.js";

function dataOf(story: RunStory): PageData {
  return pageData(story, tell(story));
}

const view = { fromMs: 0, untilMs: 40_000, runMs: 40_000, left: 180, right: 1_180 };
const data = dataOf(stoppedLeader());
const layout = layoutOf(data.lanes, 1_200);
const everything = { text: "", lane: -1, hidden: new Set<string>(), fromMs: -Infinity, untilMs: Infinity };

function named(shapes: readonly Shape[], name: string): readonly Shape[] {
  return shapes.filter(({ attributes }) => String(attributes["class"]).split(" ").includes(name));
}

describe("time and pixels", () => {
  test("an instant is found where it is drawn", () => {
    expect([0, 10_000, 40_000].map((ms) => toX(view, ms))).toEqual([180, 430, 1_180]);
    expect([180, 430, 1_180].map((x) => toMs(view, x))).toEqual([0, 10_000, 40_000]);
  });

  test("when the view is zoomed, what is under the pointer stays there, as long as the run allows", () => {
    const near = zoomed(view, 0.25, 20_000);
    expect([near.fromMs, near.untilMs]).toEqual([15_000, 25_000]);
    expect(toX(near, 20_000)).toBe(toX(view, 20_000));
    const edge = zoomed(near, 4, 25_000);
    expect([edge.fromMs, edge.untilMs]).toEqual([0, 40_000]);
    const deepest = zoomed(view, 1e-9, 20_000);
    expect(deepest.untilMs - deepest.fromMs).toBeCloseTo(2);
  });

  test("when the view is moved past an end of the run, it stops there", () => {
    const near = seen(view, 10_000, 4_000);
    expect([panned(near, -1e9).fromMs, panned(near, 1e9).untilMs]).toEqual([0, 40_000]);
    expect([centred(near, 20_000).fromMs, centred(near, 1).fromMs]).toEqual([18_000, 0]);
    expect(whole(near)).toEqual(view);
  });

  test.each([
    [0, 40_000, ["0 s", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s", "35 s", "40 s"]],
    [12_000, 12_010, ["12.000 s", "12.001 s", "12.002 s"]],
    [0, 600_000, ["0 s", "100 s", "200 s"]],
    [100, 102, ["0.1000 s", "0.1002 s"]],
  ])("from %d to %d ms the axis has round labels that differ", (fromMs, untilMs, labels) => {
    const found = ticks({ ...view, fromMs, untilMs }, 84);
    expect(found.slice(0, labels.length).map(({ label }) => label)).toEqual(labels);
    expect(new Set(found.map(({ label }) => label)).size).toBe(found.length);
    expect(found.length).toBeLessThanOrEqual(1_000 / 84 + 1);
  });
});

describe("finding what happened", () => {
  test("the nearest event is the first of its instant, before or after", () => {
    const at = (ms: number) => data.events[nearest(data.events, ms)]?.slice(0, 2);
    expect([at(-5), at(7_300), at(7_600), at(99_000)]).toEqual([
      [0, 1],
      [7_500, 0],
      [7_500, 0],
      [32_500, 2],
    ]);
    expect([nearest([], 5), firstAt([], 5)]).toEqual([-1, 0]);
  });

  test("when a leader is stopped, its belief at that instant is told with the deadline it knew", () => {
    const words = (ms: number) => statesAt(data, ms).map((state) => `${state.name} ${state.words}`);
    expect(words(8_000)).toEqual([
      "n0 is stopped; believes that it leads with token 7, until 15.000 s as known now",
      "n1 does not lead",
      "n2 does not lead",
      "store answers",
      "ledger refuses tokens below 7",
    ]);
    expect(words(3_500)[0]).toContain("until 11.000 s");
    expect(words(15_000)[0]).toBe("n0 is stopped");
    expect(words(500)[4]).toBe("ledger is not claimed");
    expect(statesAt(dataOf(twoLeaders()), 17_500).filter(({ leads }) => leads)).toHaveLength(2);
  });

  test("a filter looks at words, party, kind and time, and a resource's answer belongs to its node too", () => {
    const count = (filter: Partial<typeof everything>) => filtered(data, { ...everything, ...filter }).length;
    expect(count({})).toBe(data.events.length);
    expect(count({ text: "LEDGER refuses" })).toBe(1);
    expect(count({ hidden: new Set(["renewed"]) })).toBe(data.events.length - 6);
    expect(count({ fromMs: 26_000, untilMs: 26_000 })).toBe(1);
    const ofFirst = filtered(data, {
      ...everything,
      lane: 1,
      hidden: new Set(["renewed", "checked", "call"]),
    });
    expect(ofFirst.map(([, lane, , text]) => `${lane} ${text}`)).toEqual([
      "1 starts",
      "1 leads with token 7 until 9 s at least",
      "5 is claimed by n0 with token 7, and applies nothing lower from now on",
      "5 applies write 1 of n0 (token 7)",
      "5 applies write 2 of n0 (token 7)",
      "1 is stopped until 25.5 s: SIGSTOP",
      "1 believes no more: the deadline of token 7 has passed",
      "1 leads no more: no renewal was confirmed before its deadline; it noticed 10.5 s late",
      "5 refuses write 3 of n0: token 7 is below the watermark 9 (STALE)",
      "1 leaves its lease to expire",
    ]);
  });
});

describe("lanes", () => {
  test("when the window is wide, names stand beside their lanes, else above them", () => {
    expect(layout.narrow).toBe(false);
    expect(layout.left).toBeGreaterThan(150);
    const narrow = layoutOf(data.lanes, 336);
    expect([narrow.narrow, narrow.left]).toEqual([true, 4]);
    expect(narrow.height).toBe(layout.height + 20 * data.lanes.length);
    const tops = named(laneShapes(data.lanes, narrow), "name").map(({ attributes }) =>
      Number(attributes["y"]),
    );
    expect(tops).toEqual(narrow.rows.map(({ top }) => top - 6));
  });

  test("lanes do not touch each other, and all lie below the axis", () => {
    for (const [index, { top, height }] of layout.rows.entries()) {
      expect(top + height).toBeLessThan(layout.rows[index + 1]?.top ?? layout.height);
    }
    const labels = named(axisShapes(view, layout), "tick");
    expect(Math.max(...labels.map(({ attributes }) => Number(attributes["y"])))).toBeLessThan(
      layout.rows[0]?.top ?? 0,
    );
  });

  test("when a name is too long for its place, it is cut, and can be read as a whole", () => {
    const name = "a-node-with-a-name-that-goes-on-and-on";
    const lanes = [{ name, kind: "node", note: "", colour: "c0" }] as const;
    const [shape] = named(laneShapes(lanes, layoutOf(lanes, 1_200)), "name");
    expect(shape?.text).toMatch(/^a-node-with.*…$/);
    expect(shape?.title).toContain(name);
  });
});

describe("bars, spans and overlaps", () => {
  test("a bar stands from election to end, in the colour of its node, with its token, doubt and settling work", () => {
    const shapes = barShapes(data, view, layout);
    const [bar] = named(shapes, "bar");
    expect(bar?.attributes).toMatchObject({ class: "bar c0", x: 205, width: 350 });
    expect(named(shapes, "bar-name").map(({ text }) => text)).toEqual(["token 7", "token 9"]);
    expect(named(shapes, "doubt")[0]?.attributes).toMatchObject({ x: 355, width: 200 });
    expect(named(shapes, "drain")[0]?.attributes).toMatchObject({ x: 555, width: 300 });
    expect(named(shapes, "extension")[0]?.attributes["d"]).toMatch(/^M255 .*M305 .*M355 /);
  });

  test("when a bar is out of sight it is not drawn, when it is shorter than a pixel it still is", () => {
    const [bar] = named(barShapes(data, { ...view, fromMs: 33_000 }, layout), "bar");
    expect(bar).toBeUndefined();
    const far = named(barShapes(data, { ...view, untilMs: 40_000_000 }, layout), "bar");
    expect(far.map(({ attributes }) => attributes["width"])).toEqual([3, 3]);
  });

  test("a span says what is the matter where there is room, and differs by its hatch", () => {
    const shapes = spanShapes(data, view, layout);
    const hatches = named(shapes, "harm-hatch").map(({ attributes }) => attributes["fill"]);
    expect(hatches).toEqual(["url(#h-stopped)", "url(#h-stalled)", "url(#h-cut)"]);
    expect(named(shapes, "harm-name").map(({ text }) => text)).toEqual(["is stopped", "", "is cut off"]);
  });

  test("when two believe at once, the band spans both lanes and says for how long", () => {
    const two = dataOf(twoLeaders());
    const [band, name] = overlapShapes(two, view, layout);
    const [above, below] = [layout.rows[1], layout.rows[2]];
    expect(band?.attributes["y"]).toBe(above?.top);
    expect(band?.attributes["height"]).toBe((below?.top ?? 0) + (below?.height ?? 0) - (above?.top ?? 0));
    expect(name?.text).toBe("two leaders for 1250 ms");
  });

  test("at the cursor each belief reaches to the deadline that was known then", () => {
    const [promise] = promiseShapes(data, view, layout, 4_000);
    expect(promise?.attributes["d"]).toMatch(/^M280 \d+h175m/);
    expect(promiseShapes(data, view, layout, 16_000)).toEqual([]);
  });
});

describe("marks", () => {
  const long = dataOf(longRun(20_000));
  const all = { ...view, untilMs: long.untilMs, runMs: long.untilMs };

  test("when 20,000 events are in sight, few marks count them all", () => {
    const marks = marksIn(long, all);
    const shown = long.events.filter(([, , sign]) => (long.signs[sign]?.heightPx ?? 0) > 0);
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(shown.length);
    expect(shown.length).toBeGreaterThan(20_000);
    expect(markShapes(long, all, layout).length).toBeLessThan(1_200);
  });

  test("when the view moves, marks that stay in sight are the same", () => {
    const near = seen(all, 300_000, 60_000);
    const inside = (marks: ReturnType<typeof marksIn>) =>
      marks.filter(({ ms }) => ms > 320_000 && ms < 340_000).map((mark) => JSON.stringify(mark));
    expect(inside(marksIn(long, panned(near, 7_777)))).toEqual(inside(marksIn(long, near)));
    expect(inside(marksIn(long, near)).length).toBeGreaterThan(10);
  });

  test("refused and applied writes differ in sign, place and colour", () => {
    const uses = markShapes(data, view, layout).filter(({ tag }) => tag === "use");
    const [refused] = named(uses, "refused");
    const [applied] = named(uses, "applied");
    expect(refused?.attributes).toMatchObject({ class: "mark refused c0", href: "#s-refused" });
    expect(applied?.attributes).toMatchObject({ class: "mark applied c0", href: "#s-applied" });
    expect(refused?.attributes["y"]).not.toBe(applied?.attributes["y"]);
    expect(refused?.title).toBe("26.000 s: refuses write 3 of n0: token 7 is below the watermark 9 (STALE)");
  });

  test("many together are a column, a few rare ones a sign with their number", () => {
    const shapes = markShapes(long, all, layout);
    const [column] = named(shapes, "column");
    expect(column?.title).toMatch(/^\d+ together, the first at /);
    const tiny = markShapes(long, { ...all, untilMs: 100 * long.untilMs }, layout);
    const counts = named(tiny, "count").map(({ text }) => text);
    expect(counts).toEqual(expect.arrayContaining(["10", "15"]));
    expect(named(tiny, "elected")).toHaveLength(3);
  });

  test("faults stand in words where there is room on two lines, each with a line through all lanes", () => {
    const shapes = markShapes(long, all, layout);
    expect(named(shapes, "guide").length).toBe(15);
    const words = named(shapes, "fault-name");
    expect(words.length).toBeGreaterThan(5);
    for (const { attributes } of words) expect(Number(attributes["x"])).toBeLessThan(view.right);
    for (const y of new Set(words.map(({ attributes }) => attributes["y"]))) {
      const line = words.filter(({ attributes }) => attributes["y"] === y);
      for (const [index, { attributes, text = "" }] of line.entries()) {
        const next = Number(line[index + 1]?.attributes["x"] ?? Infinity);
        expect(Number(attributes["x"]) + text.length * 6).toBeLessThan(next);
      }
    }
  });

  test("the watermark is a line from claim to claim, in the colour of who claimed", () => {
    const lines = named(markShapes(data, view, layout), "watermark");
    expect(lines.map(({ attributes }) => attributes["class"])).toEqual(["watermark c0", "watermark c1"]);
    expect(lines[0]?.attributes["d"]).toMatch(/^M205\.25 \d+H615\.25$/);
  });
});
