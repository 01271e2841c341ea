// Small edits of one source file, made from its syntax tree: conditions negated, bounds moved, statements dropped.
import ts from "typescript";

/**
 * @typedef {object} Edit
 * @property {string} key stands for it in test/lab/survivors.json: file, function, operator, what is there
 * @property {string} file
 * @property {number} line
 * @property {string} operator
 * @property {string} before
 * @property {string} after
 * @property {string} text of the whole file with the edit made
 */

/** @typedef {{ node: ts.Node, operator: string, after: string }} Found */

const { SyntaxKind } = ts;

/** @type {ReadonlyMap<ts.SyntaxKind, string>} */
const exchanged = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [SyntaxKind.LessThanToken, "<="],
  [SyntaxKind.LessThanEqualsToken, "<"],
  [SyntaxKind.GreaterThanToken, ">="],
  [SyntaxKind.GreaterThanEqualsToken, ">"],
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
  [SyntaxKind.AsteriskToken, "/"],
  [SyntaxKind.SlashToken, "*"],
  [SyntaxKind.AmpersandAmpersandToken, "||"],
  [SyntaxKind.BarBarToken, "&&"],
  [SyntaxKind.PlusEqualsToken, "-="],
  [SyntaxKind.MinusEqualsToken, "+="],
]);

/** What these are given is for people, or for counts: no rule rests on it. */
const told = new Set(["createError", "optionError", "trace", "message"]);

/**
 * @param {string} file
 * @param {string} text
 * @returns {readonly Edit[]} in the order of their places
 */
export function editsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  /** @type {Found[]} */
  const found = [];
  /** @param {ts.Node} node */
  const walk = (node) => {
    if (isSkipped(node)) return;
    found.push(...at(node, source));
    ts.forEachChild(node, walk);
  };
  walk(source);
  /** @type {Map<string, number>} */
  const counts = new Map();
  return found.map(({ node, operator, after }) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const before = text.slice(start, end);
    const name = `${file} ${functionOf(node)}: ${operator}: ${short(before)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      key: count === 1 ? name : `${name} (${count})`,
      file,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      operator,
      before: short(before),
      after: short(after),
      text: text.slice(0, start) + after + text.slice(end),
    };
  });
}

/** @param {ts.Node} node */
function isSkipped(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node) || ts.isTemplateExpression(node))
    return true;
  if (ts.isCallExpression(node)) return told.has(node.expression.getText());
  return ts.isPropertyAssignment(node) && told.has(node.name.getText());
}

/**
 * @param {ts.Node} node
 * @param {ts.SourceFile} source
 * @returns {readonly Found[]}
 */
function at(node, source) {
  /** @param {ts.Node} part */
  const text = (part) => part.getText(source);
  if (ts.isBinaryExpression(node)) return ofBinary(node, text);
  if (ts.isIfStatement(node)) {
    const negated = { node: node.expression, operator: "negate", after: `!(${text(node.expression)})` };
    const leaves = node.elseStatement === undefined && isLeaving(node.thenStatement);
    return leaves ? [negated, { node, operator: "drop", after: ";" }] : [negated];
  }
  if (ts.isConditionalExpression(node))
    return [{ node: node.condition, operator: "negate", after: `!(${text(node.condition)})` }];
  if (ts.isExpressionStatement(node)) return [{ node, operator: "drop", after: ";" }];
  if (ts.isReturnStatement(node) && node.expression !== undefined && text(node.expression) !== "undefined")
    return [{ node: node.expression, operator: "nothing", after: "undefined" }];
  if (ts.isNumericLiteral(node)) return [{ node, operator: "constant", after: `(${text(node)} + 1)` }];
  if (node.kind === SyntaxKind.TrueKeyword) return [{ node, operator: "constant", after: "false" }];
  if (node.kind === SyntaxKind.FalseKeyword) return [{ node, operator: "constant", after: "true" }];
  if (ts.isPropertyAccessExpression(node) && text(node) === "Number.POSITIVE_INFINITY")
    return [{ node, operator: "constant", after: "0" }];
  if (ts.isSpreadAssignment(node)) return [{ node, operator: "no spread", after: "...{}" }];
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return [{ node, operator: "negate", after: `(${text(node.operand)})` }];
  return [];
}

/**
 * @param {ts.BinaryExpression} node
 * @param {(part: ts.Node) => string} text
 * @returns {readonly Found[]}
 */
function ofBinary({ left, right, operatorToken }, text) {
  if (operatorToken.kind === SyntaxKind.QuestionQuestionToken)
    return [{ node: left, operator: "no default", after: `(${text(left)} && undefined)` }];
  const after = exchanged.get(operatorToken.kind);
  if (after === undefined) return [];
  if (
    [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side)) &&
    after === "-"
  )
    return [];
  return [{ node: operatorToken, operator: `${text(left)} ${after} ${text(right)}`.slice(0, 80), after }];
}

/** @param {ts.Statement} statement */
function isLeaving(statement) {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isContinueStatement(last));
}

/**
 * @param {ts.Node} node
 * @returns {string} the nearest function or declaration around it
 */
function functionOf(node) {
  for (let around = node.parent; around !== undefined; around = around.parent) {
    if (ts.isFunctionDeclaration(around) || ts.isMethodDeclaration(around) || ts.isGetAccessor(around))
      return around.name?.getText() ?? "";
    if (ts.isConstructorDeclaration(around)) return "constructor";
  }
  return "";
}

/** @param {string} text */
function short(text) {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}
