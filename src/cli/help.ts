/** Help, made from the tables of verbs, options and exit codes. */

import { exitCodeTable } from "./exit-codes.js";
import { optionsOf } from "./settings.js";
import type { OptionSpec, Verb } from "./verb.js";

const widthOfLine = 112;

export function generalHelp(verbs: readonly Verb[]): string {
  const everyday = verbs.filter((verb) => verb.everyday);
  const more = verbs.filter((verb) => !verb.everyday);
  return [
    "Usage: tenure <verb> [options]",
    "",
    "Leader election with fencing: one of several processes leads.",
    "",
    "Verbs:",
    ...rows(everyday.map(({ name, summary }) => [name, summary])),
    ...(more.length === 0 ? [] : ["", "More:", ...rows(more.map(({ name, summary }) => [name, summary]))]),
    "",
    "  tenure <verb> --help    what it does and its options",
    "  tenure --version        the version of the package",
    "",
    "A store is named by --store, TENURE_STORE, or tenure.config.json: file:PATH for the processes of one host,",
    "redis://HOST:PORT for all hosts that reach the server.",
    "",
    "Exit codes:",
    ...rows(exitCodeTable),
  ].join("\n");
}

/** Of the verbs that begin with one word. */
export function groupHelp(group: string, verbs: readonly Verb[]): string {
  return [
    `Usage: tenure ${group} <verb> [options]`,
    "",
    "Verbs:",
    ...rows(verbs.map(({ name, summary }) => [name, summary])),
    "",
    `  tenure ${group} <verb> --help    what it does and its options`,
  ].join("\n");
}

export function verbHelp(verb: Verb): string {
  const { name, summary, about, positionals, takesCommand = false } = verb;
  const usage = ["tenure", name, ...positionals, "[options]", ...(takesCommand ? ["-- command…"] : [])];
  const options = [...optionsOf(verb), help].map((spec) => [optionText(spec), spec.about] as const);
  const first = summary.charAt(0).toUpperCase() + summary.slice(1);
  return [`Usage: ${usage.join(" ")}`, "", `${first}.`, "", about, "", "Options:", ...rows(options)].join(
    "\n",
  );
}

const help: OptionSpec = { name: "help", kind: "switch", about: "print this" };

function optionText({ name, value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns; what is too long for the second goes on below it. */
function rows(entries: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...entries.map(([left]) => left.length)) + 2;
  return entries.flatMap(([left, right]) =>
    wrap(right, widthOfLine - width - 2).map(
      (line, index) => `  ${(index === 0 ? left : "").padEnd(width)}${line}`,
    ),
  );
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
