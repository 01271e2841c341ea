/** Every way in which one file names another: import, re-export, dynamic import, import type, worker URL. */
import ts from "typescript";
import { type Files, lineOf, parse, walk } from "./files.js";

export interface Import {
  readonly from: string;
  readonly line: number;
  /** As written: `node:fs`, `../base/clock.js`. */
  readonly specifier: string;
  /** The repository path for a relative specifier, else undefined. */
  readonly target: string | undefined;
  /** Erased by the compiler, so it costs nothing at run time. */
  readonly typeOnly: boolean;
  /** Exported names it takes; "*" when it takes the whole module. */
  readonly names: readonly string[];
  readonly reExport: boolean;
}

export function importsOf(files: Files): readonly Import[] {
  return [...files].flatMap(([path, text]) => importsIn(path, text));
}

const known = new WeakMap<ts.SourceFile, readonly Import[]>();

export function importsIn(path: string, text: string): readonly Import[] {
  const source = parse(path, text);
  const cached = known.get(source);
  if (cached !== undefined) return cached;
  const found: Import[] = [];
  walk(source, (node) => {
    const part = readImport(node);
    if (part === undefined) return;
    const target = part.specifier.startsWith(".") ? resolve(path, part.specifier) : undefined;
    found.push({ from: path, line: lineOf(source, node), target, ...part });
  });
  known.set(source, found);
  return found;
}

type Part = Pick<Import, "specifier" | "typeOnly" | "names" | "reExport">;

function readImport(node: ts.Node): Part | undefined {
  if (ts.isImportDeclaration(node)) return readImportDeclaration(node);
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const named = node.exportClause !== undefined && ts.isNamedExports(node.exportClause);
    const names = named ? exportedElements(node) : ["*"];
    return { specifier: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly, names, reExport: true };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const names = [node.qualifier?.getText() ?? "*"];
    return { specifier: textOf(node.argument.literal), typeOnly: true, names, reExport: false };
  }
  const lazy = lazySpecifier(node);
  return lazy === undefined ? undefined : { specifier: lazy, typeOnly: false, names: ["*"], reExport: false };
}

function readImportDeclaration(node: ts.ImportDeclaration): Part {
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  const names = elements.map((element) => (element.propertyName ?? element.name).text);
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) names.push("*");
  if (clause?.name !== undefined) names.push("default");
  const allTypes = elements.length > 0 && clause?.name === undefined && elements.every((e) => e.isTypeOnly);
  const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || allTypes;
  return { specifier: textOf(node.moduleSpecifier), typeOnly, names, reExport: false };
}

function exportedElements(node: ts.ExportDeclaration): string[] {
  if (node.exportClause === undefined || !ts.isNamedExports(node.exportClause)) return [];
  return node.exportClause.elements.map((element) => (element.propertyName ?? element.name).text);
}

/** `import("./x.js")` and `new URL("./x.js", import.meta.url)`, the way a child process or worker is named. */
function lazySpecifier(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const [first, second] = node.arguments ?? [];
  if (first === undefined || !ts.isStringLiteralLike(first)) return undefined;
  const dynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const url = ts.isNewExpression(node) && node.expression.getText() === "URL";
  if (dynamic) return first.text;
  return url && second?.getText() === "import.meta.url" && /\.m?js$/.test(first.text)
    ? first.text
    : undefined;
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}

function resolve(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.replace(/\.js$/, ".ts").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
