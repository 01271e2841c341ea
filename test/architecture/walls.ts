/** Sizes at which a file or function has more than one reason to change, and words that mark unfinished work. */
import ts from "typescript";
import { type Files, lineOf, parse, walk } from "./files.js";
import type { Violation } from "./violation.js";

export const fileLineLimit = 400;
export const functionLineLimit = 70;

/** Stays empty: a file that cannot meet a wall has to be split, not listed. */
export const exceptions: readonly string[] = [];

export function checkSizes(files: Files): readonly Violation[] {
  return [...files]
    .filter(([file]) => !exceptions.includes(file))
    .flatMap(([file, text]) => sizesOf(file, text));
}

function sizesOf(file: string, text: string): readonly Violation[] {
  const source = parse(file, text);
  const violations: Violation[] = [];
  const lineCount = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lineCount > fileLineLimit) {
    const wrong = `has ${lineCount} lines (wall: ${fileLineLimit})`;
    violations.push({ file, line: 1, wrong, instead: "split it by reason to change" });
  }
  walk(source, (node) => {
    if (!ts.isFunctionLike(node) || isGroupOfTests(node)) return;
    const first = lineOf(source, node);
    const count = source.getLineAndCharacterOfPosition(node.end).line + 2 - first;
    if (count <= functionLineLimit) return;
    const wrong = `has a function of ${count} lines (wall: ${functionLineLimit})`;
    violations.push({ file, line: first, wrong, instead: "give its steps names" });
  });
  return violations;
}

/** The callback of `describe`, or of our own that asks for servers, holds tests, each of which is measured by itself. */
function isGroupOfTests(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node.parent) && /^describe(WithServer)?\b/.test(node.parent.expression.getText())
  );
}

// Bracketed letters, so that this file does not find itself.
const unfinished = /\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/;

export function checkUnfinished(files: Files): readonly Violation[] {
  return [...files].flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => {
      const match = unfinished.exec(line);
      const instead = "finish it, or open an issue and say here what holds today";
      return match === null ? [] : [{ file, line: index + 1, wrong: `says ${match[1]}`, instead }];
    }),
  );
}
