/** The page about the testkit says what is there: its example is the one that runs, its tables name every test. */

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { guardCases } from "../../src/testkit/guard/cases.js";
import { brokenGuards, brokenStores } from "../../src/testkit/index.js";
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
    .replace("../../../src/fence/index.js", "tenure/fence")
    .replace("../../../src/testkit/index.js", "tenure/testkit");
}

describe("docs/testkit.md", () => {
  it("when its examples are read, they are the ones that run as tests", async () => {
    for (const name of ["table-store", "table-guard"]) {
      const example = await readFile(new URL(`example/${name}.test.ts`, import.meta.url), "utf8");
      expect(page).toContain(`\`\`\`ts no-run\n${asPublished(example)}\`\`\``);
    }
  });

  it("when its tables are read, every test is there with its title, in order", () => {
    const rows = [...page.matchAll(/^\| `([a-z0-9]+(?:-[a-z0-9]+)+)` \| (.*) \|$/gm)].map(
      ([, id, title]) => ({
        id,
        title,
      }),
    );
    expect(rows).toEqual(
      [...registerCases, ...leaseCases, ...guardCases].map(({ id, title }) => ({ id, title })),
    );
  });

  it("when its table of broken drivers is read, each is there with the test it fails", () => {
    for (const { name, mustFail } of [...brokenStores, ...brokenGuards]) {
      expect(page).toMatch(new RegExp(`^\\| ${name}: .* \\| \`${mustFail}\` \\|$`, "m"));
    }
  });
});
