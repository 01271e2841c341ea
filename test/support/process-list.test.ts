/** A list that showed nothing would let every test pass that asks whether something was left. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { listProcesses } from "./process-list.js";

it("when a process runs it is listed with its arguments, and when it has ended it is not", async () => {
  const mark = `listed-${process.pid}`;
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()", mark]);
  const ours = () => listProcesses().filter(({ command }) => command.includes(mark));
  await once(child, "spawn");
  expect(ours().map(({ pid }) => pid)).toEqual([child.pid]);
  child.stdin.end();
  await once(child, "close");
  expect(ours()).toEqual([]);
});
