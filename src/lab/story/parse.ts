/**
 * Reads a story. Strict: a sentence can be written in one way only, times do not go back, and only those happen to be
 * spoken of who are there. What is wrong is told with its line, its column, and what could have stood there.
 */

import type { Fault } from "../faults/fault.js";
import { actForms, actOf } from "./act-forms.js";
import { type Form, readForm, type Values } from "./form.js";
import { writeDuration } from "./gap.js";
import { endingForms, expectationForms, settingForms, shownForms } from "./line-forms.js";
import { dashes, printLine } from "./print.js";
import type { Ending, Expectation, Setting, Shown } from "./story.js";
import { type Story, StoryError, type StoryLine } from "./story.js";

/** More than anybody reads. */
const longestStory = 1_000_000;

export function parseStory(text: string): Story {
  if (text.length > longestStory)
    throw new StoryError(1, 1, `a story has at most ${longestStory} characters`);
  return new Reader(text).read();
}

class Reader {
  readonly #text: readonly string[];
  readonly #lines: StoryLine[] = [];
  readonly #names = new Set(["leader", "visitor"]);
  #line = 0;
  #atMs = 0;
  #untilMs: number | undefined;

  constructor(text: string) {
    this.#text = text.split("\n");
  }

  read(): Story {
    const end = this.#text.indexOf(dashes);
    const transcript = end < 0 ? undefined : this.#text.slice(end + 1).join("\n");
    const above = this.#text.slice(0, end < 0 ? undefined : end);
    if (end < 0 && above.pop() !== "")
      this.#fail(this.#text.length, this.#text.at(-1)?.length ?? 0, "a line break");
    for (const [place, text] of above.entries()) {
      this.#line = place + 1;
      this.#lines.push(this.#readLine(text));
    }
    if (this.#untilMs === undefined) this.#fail(above.length + 1, 0, '"until" or "faults for", and a time');
    return { lines: this.#lines, transcript };
  }

  #readLine(text: string): StoryLine {
    if (text === "") return { kind: "blank" };
    const line = this.#understood(text);
    const said = printLine(line);
    if (said !== text) {
      let at = 0;
      while (text[at] === said[at]) at += 1;
      this.#fail(this.#line, at, `"${said}"`);
    }
    return line;
  }

  #understood(text: string): StoryLine {
    if (text.startsWith("#")) return { kind: "comment", text: text.slice(1).replace(/^ /, "") };
    if (text.startsWith("at ")) return this.#happening(text);
    if (text.startsWith("until ") || text.startsWith("faults ")) return this.#end(text);
    if (text.startsWith("shown "))
      return { kind: "shown", shown: this.#form(shownForms, text, 0) as unknown as Shown };
    return this.#setting(text);
  }

  #setting(text: string): StoryLine {
    const setting = this.#form(settingForms, text, 0) as unknown as Setting;
    if (this.#lines.some(({ kind }) => kind !== "setting" && kind !== "comment" && kind !== "blank"))
      this.#fail(this.#line, 0, "settings before all that happens");
    if (setting.is === "nodes") for (const name of setting.names) this.#names.add(name);
    else if (setting.is === "late") for (const name of setting.names) this.#known(name, text);
    else if ("who" in setting) this.#known(setting.who, text);
    return { kind: "setting", setting };
  }

  #happening(text: string): StoryLine {
    const [, time = "", rest = ""] = /^at (\S*)(.*)$/u.exec(text) ?? [];
    const [{ values }] = [this.#filled([{ template: "{ms}", fixed: {} }], `at ${time}`, 3)];
    const atMs = Number(values["ms"]);
    if (atMs < this.#atMs || this.#untilMs !== undefined)
      this.#fail(
        this.#line,
        3,
        this.#untilMs === undefined ? `${writeDuration(this.#atMs)} or later` : "nothing after the end",
      );
    this.#atMs = atMs;
    const start = 3 + time.length + 1;
    if (rest.startsWith(" expect ")) {
      const expectation = this.#form(expectationForms, text, start + 7) as unknown as Expectation;
      if ("who" in expectation) this.#known(expectation.who, text);
      return { kind: "expect", atMs, expectation };
    }
    const act = actOf(this.#form(actForms, text, start));
    if ("who" in act) this.#known(act.who, text);
    const fault: Fault = { ...act, atMs };
    return { kind: "act", fault };
  }

  #end(text: string): StoryLine {
    const { ms, ending } = this.#form(endingForms, text, 0) as {
      readonly ms: number;
      readonly ending: Ending;
    };
    // Healing takes time of its own, in which the last acts may come.
    if ((ending === "bare" && ms < this.#atMs) || this.#untilMs !== undefined)
      this.#fail(this.#line, 6, "one end, after all that happens");
    this.#untilMs = ms;
    return { kind: "until", untilMs: ms, ending };
  }

  #known(name: string | undefined, text: string): void {
    if (name === undefined || this.#names.has(name.replace(/'$/, ""))) return;
    this.#fail(this.#line, text.lastIndexOf(name), `one of ${[...this.#names].join(", ")}`);
  }

  #form(forms: readonly Form[], text: string, start: number): Values {
    return this.#filled(forms, text, start).values;
  }

  #filled(forms: readonly Form[], text: string, start: number): { readonly values: Values } {
    const read = readForm(forms, text, start);
    if ("values" in read) return read;
    return this.#fail(this.#line, Math.min(read.at, text.length), read.expected.join(", or "));
  }

  #fail(line: number, at: number, expected: string): never {
    const rest = this.#text[line - 1]?.slice(at) ?? "";
    const [word = ""] = rest.split(" ", 1);
    const found = rest === "" ? "the line ends" : word === "" ? "one space more stands" : `"${word}" stands`;
    throw new StoryError(line, at + 1, `${found} where the reader expects ${expected}`);
  }
}
