/** A directory of its own on the file store. */

import { readKeptVersions } from "../../dist/stores/file/kept-versions.js";
import { createBareWrite } from "../bare-write.mjs";

/** @type {import("../crew.mjs").OpenPlace} */
export async function openFilePlace(session, name) {
  const directory = await session.directory(name);
  return {
    store: directory,
    bareName: "bare write",
    bareWrite: createBareWrite(await session.directory(`${name}-bare`)),
    leaderlessMs: async (leader, next) => next.electedWall - (await landedAt(directory, leader.leads)),
  };
}

/**
 * When the last renewal of that term was written, by the clock of the store's files: it may be some ms slow.
 *
 * @param {string} directory
 * @param {number | undefined} token
 * @returns {Promise<number>}
 */
async function landedAt(directory, token) {
  const kept = await readKeptVersions(directory, "default/job");
  const last = kept.findLast(({ body }) => typeof body !== "string" && body.token === token);
  if (last === undefined) throw new Error("the last renewal is not in the store any more");
  return last.modifiedMs;
}
