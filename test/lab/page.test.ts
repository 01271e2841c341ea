import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PageData } from "../../src/lab/page/data.js";
import { renderPage } from "../../src/lab/page/page.js";
import type { RunStory } from "../../src/lab/timeline.js";
import { scan } from "./markup-scan.js";
import { first, ledger, line, longRun, moment, ns, stoppedLeader, twoLeaders } from "./stories.js";

const page = renderPage(stoppedLeader());

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start) + start.length;
  return text.slice(from, text.indexOf(end, from));
}

function script(text: string): string {
  return between(text, '<script type="module">', "</script>");
}

function dataOf(text: string): PageData {
  return JSON.parse(between(text, '<script type="application/json" id="story">', "</script>")) as PageData;
}

describe("the page as a document", () => {
  const { elements, faults } = scan(page);
  const named = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);

  test("closes what it opens, and gives no name twice", () => {
    expect(faults).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    expect(elements.length).toBeGreaterThan(100);
  });

  test("has every element that its script asks for, of that kind", () => {
    const kinds = [...script(page).matchAll(/byId\("([\w-]+)", (?:HTML|SVG)(\w*)Element\)/g)];
    expect(kinds.length).toBeGreaterThan(15);
    const tags: Readonly<Record<string, string>> = { OList: "ol", FieldSet: "fieldset", "": "any" };
    const asked = kinds.map(([, id = "", kind = ""]) => `${id}: ${tags[kind] ?? kind.toLowerCase()}`);
    const there = elements.flatMap(({ name, attributes }) => {
      const id = attributes.get("id");
      return id === undefined ? [] : [`${id}: ${name}`, `${id}: any`];
    });
    expect(there).toEqual(expect.arrayContaining(asked));
  });

  test("has a picture for every sign and hatch that is used, and explains each picture", () => {
    const used = [...page.matchAll(/(?:href="#|url\(#)([sh]-\w+)/g)].map(([, id]) => id);
    expect(named).toEqual(expect.arrayContaining(used));
    const pictures = named.filter((id) => id.startsWith("s-"));
    const explained = elements
      .filter(({ name, within }) => name === "use" && within.includes("li"))
      .map(({ attributes }) => attributes.get("href"));
    const unexplained = pictures.filter((id) => !explained.includes(`#${id}`));
    // A renewal is explained on its bar; what a moment says of a belief or a guard, and a span, stand in words.
    expect(unexplained.toSorted()).toEqual(["s-belief", "s-guard", "s-renewed", "s-span"]);
  });

  test("can hide every kind of event by one box", () => {
    const boxes = elements.filter(({ name, within }) => name === "input" && within.includes("fieldset"));
    const kinds = boxes.flatMap(({ attributes }) => (attributes.get("value") ?? "").split(" "));
    const pictures = named.filter((id) => id.startsWith("s-")).map((id) => id.slice(2));
    expect(kinds.toSorted()).toEqual(pictures.toSorted());
  });

  test("opens no other file and no connection, and allows its own script and style by their hashes alone", () => {
    const policy = elements.find(({ attributes }) => attributes.has("http-equiv"))?.attributes.get("content");
    const style = between(page, "<style>", "</style>");
    const hashOf = (text: string) => `&#39;sha256-${createHash("sha256").update(text).digest("base64")}&#39;`;
    expect(policy).toBe(
      `default-src &#39;none&#39;; script-src ${hashOf(script(page))}; style-src ${hashOf(style)}; ` +
        "base-uri &#39;none&#39;; form-action &#39;none&#39;",
    );
    const links = elements.flatMap(({ attributes }) => attributes.get("href") ?? []);
    expect(links.filter((link) => !link.startsWith("#"))).toEqual([]);
    const outside = /^(?:src|srcset|style|on\w+|action|data)$/;
    const names = elements.flatMap(({ attributes }) => [...attributes.keys()]);
    expect(names.filter((name) => outside.test(name))).toEqual([]);
    expect(page.match(/https?:[^"'`\s]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
    expect(style).not.toMatch(/@import|url\(/);
  });

  test("names everything that a reader operates", () => {
    const operated = elements.filter(({ name }) => ["input", "select", "button"].includes(name));
    const unnamed = operated.filter(({ name, within }) => name !== "button" && !within.includes("label"));
    expect(unnamed).toEqual([]);
    const focused = elements.filter(({ attributes }) => attributes.has("tabindex"));
    expect(focused.map(({ attributes }) => attributes.get("id"))).toEqual(["chart", "events"]);
    expect(focused.filter(({ attributes }) => !attributes.has("aria-label"))).toEqual([]);
  });
});

describe("what the page says", () => {
  test("when all promises held, it says so at the top, with how much there was to judge", () => {
    expect(page).toContain("Every promise held.");
    expect(page).toContain("2 terms, 6 renewals, 1 fault, 3 writes applied, 1 refused.");
    expect(page).not.toContain("Show it on the time line");
    expect(dataOf(page).firstMs).toBe(26_000);
  });

  test("when one was broken, it says which, leads there, and names what was admitted", () => {
    const broken = renderPage(twoLeaders());
    expect(broken).toContain("A promise was broken.");
    expect(broken).toContain(
      "<li>P1: n0 (token 7) and n1 (token 9) both believed for 1250 ms, from 17.4 s on</li>",
    );
    expect(broken).toContain('<a href="#time">Show it on the time line</a>');
    expect(broken).toContain("<li>the clocks of n0 and n1 differ by more than 1.5 : 1</li>");
    expect(dataOf(broken).firstMs).toBe(17_400);
  });

  test("the story as text and the way to see it again are on it", () => {
    expect(page).toContain(
      " 26.000  ledger  refuses write 3 of n0: token 7 is below the watermark 9 (STALE)\n",
    );
    expect(page).toContain("<pre>tenure lab --seed 42</pre>");
  });

  test("when nothing happened at all, there is still a page", () => {
    const none = {
      title: "",
      facts: [],
      untilMs: 0,
      parties: [],
      moments: [],
      lines: [],
      spans: [],
      again: "",
    };
    const empty = renderPage({ ...none, verdict: { broken: [], admitted: [] } });
    expect(scan(empty).faults).toEqual([]);
    expect(dataOf(empty)).toMatchObject({ firstMs: 0, bars: [], events: [] });
  });
});

describe("when a history is hostile", () => {
  const evil = `</script></style><!--<script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
  const hostile: RunStory = {
    ...stoppedLeader(),
    title: evil,
    facts: [[evil, evil]],
    parties: [
      { name: evil, kind: "node", note: evil },
      { name: "constructor", kind: "node" },
    ],
    moments: [moment(1, evil, "fault", evil), moment(2, "__proto__", "broken", evil)],
    lines: [
      line(1, evil, { event: "elected", ...first, until: ns(9) }),
      line(2, evil, { event: "refused", ...first, ...ledger, resource: evil, code: evil }),
      line(3, evil, { event: "lost", ...first, reason: evil, lateByMs: 0 }),
    ],
    spans: [{ party: evil, kind: "down", fromMs: 1, untilMs: 2, text: evil }],
    verdict: { broken: [evil], admitted: [evil] },
    again: evil,
  };
  const rendered = renderPage(hostile);

  test("nothing of it becomes markup or script", () => {
    const { elements, faults } = scan(rendered);
    expect(faults).toEqual([]);
    expect(elements.filter(({ name }) => name === "img")).toEqual([]);
    expect(elements.filter(({ name }) => name === "script")).toHaveLength(2);
    expect(script(rendered)).toBe(script(page));
    expect(rendered.match(/<!--|<img|<script>/g)).toBeNull();
  });

  test("all of it can still be read", () => {
    const data = dataOf(rendered);
    expect(data.lanes.map(({ name }) => name)).toEqual(["world", evil, "constructor", "__proto__"]);
    expect(data.events.map(([, , , text]) => text)).toContain(evil);
  });
});

describe("the size of the page", () => {
  test("when a run has 20,000 lines in ten minutes, the page stays below 3 MB", () => {
    const story = longRun(20_000);
    expect(story.lines.length).toBeGreaterThanOrEqual(20_000);
    expect(Buffer.byteLength(renderPage(story))).toBeLessThan(3_000_000);
  });

  test("the script stays below 25 KiB", () => {
    expect(Buffer.byteLength(script(page))).toBeLessThan(25 * 1_024);
  });

  test("when the story is the same, so are the bytes", () => {
    expect(renderPage(stoppedLeader())).toBe(page);
  });
});
