/** A story as text: what `parse.ts` reads, to the letter. */

import { sayAct } from "./act-forms.js";
import { type Form, type Values, writeForm } from "./form.js";
import { writeDuration } from "./gap.js";
import { endingForms, expectationForms, settingForms, shownForms } from "./line-forms.js";
import type { Expectation, Story, StoryLine } from "./story.js";

export const dashes: string = "-".repeat(72);

export function printStory({ lines, transcript }: Story): string {
  const above = lines.map((line) => `${printLine(line)}\n`).join("");
  return transcript === undefined ? above : `${above}${dashes}\n${transcript}`;
}

export function printLine(line: StoryLine): string {
  switch (line.kind) {
    case "blank":
      return "";
    case "comment":
      return line.text === "" ? "#" : `# ${line.text}`;
    case "setting":
      return say(settingForms, line.setting);
    case "act":
      return `at ${writeDuration(line.fault.atMs)} ${sayAct(line.fault)}`;
    case "expect":
      return `at ${writeDuration(line.atMs)} expect ${sayExpectation(line.expectation)}`;
    case "until":
      return say(endingForms, { ms: line.untilMs, ending: line.ending });
    default:
      return say(shownForms, line.shown);
  }
}

export function sayExpectation(expectation: Expectation): string {
  return say(expectationForms, expectation);
}

function say(forms: readonly Form[], values: object): string {
  const sentence = writeForm(forms, values as Values);
  if (sentence === undefined) throw new Error(`no sentence says ${JSON.stringify(values)}`);
  return sentence;
}
