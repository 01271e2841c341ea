/**
 * Exports that nobody takes, and files that nothing reaches. An export is used when another source file imports it
 * or when a package entry hands it out; a type also when a used export of its file is written with it. One that
 * only tests import is an error of its own kind, because it is public for the sake of a test.
 */
import ts from "typescript";
import { type Files, lineOf, parse } from "./files.js";
import { type Import, importsIn, importsOf } from "./imports.js";
import type { Violation } from "./violation.js";

interface Exported {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly statement: ts.Statement;
}

/** `entries` are source paths that users or a command load; `tests` only decides which message is given. */
export function checkUnusedExports(
  src: Files,
  tests: Files,
  entries: readonly string[],
): readonly Violation[] {
  const used = namesUsed(
    src,
    importsOf(src).filter((found) => !found.reExport),
  );
  for (const entry of entries) take(src, used, entry, "*");
  const tested = namesUsed(src, importsOf(tests));
  return [...src].flatMap(([file, text]) =>
    unusedIn(file, text, used).map(({ name, line }) => complaint(file, line, name, has(tested, file, name))),
  );
}

function unusedIn(file: string, text: string, used: Used): readonly Exported[] {
  const all = exportsIn(file, text);
  let unused = all.filter(({ name }) => !has(used, file, name));
  for (let before = -1; before !== unused.length; ) {
    before = unused.length;
    const kept = all.filter(({ name }) => !unused.some((other) => other.name === name));
    const mentioned = new Set(kept.flatMap(({ statement }) => statement.getText().match(/\w+/g) ?? []));
    unused = unused.filter(({ name, statement }) => !isType(statement) || !mentioned.has(name));
  }
  return unused;
}

function isType(statement: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

function complaint(file: string, line: number, name: string, byTests: boolean): Violation {
  return byTests
    ? {
        file,
        line,
        wrong: `exports ${name} for tests alone`,
        instead: "test it through what production uses, or let production use it",
      }
    : { file, line, wrong: `exports ${name}, which nobody takes`, instead: "drop the export, or the code" };
}

type Used = Map<string, Set<string>>;

function has(used: Used, file: string, name: string): boolean {
  return used.get(file)?.has(name) === true || used.get(file)?.has("*") === true;
}

function namesUsed(src: Files, imports: readonly Import[]): Used {
  const used: Used = new Map();
  for (const { target, names } of imports) {
    for (const name of names) if (target !== undefined) take(src, used, target, name);
  }
  return used;
}

/** Marks a name, and follows it through re-exports to the file that declares it. */
function take(src: Files, used: Used, file: string, name: string): void {
  const names = used.get(file) ?? new Set<string>();
  used.set(file, names);
  if (names.has(name)) return;
  names.add(name);
  const text = src.get(file);
  if (text === undefined) return;
  for (const { target, outer, inner } of reExportsIn(src, file, text)) {
    if (target === undefined) continue;
    if (outer === "*") take(src, used, target, name);
    else if (name === "*" || name === outer) take(src, used, target, inner);
  }
}

interface ReExport {
  readonly target: string | undefined;
  readonly outer: string;
  readonly inner: string;
}

function reExportsIn(src: Files, file: string, text: string): readonly ReExport[] {
  const targets = importsOf(new Map([[file, text]])).filter((found) => found.reExport);
  const declarations = parse(file, text).statements.filter(ts.isExportDeclaration);
  return declarations
    .filter((declaration) => declaration.moduleSpecifier !== undefined)
    .flatMap((declaration, index): ReExport[] => {
      const target = targets[index]?.target;
      const clause = declaration.exportClause;
      if (clause === undefined) return [{ target, outer: "*", inner: "*" }];
      if (ts.isNamespaceExport(clause)) return [{ target, outer: clause.name.text, inner: "*" }];
      return clause.elements.map((element) => {
        return { target, outer: element.name.text, inner: (element.propertyName ?? element.name).text };
      });
    })
    .filter(({ target }) => target !== undefined && src.has(target));
}

function exportsIn(file: string, text: string): readonly Exported[] {
  const source = parse(file, text);
  return source.statements.flatMap((statement): Exported[] => {
    const line = lineOf(source, statement);
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      if (clause === undefined || statement.moduleSpecifier !== undefined) return [];
      return ts.isNamedExports(clause)
        ? clause.elements.map(({ name }) => ({ file, line, name: name.text, statement }))
        : [];
    }
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    return declaredNames(statement).map((name) => ({ file, line, name, statement }));
  });
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  const name = named || ts.isInterfaceDeclaration(statement) ? statement.name : undefined;
  return name === undefined ? [] : [name.text];
}

/** Files that no entry reaches through imports of any kind. */
export function checkUnreachableFiles(src: Files, entries: readonly string[]): readonly Violation[] {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    const text = src.get(file);
    if (text === undefined || reached.has(file)) return;
    reached.add(file);
    for (const { target } of importsIn(file, text)) if (target !== undefined) visit(target);
  };
  for (const entry of entries) visit(entry);
  const instead = "import it, declare it in package.json (exports, bin or a script), or delete it";
  return [...src.keys()]
    .filter((file) => !reached.has(file))
    .map((file) => ({ file, line: 1, wrong: "is reached from no entry of the package", instead }));
}
