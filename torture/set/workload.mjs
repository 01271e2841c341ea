/** The set: every leader reads it whole, adds one element, and writes it back whole. */

import { mkdir } from "node:fs/promises";
import { leadFenced, readFencedSet, resource } from "./fenced.mjs";
import { judgeSet } from "./judge.mjs";
import { leadPlain, readPlainSet, writePlainSet } from "./plain.mjs";

/** @type {import("../workloads.mjs").Workload} */
export const setWorkload = {
  about: "a shared set, to which one element at a time is added",
  resource,
  async create(form, path) {
    await mkdir(path);
    if (form === "unfenced") await writePlainSet(path, []);
  },
  lead: (form, path, work) => (form === "fenced" ? leadFenced(path, work) : leadPlain(path, work)),
  async judge(form, path, writes) {
    if (form === "fenced") return judgeSet(writes, await readFencedSet(path));
    return judgeSet(writes, { set: await readPlainSet(path), versions: undefined, reasons: [] });
  },
};
