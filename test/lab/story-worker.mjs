// Plays stories in a copy of the lab in which something is broken: it may hang, or die.
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

const { folder, text } = workerData;
const load = (name) => import(pathToFileURL(`${folder}/src/lab/story/${name}.js`).href);
const [{ parseStory }, { playStory }] = await Promise.all([load("parse"), load("play")]);
const { outcome, missed } = await playStory(parseStory(text));
parentPort?.postMessage([...outcome.broken, ...missed]);
