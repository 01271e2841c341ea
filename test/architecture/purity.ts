/**
 * A pure core decides and performs nothing, so that the lab can run the shipped code step by step and no `await`
 * can sit between reading a term and acting on it. The rule holds for the core files and for everything they
 * import at run time: a core that reaches a timer through a helper is no better than one that holds it.
 */
import ts from "typescript";
import { type Files, lineOf, parse, walk } from "./files.js";
import { importsIn } from "./imports.js";
import type { Violation } from "./violation.js";

const corePath = /^src\/(?:lease|bully)\/core[^/]*\.ts$|^src\/raft\/core\//;

/** Names that reach for time, chance, I/O or a later turn of the event loop. */
const banned = new Set(
  [
    "Promise",
    "Date",
    "performance",
    "crypto",
    "process",
    "console",
    "globalThis",
    "queueMicrotask",
    "fetch",
  ].concat(["setTimeout", "setInterval", "setImmediate", "AbortController", "WeakRef", "Intl"]),
);

export function checkPurity(files: Files): readonly Violation[] {
  const cores = [...files.keys()].filter((file) => corePath.test(file));
  const reached = new Map<string, string>();
  const visit = (file: string, core: string): void => {
    const text = files.get(file);
    if (text === undefined || reached.has(file)) return;
    reached.set(file, core);
    for (const found of importsIn(file, text)) {
      if (!found.typeOnly && found.target !== undefined) visit(found.target, core);
    }
  };
  for (const core of cores) visit(core, core);
  return [...reached].flatMap(([file, core]) => checkFile(file, core, files.get(file) ?? ""));
}

function checkFile(file: string, core: string, text: string): readonly Violation[] {
  const source = parse(file, text);
  const via = file === core ? "" : ` (reached from ${core})`;
  const violations: Violation[] = [];
  const add = (line: number, what: string): void => {
    const instead = "emit an effect that the runner performs, or take the value as an input of the step";
    violations.push({ file, line, wrong: `pure code ${what}${via}`, instead });
  };
  for (const found of importsIn(file, text)) {
    if (!found.typeOnly && found.target === undefined) add(found.line, `imports ${found.specifier}`);
  }
  walk(source, (node) => {
    const what = impurity(node, file === core);
    if (what !== undefined) add(lineOf(source, node), what);
  });
  return violations;
}

function impurity(node: ts.Node, isCore: boolean): string | undefined {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return "is async";
  if (ts.isAwaitExpression(node)) return "awaits";
  if (ts.isPropertyAccessExpression(node) && node.getText() === "Math.random") return "uses Math.random";
  if (ts.isImportTypeNode(node) || !ts.isIdentifier(node) || !banned.has(node.text)) return undefined;
  return isReference(node, isCore) ? `uses ${node.text}` : undefined;
}

/**
 * False for a property or type that merely has the name. A core does not even speak of promises; a port that it
 * takes its record types from does.
 */
function isReference(node: ts.Identifier, isCore: boolean): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isTypeReferenceNode(parent)) return isCore && node.text === "Promise";
  if (ts.isExpressionWithTypeArguments(parent) || ts.isQualifiedName(parent)) return false;
  return !ts.isPropertySignature(parent) && !ts.isPropertyAssignment(parent) && !ts.isMethodSignature(parent);
}
