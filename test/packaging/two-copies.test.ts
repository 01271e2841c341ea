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
    const fenced = ["Attempt", "Claimant", "FencedTerm", "Guard<string>"];
    const pairs = ["Fence", "Leadership", "UnfencedLeadership", "Sequence", "Election", "TenureError"];
    const faces = pairs.map((name) => `export const ${name}: (x: a.${name}) => b.${name} = (x) => x;`);
    const text = [
      `import type * as a from "tenure"; import type * as b from "tenure-again";`,
      `import type * as la from "tenure/lease"; import type * as lb from "tenure-again/lease";`,
      `import type * as ga from "tenure/fence"; import type * as gb from "tenure-again/fence";`,
      ...faces,
      ...fenced.map((type, index) => `export const g${index}: (x: ga.${type}) => gb.${type} = (x) => x;`),
      `export const Claims: (x: a.Leadership) => gb.FencedTerm = (x) => x;`,
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

describe("when one copy elects and the other guards", () => {
  test("the leader writes, its writes are numbered once for both, and what is refused is known to both", () => {
    writeFileSync(join(installed.folder, "guard.mjs"), guarding);
    const { code, stdout, stderr } = runToEnd("node", ["guard.mjs"], installed.folder, 20_000);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      distinct: true,
      entries: ["fences", "own copy", "other copy", "successor"],
      numbers: 3,
      stale: true,
      outpaced: "outpaced",
    });
  });
});

const guarding = `
  import { rmSync } from "node:fs";
  import { createElection, TenureError } from "tenure";
  import { memoryStore } from "tenure/memory";
  import { fileGuard as ownGuard } from "tenure/fence/file";
  import { TenureError as Again } from "tenure-again";
  import { fences } from "tenure-again/fence";
  import { fileGuard } from "tenure-again/fence/file";

  const options = { resource: "ledger", initial: [] };
  const guard = fileGuard("ledger", options);
  const election = createElection({ name: "meet", store: memoryStore() });
  const ended = new Promise((resolve) => election.on("lost", ({ reason }) => resolve(reason)));
  let numbers;
  let stale = false;
  await election.runOnce(fences({ ledger: guard }, async ({ ledger }, leadership) => {
    await ledger.transaction((tx) => void tx.value.push("fences"));
    const own = await ownGuard("ledger", options).claim(leadership);
    await own.transaction((tx) => void tx.value.push("own copy"));
    await ledger.transaction((tx) => void tx.value.push("other copy"));
    const { fence } = leadership;
    numbers = (await guard.inspect()).rows[0].row.seq;
    const successor = await guard.claim({ ...fence, token: fence.token + 1, owner: "successor" });
    await successor.transaction((tx) => void tx.value.push("successor"));
    try {
      await ledger.transaction((tx) => void tx.value.push("stale"));
    } catch (error) {
      stale = TenureError.is(error, "STALE") && Again.is(error, "STALE");
    }
  }));
  const outpaced = await ended;
  await election.stop();
  const { value: entries } = await guard.inspect();
  rmSync("ledger", { recursive: true });
  process.stdout.write(JSON.stringify({ distinct: TenureError !== Again, entries, numbers, stale, outpaced }));
`;

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
