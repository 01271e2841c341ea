/**
 * Finds the code in README.md and docs. A fence `ts` or `js` is checked and run, `ts no-run` only checked,
 * `sh run` run. An HTML comment `<!-- prelude: NAME -->` before a fence puts test/docs/preludes/NAME.ts in front of
 * it, for what the reader takes for granted.
 */
export interface Snippet {
  /** `README.md:12`, the line of the opening fence. */
  readonly title: string;
  readonly language: "ts" | "js" | "sh";
  readonly run: boolean;
  readonly prelude: string | undefined;
  readonly code: string;
}

const opening = /^( *)```(ts|js|sh)\b *(.*)$/;
const preludeComment = /^ *<!-- prelude: ([\w-]+) -->$/;

export function findSnippets(path: string, markdown: string): readonly Snippet[] {
  const lines = markdown.split("\n");
  const found: Snippet[] = [];
  let prelude: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const start = opening.exec(line);
    if (start === null) {
      if (line.trim() !== "") prelude = preludeComment.exec(line)?.[1];
      continue;
    }
    const [, indent = "", language, words = ""] = start;
    const end = lines.indexOf(`${indent}\`\`\``, index + 1);
    if (end < 0) throw new Error(`${path}:${index + 1} opens a fence that nothing closes`);
    const code = lines.slice(index + 1, end).map((text) => text.slice(indent.length));
    const run = language === "sh" ? words === "run" : words !== "no-run";
    const title = `${path}:${index + 1}`;
    found.push({
      title,
      language: language as Snippet["language"],
      run,
      prelude,
      code: `${code.join("\n")}\n`,
    });
    prelude = undefined;
    index = end;
  }
  return found;
}
