// docs/errors.md: the code table of the built package as a page.

/** @typedef {import("../src/errors/index.js").ErrorFacts} ErrorFacts */

const head = `# Errors

Generated from \`src/errors/table.ts\` by \`npm run docs:generate\`.

Every error that Tenure raises is an \`Error\` with the fields \`code\`, \`outcome\` and \`retry\`. Look at the code, not
at the class and not at the message: codes are never renamed and never change their meaning, new ones may be added.

\`\`\`ts
import { TenureError } from "tenure";

export function isTemporary(error: unknown): boolean {
  return TenureError.is(error) && error.retry !== "never";
}

export function lostItsTerm(error: unknown): boolean {
  return TenureError.is(error, "LEADERSHIP_LOST");
}
\`\`\`

- **outcome**: \`definite\`, the failed action did not happen; \`unknown\`, it may have happened, or may still.
- **retry**: \`never\` the same call again; \`later\`, after a pause; \`now\` is sensible.
- Held by another node is no error: \`tryCampaign\` answers it as a value, and so does \`transfer\`.
- An error of the store that is not in this table is an unknown outcome. It is handed on as it is, as the \`cause\` in
  \`renewFailed\` and \`uncertain\` and as \`status.lastError\`.
`;

/**
 * @param {Readonly<Record<string, ErrorFacts>>} table
 * @returns {string} the page
 */
export function errorsPage(table) {
  const rows = Object.entries(table).map(
    ([code, { meaning, outcome, retry, advice }]) =>
      `| \`${code}\` | ${meaning} | ${outcome} | ${retry} | ${advice} |`,
  );
  return [
    head,
    "| Code | What happened | Outcome | Retry | What to do |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
