import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planFor } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";
import { actForms } from "../../src/lab/story/act-forms.js";
import { endingForms, expectationForms, settingForms } from "../../src/lab/story/line-forms.js";
import { storyOfRun } from "../../src/lab/story/of-run.js";
import { parseStory } from "../../src/lab/story/parse.js";
import { playStory } from "../../src/lab/story/play.js";
import { printStory } from "../../src/lab/story/print.js";
import { StoryError } from "../../src/lab/story/story.js";

const folder = "test/transcripts";
const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

function errorOf(text: string): StoryError {
  try {
    parseStory(text);
  } catch (cause) {
    if (cause instanceof StoryError) return cause;
    throw cause;
  }
  throw new Error("it was read");
}

function withLine(line: string): string {
  return `# A story\n\nnodes a b\n\n${line}\nuntil 60s\n`;
}

describe("a story that cannot be read is told with line, column and what could stand there", () => {
  it.each([
    ["at 5s stop c for 2s", 12, '"c" stands where the reader expects one of leader, visitor, a, b'],
    ["at 5s stop a for 2", 18, '"2" stands where the reader expects a time such as "2.5s" or "300ms"'],
    ["at 5s stop a", 13, 'the line ends where the reader expects "for"'],
    ["at 5s stop  a for 2s", 12, "one space more stands where the reader expects a name"],
    [
      "at 5s lose the next writ of a",
      21,
      '"writ" stands where the reader expects one of read, write, ledger-read, ledger-write',
    ],
    ["at 5s expect nobody led", 21, '"led" stands where the reader expects "leads"'],
    ["at 5.000s kill a", 5, '".000s" stands where the reader expects "at 5s kill a"'],
    ["at 70s kill a", 7, '"60s" stands where the reader expects one end, after all that happens'],
    [
      "store reddis",
      7,
      '"reddis" stands where the reader expects one of memory, register, unproven, replicated',
    ],
  ])("%s", (line, column, message) => {
    const error = errorOf(withLine(line));
    expect(error.message).toContain(message);
    expect(error.column).toBe(column);
    expect(error.line).toBe(line.startsWith("at 70s") ? 6 : 5);
  });

  it("when times go back, says what may come", () => {
    expect(errorOf(withLine("at 5s kill a\nat 4s kill b")).message).toBe(
      'line 6, column 4: "4s" stands where the reader expects 5s or later',
    );
  });

  it("when no end is said, says that", () => {
    expect(errorOf("# A story\n").message).toContain('the line ends where the reader expects "until"');
  });
});

it("when any story is bent anywhere, it is read and printed to the letter, or refused with a place in it", () => {
  const bend = fc.record({
    text: fc.constantFrom(...texts),
    at: fc.nat(2_000),
    drop: fc.nat(6),
    put: fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom("\n", "  ", "9", "-", "s", "at ", "#", "e5", "."),
    ),
  });
  const counts = { read: 0, refused: 0 };
  fc.assert(
    fc.property(bend, ({ text, at, drop, put }) => {
      const [above = ""] = text.split("-".repeat(72));
      const place = at % above.length;
      const bent = above.slice(0, place) + put + above.slice(place + drop);
      const read = readOrRefuse(bent);
      counts[read.printed === undefined ? "refused" : "read"] += 1;
      expect(read.printed ?? bent).toBe(bent);
      expect(read.line).toBeLessThanOrEqual(bent.split("\n").length + 1);
      expect(read.column).toBeLessThanOrEqual((bent.split("\n")[read.line - 1]?.length ?? 0) + 1);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(100);
});

function readOrRefuse(text: string): { printed?: string; line: number; column: number } {
  try {
    return { printed: printStory(parseStory(text)), line: 1, column: 1 };
  } catch (cause) {
    if (!(cause instanceof StoryError)) throw cause;
    return { line: cause.line, column: cause.column };
  }
}

it("when a generated run is printed as a story, the story plays the same run", async () => {
  for (let seed = 1; seed <= 24; seed += 1) {
    const plan = planFor("default", { seed, faultyMs: 60_000, recording: false });
    const { faults, world, broken } = await run(plan);
    const text = printStory(storyOfRun({ plan, faults, notes: [`Seed ${seed}`] }));
    const story = parseStory(text);
    expect(printStory(story)).toBe(text);
    const { outcome } = await playStory(story);
    expect(outcome.broken).toEqual(broken);
    expect(outcome.world.lines, `history of seed ${seed}`).toEqual(world.lines);
  }
}, 60_000);

it("when a sentence can be said, the page of stories has it", () => {
  const page = readFileSync("docs/lab-stories.md", "utf8");
  const forms = [...actForms, ...settingForms, ...expectationForms, ...endingForms];
  // Endings that many of them may have are explained there once.
  const bases = forms.map(({ template }) =>
    template.replace(
      / in a new epoch|, and let nothing else happen for a while|, after \{others\} of that instant/g,
      "",
    ),
  );
  expect(bases.filter((base) => !page.includes(`- \`${base}\``))).toEqual([]);
  expect(bases.length).toBeGreaterThan(70);
});
