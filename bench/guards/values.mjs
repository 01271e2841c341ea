/** The guards of one value: in memory, against an assignment; in a directory, against a bare durable write. */

import { fileGuard } from "tenure/fence/file";
import { memoryGuard } from "tenure/fence/memory";
import { createBareWrite } from "../bare-write.mjs";
import { measureGuard } from "./measure.mjs";
import { openTerms } from "./terms.mjs";

/** @typedef {import("tenure/fence/memory").ValueHandle<string>} Handle */

const value = "x".repeat(100);

/** @param {Handle} handle */
function put(handle) {
  return handle.transaction((transaction) => {
    transaction.value = value;
  });
}

/** @type {import("../run.mjs").Measure} */
export async function measureMemoryGuard({ plan, session }) {
  const { handle } = await openTerms(memoryGuard({ resource: "bench", initial: value }));
  let bareValue = "";
  const bare = async () => {
    bareValue = String(JSON.parse(JSON.stringify(value + bareValue.length)));
  };
  const contest = { name: "memory", bare, guarded: async () => put(handle()) };
  return measureGuard(contest, plan.guards, session.pause);
}

/** @type {import("../run.mjs").Measure} */
export async function measureFileGuard({ plan, session }) {
  const directory = await session.directory("guard-file");
  const { handle } = await openTerms(fileGuard(directory, { resource: "bench", initial: value }));
  const bare = createBareWrite(await session.directory("guard-bare"));
  const contest = { name: "file", bare, guarded: async () => put(handle()), targetPercent: 10 };
  return measureGuard(contest, plan.guards, session.pause);
}
