/** What every source file has (a header that says what it is) and never has (forms that the house rules exclude). */
import ts from "typescript";
import { type Files, lineOf, parse, walk } from "./files.js";
import type { Violation } from "./violation.js";

/** A header is a comment before the first statement, long enough to say something. */
export function checkHeaders(files: Files): readonly Violation[] {
  return [...files].flatMap(([file, text]) => {
    const comments = ts.getLeadingCommentRanges(text, 0) ?? [];
    const words =
      comments
        .map(({ pos, end }) => text.slice(pos, end))
        .join(" ")
        .match(/[A-Za-z]{2,}/g) ?? [];
    if (words.length >= 3) return [];
    const instead = "open it with a comment: what it is, what it promises, what it must not do";
    return [{ file, line: 1, wrong: "has no header", instead }];
  });
}

/** Default exports (allowed where a tool demands one), enums, namespaces, class tests of our own error. */
export function checkForms(files: Files, defaultExports: readonly string[]): readonly Violation[] {
  return [...files].flatMap(([file, text]) => {
    const source = parse(file, text);
    const violations: Violation[] = [];
    walk(source, (node) => {
      const found = excludedForm(node, defaultExports.includes(file));
      if (found !== undefined) violations.push({ file, line: lineOf(source, node), ...found });
    });
    return violations;
  });
}

function excludedForm(node: ts.Node, mayDefault: boolean): Pick<Violation, "wrong" | "instead"> | undefined {
  if (!mayDefault && isDefaultExport(node)) {
    return {
      wrong: "has a default export",
      instead: "export it by name, so that it has one name everywhere",
    };
  }
  if (ts.isEnumDeclaration(node)) {
    return { wrong: "declares an enum", instead: "use a union of string literals" };
  }
  if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name) && node.name.text !== "global") {
    return { wrong: "declares a namespace", instead: "use a module" };
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) {
    const [wrong, instead] = [
      "tests instanceof TenureError",
      "use TenureError.is: two copies of the package may meet",
    ];
    if (node.right.getText().endsWith("TenureError")) return { wrong, instead };
  }
  return undefined;
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === "default";
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
}
