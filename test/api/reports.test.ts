import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeReports } from "../../scripts/api-report.mjs";
import { fingerprint, objection, unreleasedSection } from "../../scripts/api-review.mjs";
import { root } from "../architecture/files.js";

const folder = join(root, "docs", "api");
const advice = "run `npm run api`, read the diff of docs/api, and commit it with a line in CHANGELOG.md";

describe("the API reports of the built package", () => {
  const scratch = mkdtempSync(join(tmpdir(), "tenure-api-"));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  let built = new Map<string, string>();
  beforeAll(() => {
    built = makeReports(scratch);
  });

  test("are the ones in docs/api", () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".api.md"));
    const kept = new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    expect(Object.fromEntries(kept), advice).toEqual(Object.fromEntries(built));
  });

  test("were accepted together with the Unreleased section as it stands", () => {
    const reviewed: unknown = JSON.parse(readFileSync(join(folder, "reviewed.json"), "utf8"));
    expect(reviewed, advice).toEqual(fingerprint(built, readFileSync(join(root, "CHANGELOG.md"), "utf8")));
  });
});

describe("when a report changed", () => {
  const before = fingerprint(new Map([["a.api.md", "1"]]), "# C\n\n## Unreleased\n\n- One.\n\n## 0.1.0\n");
  const changed = new Map([["a.api.md", "2"]]);

  test("and Unreleased did not, it is refused and asks for a line", () => {
    const after = fingerprint(changed, "# C\n\n## Unreleased\n\n- One.\n\n## 0.1.0\n\n- Old.\n");
    expect(objection(before, after)).toMatch(/a\.api\.md.*add a line/);
  });

  test("and Unreleased did too, it is accepted; so is a first report", () => {
    const after = fingerprint(changed, "# C\n\n## Unreleased\n\n- One.\n- Two.\n\n## 0.1.0\n");
    expect(objection(before, after)).toBeUndefined();
    expect(objection(undefined, after)).toBeUndefined();
  });

  test("a removed report counts as a change", () => {
    expect(objection(before, { ...before, reports: {} })).toContain("a.api.md");
  });

  test("the section ends at the next heading or at the end of the file", () => {
    expect(unreleasedSection("## Unreleased\n\n- A.\n### Fixed\n- B.\n\n## 1.0.0\n- C.\n")).toBe(
      "- A.\n### Fixed\n- B.",
    );
    expect(unreleasedSection("# C\n## [Unreleased]\n- A.\n")).toBe("- A.");
  });
});
