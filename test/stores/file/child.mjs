/**
 * One process of the process tests: runs the built store and tells its parent what it is doing, a line at a time.
 *
 *   node child.mjs contend <directory> <name> <writes> <keepVersions>
 *   node child.mjs watch <directory>
 */

import { randomUUID } from "node:crypto";

/** @type {unknown} */
const built = await import(new URL("../../../dist/stores/file/index.js", import.meta.url).href);
const { fileStore } = /** @type {typeof import("../../../src/stores/file/index.js")} */ (built);

const key = "default/invoices";
const [verb, directory = "", name = "", writes = "0", keepVersions = "16"] = process.argv.slice(2);

/** @param {AbortSignal} [signal] */
function call(signal = new AbortController().signal) {
  return {
    signal,
    timeoutMs: 10_000,
    absence: /** @type {const} */ ("waited"),
    takeover: /** @type {const} */ ("observed"),
  };
}

/** @param {unknown} line */
function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Raises `seq` by one, again and again, by compare-and-set alone; each answer is told. */
async function contend() {
  const store = fileStore(directory, { keepVersions: Number(keepVersions) });
  let acknowledged = 0;
  while (acknowledged < Number(writes)) {
    const current = await store.read(key, call());
    const seq = typeof current?.body === "object" ? current.body.seq + 1 : 1;
    const record = {
      v: 1,
      instance: name,
      writer: name,
      nonce: randomUUID(),
      token: 1,
      seq,
      ttlMs: 1_000,
      state: /** @type {const} */ ("held"),
      expiry: /** @type {const} */ ("observed"),
      node: name,
      electedAt: 1,
      metadata: {},
    };
    try {
      const answer = await store.write(key, record, current?.version, call());
      if (answer.kind === "written") acknowledged += 1;
      tell({
        kind: answer.kind,
        seq,
        nonce: record.nonce,
        version: "version" in answer ? answer.version : "",
      });
    } catch (error) {
      tell({ kind: "unknown", seq, nonce: record.nonce, error: String(error) });
    }
  }
  await store[Symbol.asyncDispose]();
}

/** Reads, writes, watches; aborts one watch, disposes the other, and has nothing left to do. */
async function watch() {
  const store = fileStore(directory);
  const ended = new AbortController();
  store.watch?.([key, "default/other"], () => {}, ended.signal);
  store.watch?.([key], () => {}, new AbortController().signal);
  await store.read(key, call());
  ended.abort();
  await store[Symbol.asyncDispose]();
  tell({ kind: "done" });
}

await (verb === "contend" ? contend() : watch());
