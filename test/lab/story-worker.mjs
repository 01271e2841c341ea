// Plays stories in a copy of the lab in which something is broken: it may hang, or die.
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {typeof import("../../src/lab/story/parse.js")} Parse
 * @typedef {typeof import("../../src/lab/story/play.js")} Play
 */

const { folder, text } = /** @type {{ folder: string, text: string }} */ (workerData);
/** @param {string} name */
const urlOf = (name) => pathToFileURL(`${folder}/src/lab/story/${name}.js`).href;
const { parseStory } = /** @type {Parse} */ (await import(urlOf("parse")));
const { playStory } = /** @type {Play} */ (await import(urlOf("play")));
const { outcome, missed } = await playStory(parseStory(text));
const message = [...outcome.broken, ...missed];
parentPort?.postMessage(message, []);
