/** The page about the testkit says what is there: its example is the one that runs, its tables name every test. */

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { brokenStores } from "../../src/testkit/index.js";
import { leaseCases } from "../../src/testkit/lease/cases.js";
import { registerCases } from "../../src/testkit/register/cases.js";

const page = await readFile(new URL("../../docs/testkit.md", import.meta.url), "utf8");

/** What users import is spread over the sources here. */
function asPublished(source: string): string {
  return source
    .replace(
      'import { decodeRecord, encodeRecord } from "../../../src/lease/record.js";\nimport type { Store, Stored } from "../../../src/lease/store.js";',
      'import { decodeRecord, encodeRecord, type Store, type Stored } from "tenure/lease";',
    )
    .replace("../../../src/testkit/index.js", "tenure/testkit");
}

describe("docs/testkit.md", () => {
  it("when its example is read, it is the one that runs as a test", async () => {
    const example = await readFile(new URL("example/table-store.test.ts", import.meta.url), "utf8");
    expect(page).toContain(`\`\`\`ts no-run\n${asPublished(example)}\`\`\``);
  });

  it("when its tables are read, every test is there with its title, in order", () => {
    const rows = [...page.matchAll(/^\| `([a-z0-9]+(?:-[a-z0-9]+)+)` \| (.*) \|$/gm)].map(
      ([, id, title]) => ({
        id,
        title,
      }),
    );
    expect(rows).toEqual([...registerCases, ...leaseCases].map(({ id, title }) => ({ id, title })));
  });

  it("when its table of broken drivers is read, each is there with the test it fails", () => {
    for (const { name, mustFail } of brokenStores) {
      expect(page).toMatch(new RegExp(`^\\| ${name}: .* \\| \`${mustFail}\` \\|$`, "m"));
    }
  });
});
