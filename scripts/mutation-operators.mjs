// Small edits of one source file, made from its syntax tree: conditions that always or never hold, operands, statements
// and filters dropped, bounds moved, constants off by one. Where one edit is found whenever another is, only the harder
// one to find is made.
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
  [SyntaxKind.PlusEqualsToken, "-="],
  [SyntaxKind.MinusEqualsToken, "+="],
]);

const equalities = new Set([SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken]);
const connectives = new Set([SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken]);

/** What these are given is for people, or for counts: no rule rests on it. */
const told = new Set(["createError", "optionError", "trace", "message", "rule"]);
/** What these do or answer goes into a trace. */
const tracing = new Set(["trace", "decision", "tokenDecision"]);

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

/**
 * @param {ts.Node} node
 * @returns {boolean}
 */
function isSkipped(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node) || ts.isTemplateExpression(node))
    return true;
  if (ts.isIfStatement(node) && node.elseStatement === undefined && isSkipped(node.thenStatement))
    return true;
  if (ts.isFunctionDeclaration(node)) return tracing.has(node.name?.getText() ?? "");
  if (ts.isExpressionStatement(node)) return isSkipped(node.expression);
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
  if (ts.isIfStatement(node)) return ofCondition(node.expression);
  if (ts.isConditionalExpression(node)) return ofCondition(node.condition);
  if (ts.isCallExpression(node)) return ofCall(node, text);
  if (ts.isExpressionStatement(node)) return [{ node, operator: "drop", after: ";" }];
  if (ts.isReturnStatement(node) && node.expression !== undefined && text(node.expression) !== "undefined")
    return [{ node: node.expression, operator: "nothing", after: "undefined" }];
  if (ts.isNumericLiteral(node)) return [{ node, operator: "constant", after: `(${text(node)} + 1)` }];
  if (node.kind === SyntaxKind.TrueKeyword) return [{ node, operator: "constant", after: "false" }];
  if (node.kind === SyntaxKind.FalseKeyword) return [{ node, operator: "constant", after: "true" }];
  if (ts.isPropertyAccessExpression(node) && text(node) === "Number.POSITIVE_INFINITY")
    return [{ node, operator: "constant", after: "0" }];
  if (ts.isSpreadAssignment(node)) return [{ node, operator: "no spread", after: "...{}" }];
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === SyntaxKind.ExclamationToken &&
    !isPartOfCondition(node)
  )
    return [{ node, operator: "negate", after: `(${text(node.operand)})` }];
  return [];
}

/**
 * Each operand of a compound condition is dropped by itself: one of these is found no later than the whole.
 * @param {ts.Expression} condition
 * @returns {readonly Found[]}
 */
function ofCondition(condition) {
  const kind = ts.isBinaryExpression(condition) ? condition.operatorToken.kind : undefined;
  const always = { node: condition, operator: "always", after: "true" };
  const never = { node: condition, operator: "never", after: "false" };
  if (kind === SyntaxKind.AmpersandAmpersandToken) return [never];
  return kind === SyntaxKind.BarBarToken ? [always] : [always, never];
}

/**
 * @param {ts.CallExpression} node
 * @param {(part: ts.Node) => string} text
 * @returns {readonly Found[]}
 */
function ofCall({ expression }, text) {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const call = expression.parent;
  if (expression.name.text === "filter")
    return [{ node: call, operator: "no filter", after: text(expression.expression) }];
  const other = new Map([
    ["Math.max", "Math.min"],
    ["Math.min", "Math.max"],
  ]).get(text(expression));
  return other === undefined
    ? []
    : [{ node: expression, operator: `bound of ${short(text(call))}`, after: other }];
}

/**
 * @param {ts.BinaryExpression} node
 * @param {(part: ts.Node) => string} text
 * @returns {readonly Found[]}
 */
function ofBinary(node, text) {
  const { left, right, operatorToken } = node;
  const { kind } = operatorToken;
  if (kind === SyntaxKind.QuestionQuestionToken)
    return [{ node: left, operator: "no default", after: `(${text(left)} && undefined)` }];
  if (connectives.has(kind))
    return [
      { node, operator: `without ${short(text(left))}`, after: text(right) },
      { node, operator: `without ${short(text(right))}`, after: text(left) },
    ];
  const after = exchanged.get(kind);
  if (after === undefined || (equalities.has(kind) && isPartOfCondition(node))) return [];
  return [{ node: operatorToken, operator: `${text(left)} ${after} ${text(right)}`.slice(0, 80), after }];
}

/**
 * What holds always, never, or is left out there, says more than its opposite.
 * @param {ts.Node} node
 * @returns {boolean}
 */
function isPartOfCondition(node) {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isPartOfCondition(parent);
  if (ts.isBinaryExpression(parent)) return connectives.has(parent.operatorToken.kind);
  return ts.isIfStatement(parent) || (ts.isConditionalExpression(parent) && parent.condition === node);
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
