import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runToEnd } from "../support/child.js";
import { complaints } from "../support/compile.js";
import { installPackage } from "./installed.js";

const installed = installPackage("tenure", "tenure-again");
afterAll(() => installed.remove());

describe("when two copies of the package meet in one process", () => {
  test("what one declares fits where the other expects it", () => {
    const file = join(installed.folder, "types.mts");
    const pairs = ["Fence", "Leadership", "UnfencedLeadership", "Sequence", "Election", "TenureError"];
    const faces = pairs.map((name) => `export const ${name}: (x: a.${name}) => b.${name} = (x) => x;`);
    const text = [
      `import type * as a from "tenure"; import type * as b from "tenure-again";`,
      `import type * as la from "tenure/lease"; import type * as lb from "tenure-again/lease";`,
      ...faces,
      `export const Store: (x: la.Store) => lb.Store = (x) => x;`,
    ];
    const virtual = new Map([[file, `${text.join("\n")}\n`]]);
    expect(complaints([file], installed.folder, { virtual })).toEqual([]);
  });

  test("one elects over the other's store, and each knows the other's errors and fence", () => {
    writeFileSync(join(installed.folder, "meet.mjs"), meeting);
    const { code, stdout, stderr } = runToEnd("node", ["meet.mjs"], installed.folder, 20_000);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ distinct: true, seenByOther: "held", lost: true, later: true });
  });
});

const meeting = `
  import { createElection, TenureError } from "tenure";
  import { createElection as createAgain, TenureError as Again } from "tenure-again";
  import { memoryStore } from "tenure-again/memory";

  const store = memoryStore();
  const one = createElection({ name: "meet", node: "one", store });
  const two = createAgain({ name: "meet", node: "two", store });

  const first = await one.campaign();
  const attempt = await two.tryCampaign();
  await first.resign();
  let lost = false;
  try { first.check(); } catch (error) { lost = Again.is(error, "LEADERSHIP_LOST"); }
  const later = await two.runOnce(async ({ fence }) => fence.token > first.fence.token && fence.lineage === first.fence.lineage);
  await one.stop();
  await two.stop();
  process.stdout.write(JSON.stringify({ distinct: TenureError !== Again, seenByOther: attempt.kind, lost, later }));
`;
