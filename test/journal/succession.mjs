/** Leader after leader is killed while it appends, in processes of their own: what each successor must find. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ kind: "replayed", upTo: number, entries: readonly import("./contract.mjs").Placed[] }} Replayed
 * @typedef {Replayed | { kind: "appended", index: number, opId: string }} Told
 */

const script = fileURLToPath(new URL("child.mjs", import.meta.url));

/**
 * `kind` and `place` are those of child.mjs, `leaders` how many lead and die. Every successor replays all that was
 * acknowledged, in place and order, and at most one more: an append may have been done when its writer died before it could
 * say so.
 *
 * @param {string} kind
 * @param {string} place
 * @param {number} leaders
 */
export async function expectSuccession(kind, place, leaders, onDeath = () => {}) {
  /** @type {Map<number, string>} */
  const known = new Map();
  for (let token = 1; token <= leaders; token += 1) {
    const told = await leadAndDie(kind, place, token, 5 + 4 * token);
    onDeath();
    const [replayed] = told;
    assert.ok(replayed?.kind === "replayed", "nothing was replayed");
    const { upTo, entries } = replayed;
    assert.deepEqual(
      entries.map(({ index }) => index),
      entries.map((_, at) => upTo + at + 1),
    );
    const last = upTo + entries.length;
    assert.ok(last === known.size || last === known.size + 1, `${last} entries, ${known.size} were told`);
    for (const { index, opId, token: by } of entries) {
      assert.equal(known.get(index) ?? opId, opId);
      assert.ok(opId.startsWith(`${by}-`), `${opId} under token ${by}`);
      known.set(index, opId);
    }
    for (const line of told) {
      if (line.kind !== "appended") continue;
      assert.equal(line.index, known.size + 1);
      known.set(line.index, line.opId);
    }
  }
  assert.equal(new Set(known.values()).size, known.size);
  assert.ok(known.size >= 5 * leaders + 2 * leaders * (leaders + 1), `${known.size} entries`);
}

/**
 * Leads until it has told of `count` appends, and is killed then. Resolves when it is gone.
 *
 * @param {string} kind
 * @param {string} place
 * @param {number} token
 * @param {number} count
 * @returns {Promise<readonly Told[]>}
 */
async function leadAndDie(kind, place, token, count) {
  const child = spawn(process.execPath, ["--no-warnings", script, kind, place, String(token)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  /** @type {Told[]} */
  const told = [];
  createInterface(child.stdout).on("line", (line) => {
    told.push(/** @type {Told} */ (JSON.parse(line)));
    if (told.length === count + 1) child.kill("SIGKILL");
  });
  await new Promise((resolve) => void child.once("close", resolve));
  assert.equal(child.signalCode, "SIGKILL");
  return told;
}
