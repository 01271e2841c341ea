import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseStory } from "../../src/lab/story/parse.js";
import { playStory, titleOf } from "../../src/lab/story/play.js";
import { printStory } from "../../src/lab/story/print.js";
import { createNaiveElector } from "../../src/lab/foreign/naive-elector.js";
import { MutatedLab } from "./mutated-lab.js";
import { specimens } from "./specimens/index.js";

const folder = "test/transcripts";
/** Writes what is below the dashes anew. */
const update = process.env["LAB_UPDATE"] === "1";

const stories = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .toSorted()
  .map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return { name, text, story: parseStory(text) };
  });

describe.each(stories)("the story $name", ({ name, text, story }) => {
  it("has a title, and is printed as it stands there", () => {
    expect(titleOf(story)).toMatch(/^[A-Z]/);
    expect(printStory(story)).toBe(text);
  });

  it("when our code plays it, keeps every promise and every expectation, in the expected words", async () => {
    const { outcome, missed, transcript } = await playStory(story);
    expect([...outcome.broken, ...missed]).toEqual([]);
    if (update) writeFileSync(join(folder, name), printStory({ ...story, transcript }));
    expect(transcript).toBe(update ? transcript : story.transcript);
  });
});

describe("what a story is shown on", () => {
  let lab: MutatedLab;
  beforeAll(() => {
    lab = new MutatedLab();
  });
  afterAll(() => lab.dispose());

  const shown = stories.flatMap(({ name, text, story }) =>
    story.lines.flatMap((line) => {
      if (line.kind !== "shown") return [];
      const { on, name: part, breaks } = line.shown;
      return [{ name, text, on, part, breaks }];
    }),
  );

  it.each(shown.filter(({ on }) => on !== "mutant"))(
    "when $name is played with the elector $on $part, it breaks: $breaks",
    async ({ text, part, breaks }) => {
      const createElector = part === "" ? createNaiveElector : specimens[part];
      if (createElector === undefined) throw new Error(`there is no specimen ${part}`);
      const { outcome, missed } = await playStory(parseStory(text), { createElector });
      const broken = [...outcome.broken, ...missed];
      expect(
        broken.filter((why) => why.includes(breaks)),
        JSON.stringify(broken),
      ).not.toEqual([]);
    },
  );

  it.each(shown.filter(({ on }) => on === "mutant"))(
    "when $name is played on the mutant $part, it breaks: $breaks",
    async ({ text, part, breaks }) => {
      const broken = await lab.play(text, part);
      expect(
        broken?.filter((why) => why.includes(breaks)),
        JSON.stringify(broken),
      ).not.toEqual([]);
    },
  );
});
