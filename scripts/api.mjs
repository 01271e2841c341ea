// `npm run api`: writes docs/api/*.api.md and docs/api/reviewed.json, or refuses and says what is missing.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeReports } from "./api-report.mjs";
import { fingerprint, objection } from "./api-review.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "docs", "api");
const reviewedFile = join(folder, "reviewed.json");

const scratch = mkdtempSync(join(tmpdir(), "tenure-api-"));
const reports = makeReports(scratch);
rmSync(scratch, { recursive: true, force: true });

const current = fingerprint(reports, readFileSync(join(root, "CHANGELOG.md"), "utf8"));
const accepted = existsSync(reviewedFile)
  ? /** @type {import("./api-review.mjs").Reviewed} */ (JSON.parse(readFileSync(reviewedFile, "utf8")))
  : undefined;
const refusal = objection(accepted, current);

if (refusal === undefined) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (name.endsWith(".api.md") && !reports.has(name)) rmSync(join(folder, name));
  for (const [name, text] of reports) writeFileSync(join(folder, name), text);
  writeFileSync(reviewedFile, `${JSON.stringify(current, null, 2)}\n`);
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
