/** The outbox example as it is run by hand, with fewer failovers. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startProgram } from "../support/program.js";
import { describeWithServer } from "../servers/with-server.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = "examples/outbox/main.mjs";

describeWithServer(["postgres", "rabbitmq"], "the outbox example", () => {
  test("when leaders are killed and stopped, each message leads to one parcel, in order", {
    timeout: 300_000,
  }, async () => {
    const { stdout, code } = await startProgram([main, "--failovers", "3", "--json"], {
      cwd: root,
      env: process.env,
    }).ended;
    const verdict: unknown = JSON.parse(stdout);
    expect(verdict).toMatchObject({
      failovers: { killed: 2, stopped: 1, consumersKilled: 0 },
      unsent: 0,
      lost: 0,
      invented: 0,
      doubled: 0,
      disordered: 0,
      held: true,
    });
    const { messages, parcels } = verdict as { readonly messages: number; readonly parcels: number };
    expect(messages).toBeGreaterThan(75);
    expect(parcels).toBe(messages);
    expect(code).toBe(0);
  });

  test.each([
    [["--failovers", "0"], "--failovers must be a whole number from 1 to 500, got 0"],
    [["--speed"], "--speed"],
  ])("%j is wrong usage, and the message names it", async (args, message) => {
    const { stderr, code } = await startProgram([main, ...args], { cwd: root, env: process.env }).ended;
    expect(stderr).toMatch(message);
    expect(code).toBe(64);
  });
});
