/** What a rule answers: where it is broken, what is wrong, what to do instead. An empty list is a pass. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly wrong: string;
  readonly instead: string;
}

/** One line per violation, in the form that editors and terminals turn into a link. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ file, line, wrong, instead }) => `${file}:${line} ${wrong}; ${instead}`)
    .toSorted()
    .join("\n");
}
