// The rule for a change of the public API: it comes with a line under "Unreleased" in CHANGELOG.md. What was last
// accepted is kept as hashes in docs/api/reviewed.json, because neither file alone shows that the other changed.
import { createHash } from "node:crypto";

/** @typedef {{ unreleased: string, reports: Record<string, string> }} Reviewed */

/**
 * @param {ReadonlyMap<string, string>} reports
 * @param {string} changelog
 * @returns {Reviewed}
 */
export function fingerprint(reports, changelog) {
  const names = [...reports.keys()].toSorted();
  return {
    unreleased: sha256(unreleasedSection(changelog)),
    reports: Object.fromEntries(names.map((name) => [name, sha256(reports.get(name) ?? "")])),
  };
}

/**
 * What stands between the difference and its acceptance, or undefined when it may be written.
 *
 * @param {Reviewed | undefined} accepted
 * @param {Reviewed} current
 * @returns {string | undefined}
 */
export function objection(accepted, current) {
  if (accepted === undefined || accepted.unreleased !== current.unreleased) return undefined;
  const names = new Set([...Object.keys(accepted.reports), ...Object.keys(current.reports)]);
  const changed = [...names].filter((name) => accepted.reports[name] !== current.reports[name]).toSorted();
  if (changed.length === 0) return undefined;
  return `The public API changed (${changed.join(", ")}): add a line for users to the Unreleased section of CHANGELOG.md.`;
}

/** @param {string} changelog */
export function unreleasedSection(changelog) {
  const match = /^## \[?Unreleased\]?[^\n]*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog);
  if (match === null) throw new Error('CHANGELOG.md has no section "## Unreleased"');
  return (match[1] ?? "").trim();
}

/** @param {string} text */
function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}
